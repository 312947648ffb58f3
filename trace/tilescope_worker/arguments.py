"""Kernel arguments: from literal text to values, and from what was used to the wire's Specialization."""

from __future__ import annotations

import ast
import functools
import hashlib
import inspect
import math
import re
import sys
from collections.abc import Collection, Iterable, Mapping
from json import dumps
from typing import Any, get_args

from .wire.facts import Argument, ArgumentOrigin, Json, Specialization
from .wire.messages import ArgumentText

_ORIGINS = get_args(ArgumentOrigin)
_CALLED = re.compile(r"(tilelang\.language\.(?:dynamic|symbolic))\((.+)\)")
_DOTTED = re.compile(r"[^\W\d]\w*(\.[^\W\d]\w*)*")


class ArgumentError(ValueError):
    """A bad argument or pass config; the text names it and says what is accepted."""


def parse(name: str, text: str, namespace: Mapping[str, Any]) -> Any:
    """The value of a Python literal; a bare name (``float16``) is a string, a dotted one (``T.float16``) is looked
    up in the file's namespace, else among the modules imported here, and may be called with literals
    (``tilelang.language.dynamic('m')``). Raises ArgumentError."""
    try:
        return ast.literal_eval(text.strip())
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        pass
    called = _CALLED.fullmatch(text.strip())
    if called is not None:
        function = parse(name, called[1], namespace)
        return function(*parse(name, f"({called[2]},)", namespace))
    if not _DOTTED.fullmatch(text.strip()):
        raise ArgumentError(f"value of {name!r} is neither a Python literal nor a dtype name: {text!r}")
    head, *rest = text.strip().split(".")
    if not rest:
        return head
    if head not in namespace and head not in sys.modules:
        raise ArgumentError(f"value of {name!r}: the file has no name {head!r} ({text!r})")
    try:
        return functools.reduce(getattr, rest, namespace.get(head, sys.modules.get(head)))
    except AttributeError:
        raise ArgumentError(f"value of {name!r}: there is no {text!r}") from None


def typed(value: Any, annotation: Any) -> Any:
    """The name of a dtype as the object that its parameter's annotation asks for (``T.dtype``, ``torch.dtype``), as
    text gives the name only; every other value as it is."""
    said = f"{annotation.__module__}.{annotation.__name__}" if inspect.isclass(annotation) else str(annotation)
    if type(value) is not str or not said.endswith(".dtype"):
        return value
    if said == "torch.dtype":
        found = getattr(sys.modules.get("torch"), value, None)
        return found if type(found).__name__ == "dtype" else value
    try:
        return sys.modules["tilelang.language"].dtype(value)
    except (KeyError, AttributeError, TypeError, ValueError):
        return value


def plain(value: Any) -> Json:
    """A value as JSON. What JSON has no form for appears as text that is the same in every run."""
    if value is None or isinstance(value, (bool, int)):
        return value
    if isinstance(value, str):
        # Lone surrogates, which no consumer could print, become text.
        return str(value).encode("utf-8", "backslashreplace").decode()
    if isinstance(value, float):
        return value if math.isfinite(value) else repr(value)
    if isinstance(value, Mapping) and all(isinstance(key, str) for key in value):
        return {key: plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple, set, frozenset)):
        return [plain(item) for item in value]
    if inspect.isroutine(value) or inspect.isclass(value):
        return f"{value.__module__}.{value.__qualname__}"
    if hasattr(value, "__len__") and not isinstance(value, Mapping) and hasattr(value, "__getitem__"):
        return [plain(item) for item in value]
    if type(value).__module__.startswith("tvm.") and hasattr(value, "value"):
        return plain(value.value)
    # Default reprs hold an address, which would give every run another specialization.
    return re.sub(r" at 0x[0-9a-f]+", "", repr(value))


def specialization(
    args: Mapping[str, Argument], pass_configs: Mapping[str, Any], compile_flags: Iterable[str]
) -> Specialization:
    """The wire form, with an ``id`` that depends on the content only and the weakest origin of all arguments."""
    configs = {key: plain(pass_configs[key]) for key in sorted(pass_configs)}
    flags = tuple(compile_flags)
    content = dumps([{name: args[name].value for name in sorted(args)}, configs, flags], sort_keys=True)
    return Specialization(
        id=hashlib.sha256(content.encode()).hexdigest()[:12],
        origin=max((argument.origin for argument in args.values()), key=_ORIGINS.index, default=None),
        args=dict(args),
        pass_configs=configs,
        compile_flags=flags,
    )


class Values:
    """The arguments of one request, handed out level by level along its chain of factories.

    ``used`` collects what each level took, with its origin; what nobody took is an error of the request.
    """

    def __init__(
        self,
        texts: Mapping[str, ArgumentText],
        namespace: Mapping[str, Any],
        assumed: Mapping[str, Any] | None = None,
    ) -> None:
        self._assumed = dict(assumed or {})
        self._values = {name: parse(name, argument.text, namespace) for name, argument in texts.items()}
        self._texts = texts
        self._tuned: dict[str, Any] = {}
        self.used: dict[str, Argument] = {}

    @property
    def given(self) -> dict[str, Any]:
        """Values of the request itself."""
        return dict(self._values)

    def tune(self, config: Mapping[str, Any]) -> None:
        """Values of an autotune config, weaker than those of the request."""
        self._tuned = dict(config)

    def take(self, name: str) -> Any:
        """The value for a parameter, an assumed one where there is no other; raises KeyError when there is none."""
        if name in self._values:
            text = self._texts[name]
            self.used[name] = Argument(plain(self._values[name]), text.origin, text.file, text.line)
            return self._values[name]
        if name in self._tuned:
            self.used[name] = Argument(plain(self._tuned[name]), "autotune")
            return self._tuned[name]
        value = self._assumed[name]
        self.used[name] = Argument(plain(value), "assumed")
        return value

    def default(self, name: str, value: Any) -> None:
        """Note that a parameter was left to its default."""
        self.used[name] = Argument(plain(value), "default")

    def has(self, name: str) -> bool:
        """Whether there is a value of the request, or an assumed one."""
        return name in self._values or name in self._assumed

    def unused(self, origins: Collection[str] = _ORIGINS) -> list[str]:
        """Names of the request that no level has taken, of the given origins."""
        return sorted(name for name in self._values.keys() - self.used.keys() if self._texts[name].origin in origins)
