"""Follows TileLang in a user's program: what is built, compiled, found in a cache and chosen by the autotuner.

Only functions that run when a kernel is built or compiled are wrapped. A call of a kernel that exists already passes
none of them, and costs nothing more than without the hook.
"""

from __future__ import annotations

# ruff: noqa: ARG002 - what is called around a function gets all that there is
import functools
import os
import threading
from collections.abc import Callable
from contextlib import suppress
from importlib import import_module
from typing import Any

from .frames import caller
from .notes import Notes, Origin, identity
from .parts import Part
from .values import flags_of, plain_configs, tagged

After = Callable[[tuple[Any, ...], dict[str, Any], Any, "BaseException | None"], None]


def install(folder: str) -> None:
    """Wrap what TileLang, which has just been imported, builds and compiles kernels with. What a version does not
    have is left out; notes go to ``folder``."""
    module = import_module("tilelang")
    compiler = os.path.join(os.path.dirname(os.path.abspath(module.__file__ or "")), "")  # noqa: PTH100, PTH118, PTH120
    hook = _Hook(Part(folder), Notes(compiler))
    for place in (hook.definitions, hook.jits, hook.compiles, hook.lowerings, hook.tuners):
        hook.quietly(place)


class _Local(threading.local):
    """Of each thread: how deep in compiles it is, and how the innermost one got its kernel."""

    depth = 0
    outcome: str | None = None


class _Hook:
    def __init__(self, part: Part, notes: Notes) -> None:
        self.part = part
        self.notes = notes
        self.local = _Local()
        self.tuning: dict[int, tuple[str, int] | None] = {}
        """Jit functions that are being tuned, by identity, with who asked for it."""

    def definitions(self) -> None:
        builder = import_module("tilelang.language.eager.builder")
        self._wrap(builder, "mutate", before=lambda args, _: self.notes.defined(args[0]))

    def jits(self) -> None:
        jit = import_module("tilelang.jit").JITImpl
        self._wrap(jit, "__post_init__", after=lambda args, *_: self.notes.decorated(args[0]))
        self._wrap(jit, "get_tir", after=self._built)

    def compiles(self) -> None:
        for name in ("tilelang.jit", "tilelang.cache"):
            self._wrap(import_module(name), "cached", self._enter, self._compiled)
        kernel = import_module("tilelang.jit.kernel").JITKernel
        self._wrap(kernel, "__init__", self._enter, self._kernel_made)

    def lowerings(self) -> None:
        module = import_module("tilelang.engine.lower")
        if hasattr(module, "lower_with_context"):
            self._wrap(module, "lower_with_context", after=self._lowered)

    def tuners(self) -> None:
        tuner = import_module("tilelang.autotuner.tuner").AutoTuner
        self._wrap(tuner, "run", self._tuning, self._tuned)

    def _built(self, args: tuple[Any, ...], kwargs: dict[str, Any], func: Any, error: BaseException | None) -> None:
        if func is not None and self.notes.origins.get(func) is not None:
            return  # TileLang gave the same one again
        jit, *rest = args
        origin = self.notes.built(jit, tuple(rest), kwargs, func)
        if func is not None:
            self.notes.origins.set(func, origin)
        self._add(
            origin, None, "built" if error is None else "failed", jit.target, jit.pass_configs, jit.compile_flags
        )

    def _enter(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        if not self.local.depth:
            self.local.outcome = None
        self.local.depth += 1

    def _compiled(
        self, args: tuple[Any, ...], kwargs: dict[str, Any], kernel: Any, error: BaseException | None
    ) -> None:
        self.local.depth -= 1
        if self.local.depth:
            return
        func = args[0] if args else kwargs.get("func")
        outcome = "failed" if error is not None else self.local.outcome or "memory"
        target = getattr(kernel, "target", None) or kwargs.get("target")
        self._add(self.notes.of(func), func, outcome, target, kwargs.get("pass_configs"), kwargs.get("compile_flags"))

    def _kernel_made(
        self, args: tuple[Any, ...], kwargs: dict[str, Any], _: Any, error: BaseException | None
    ) -> None:
        self.local.depth -= 1
        self.local.outcome = "disk" if kwargs.get("from_database") else "compiled"
        if not self.local.depth:
            kernel = args[0]
            func = kernel.prim_func
            outcome = "failed" if error is not None else self.local.outcome
            self._add(self.notes.of(func), func, outcome, kernel.target, kernel.pass_configs, kernel.compile_flags)

    def _lowered(self, args: tuple[Any, ...], kwargs: dict[str, Any], _: Any, error: BaseException | None) -> None:
        if self.local.depth:
            return
        configs = import_module("tvm.transform").PassContext.current().config
        func, context = args[0], args[1]
        self._add(
            self.notes.of(func), func, "compiled" if error is None else "failed", context.target, dict(configs), None
        )

    def _tuning(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        self.tuning[id(_function_of(args[0].fn))] = caller(self.notes.compiler)

    def _tuned(self, args: tuple[Any, ...], kwargs: dict[str, Any], result: Any, error: BaseException | None) -> None:
        tuner = args[0]
        asked = self.tuning.pop(id(_function_of(tuner.fn)), None)
        if error is not None or getattr(result, "config", None) is None:
            return
        func, kernel = getattr(result, "func", None), getattr(result, "kernel", None)
        origin = self.notes.of(func) or self._from_tuner(tuner, dict(result.config))
        if origin is None:
            return
        origin.caller = asked or origin.caller
        configs = {**dict(tuner.compile_args.pass_configs or {}), **(result.config.get("pass_configs") or {})}
        target = getattr(kernel, "target", None) or tuner.compile_args.target
        self._add(origin, func, "winner", target, configs, getattr(kernel, "compile_flags", None))

    def _from_tuner(self, tuner: Any, config: dict[str, Any]) -> Origin | None:
        """The winner of a tuning that was read from disk: nothing was built for it in this process."""
        function = _function_of(tuner.fn)
        positional, named = getattr(tuner, "_kernel_parameters", None) or ((), ())
        names = list(function.__code__.co_varnames[: function.__code__.co_argcount])
        if getattr(tuner.fn, "tensor_args", None):
            return None
        config.pop("pass_configs", None)
        given = {**dict(zip(names, positional, strict=False)), **dict(named), **config}
        file, qualname, line = identity(function)
        configs, flags = self.notes.settings.get(tuner.fn) or ({}, [])
        return Origin(
            file,
            qualname,
            line,
            {name: tagged(value) for name, value in given.items()},
            None,
            configs,
            flags,
            function,
        )

    def _add(self, origin: Origin | None, func: Any, outcome: str, target: Any, configs: Any, flags: Any) -> None:
        if origin is None:
            return
        attrs = dict(getattr(func, "attrs", None) or {})
        own = {**plain_configs(attrs.get("tilelang_pass_configs")), **origin.configs}
        own_flags = [*flags_of(attrs.get("tilelang_compile_flags")), *origin.flags]
        given = plain_configs(configs)
        where = origin.caller or self.tuning.get(id(origin.jit))
        self.part.add(
            {
                "file": origin.file,
                "qualname": origin.qualname,
                "line": origin.line,
                "args": origin.args,
                "caller": list(where) if where is not None else None,
                "outcome": outcome,
                "target": _target(target),
                "pass_configs": {key: value for key, value in given.items() if key not in own or own[key] != value},
                "compile_flags": [flag for flag in flags_of(flags) if flag not in own_flags],
                "tuning": id(origin.jit) in self.tuning,
            }
        )

    def quietly(self, call: Callable[..., None] | None, *values: Any) -> None:
        """Call it, if there is one; its failure ends in the log, since the program must not notice."""
        try:
            if call is not None:
                call(*values)
        except Exception:  # noqa: BLE001
            self.part.complain()

    def _wrap(
        self,
        owner: Any,
        name: str,
        before: Callable[[tuple[Any, ...], dict[str, Any]], None] | None = None,
        after: After | None = None,
    ) -> None:
        """Have ``before`` and ``after`` called around a function of TileLang; their own failures end in the log."""
        original, quietly = getattr(owner, name), self.quietly

        @functools.wraps(original)
        def wrapped(*args: Any, **kwargs: Any) -> Any:
            quietly(before, args, kwargs)
            try:
                result = original(*args, **kwargs)
            except BaseException as error:
                # The traceback that the program prints has no line of ours (from Python 3.11 on: before, `raise`
                # brings the line back).
                if error.__traceback__ is not None:
                    error.__traceback__ = error.__traceback__.tb_next
                quietly(after, args, kwargs, None, error)
                raise
            quietly(after, args, kwargs, result, None)
            return result

        setattr(owner, name, wrapped)


def _function_of(tuned: Any) -> Any:
    """The Python function that an AutoTuner works on."""
    return getattr(tuned, "orig_func", None) or tuned


def _target(target: Any) -> dict[str, str] | None:
    """Kind and architecture of a target in any of its forms; None where it is left to the machine."""
    if target is None or target == "auto":
        return None
    if isinstance(target, str):
        return {"text": target}
    if isinstance(target, dict):
        return {str(key): str(value) for key, value in target.items()}
    found = {"kind": str(target.kind.name)}
    for key in ("arch", "mcpu"):
        with suppress(Exception):
            if (value := target.attrs.get(key)) is not None:
                found[key] = str(value)
    return found
