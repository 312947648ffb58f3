"""Which call a kernel came from: notes kept beside the objects of the program, never on them."""

from __future__ import annotations

import os
import weakref
from dataclasses import dataclass, field
from typing import Any

from .frames import around, caller
from .values import flags_of, plain_configs, tagged

_FREE_OF_SCOPES = ".<locals>"


class ByIdentity:
    """A map from objects, told apart by identity and not kept alive, to what is known of them."""

    def __init__(self) -> None:
        self._entries: dict[int, tuple[weakref.ref[Any], Any]] = {}

    def get(self, key: Any) -> Any:
        entry = self._entries.get(id(key))
        return entry[1] if entry is not None and entry[0]() is key else None

    def set(self, key: Any, value: Any) -> None:
        number = id(key)
        self._entries[number] = (weakref.ref(key, lambda _: self._entries.pop(number, None)), value)


@dataclass
class Origin:
    """A kernel's definition, the arguments it was built with (tagged) and who asked for it. ``own`` are the pass
    configs and compile flags that its decorators hold: they are read from the source, and not noted again."""

    file: str
    qualname: str
    line: int
    args: dict[str, Any]
    caller: tuple[str, int] | None
    configs: dict[str, Any] = field(default_factory=dict)
    flags: list[str] = field(default_factory=list)
    jit: Any = None


def identity(function: Any) -> tuple[str, str, int]:
    """File, dotted name without ``<locals>``, and first line (of the decorators) of a function."""
    code = function.__code__
    name = function.__qualname__.replace(_FREE_OF_SCOPES, "")
    return os.path.abspath(code.co_filename), name, code.co_firstlineno  # noqa: PTH100


class Notes:
    """What is known of functions, jit objects and PrimFuncs, from the moments they were made."""

    def __init__(self, compiler: str) -> None:
        self.compiler = compiler
        self.around = ByIdentity()
        self.settings = ByIdentity()
        self.origins = ByIdentity()

    def defined(self, function: Any) -> None:
        """A kernel, jit function or macro is being defined."""
        found = {name: tagged(value) for name, value in around(function).items()}
        if found:
            self.around.set(function, found)

    def decorated(self, jit: Any) -> None:
        """A jit object was made: keep its settings as its decorator gives them (the autotuner changes them)."""
        self.settings.set(jit.func, (plain_configs(jit.pass_configs), flags_of(jit.compile_flags)))

    def built(self, jit: Any, args: tuple[Any, ...], kwargs: dict[str, Any], func: Any) -> Origin:
        """``jit`` gave the PrimFunc ``func`` (None where it failed) for these arguments."""
        outer = jit.func.orig_func
        file, qualname, line = identity(outer)
        given = {
            **(self.around.get(outer) or {}),
            **{name: tagged(value) for name, value in _bound(jit, args, kwargs).items()},
        }
        inner = getattr(func, "orig_func", None)
        if inner is not None and inner is not outer:
            at, name, first = identity(inner)
            if at == file and name.startswith(qualname + "."):
                # What the jit function itself was given is known better: its defaults were not.
                seen = (self.around.get(inner) or {}).items()
                given = {**{n: v for n, v in seen if n not in jit.signature.parameters}, **given}
                qualname, line = name, first
        configs, flags = self.settings.get(jit.func) or ({}, [])
        return Origin(file, qualname, line, given, caller(self.compiler), dict(configs), list(flags), outer)

    def of(self, func: Any) -> Origin | None:
        """Where a PrimFunc came from; None for one that no Python function of a file gave."""
        known: Origin | None = self.origins.get(func)
        function = getattr(func, "orig_func", None)
        if known is not None or function is None:
            return known
        file, qualname, line = identity(function)
        return Origin(file, qualname, line, dict(self.around.get(function) or {}), caller(self.compiler))


def _bound(jit: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> dict[str, Any]:
    """The arguments that were given, by name: without tensors, but with the sizes that an eager kernel takes from
    them."""
    parameters = jit.signature.parameters
    names = [name for name, one in parameters.items() if one.kind in (one.POSITIONAL_ONLY, one.POSITIONAL_OR_KEYWORD)]
    tensors = set(getattr(jit.func, "tensor_args", ()) or ())
    given = {**dict(zip(names, args, strict=False)), **kwargs}
    return {**{name: value for name, value in given.items() if name not in tensors}, **_sizes(jit.func, args, kwargs)}


def _sizes(function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> dict[str, Any]:
    """The values of an eager kernel's ``T.const`` names for these arguments."""
    if not getattr(function, "tensor_args", None) or not hasattr(function, "_argument_binder"):
        return {}
    bound = function._argument_binder.bind(args, kwargs)
    template = function.p1_cache.get(bound.p1_key)
    if template is None or not getattr(template, "matcher", None):
        return {}
    values = template._parse_phase2_key(**bound.tensor_args, **bound.compile_kwargs)
    return {variable.orig_name: value for variable, value in zip(template.matcher, values, strict=True)}
