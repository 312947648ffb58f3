"""Compiles that user code asks for, at import or inside a factory, are caught: nothing is built, tuned or run."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any


class KernelCalledError(RuntimeError):
    """User code has called a kernel, which needs a device that nobody asks for here."""


@dataclass(frozen=True)
class PendingKernel:
    """Stands for a compiled kernel in user code: it holds what would have been compiled, with the arguments that
    the autotuner would have tried first, and cannot be run."""

    prim_func: Any
    pass_configs: dict[Any, Any] = field(default_factory=dict)
    compile_flags: tuple[str, ...] = ()
    tuned: dict[str, Any] = field(default_factory=dict)

    def __call__(self, *_: object, **__: object) -> Any:
        raise KernelCalledError("a kernel was called, but kernels are not run while a file is analysed")

    def get_kernel_source(self, *_: object, **__: object) -> str:
        """Empty: nothing is generated here."""
        return ""


class CompileRequested(BaseException):
    """Unwinds a factory at the compile of the kernel that is looked for; no ``except Exception`` swallows it."""

    def __init__(self, kernel: PendingKernel) -> None:
        super().__init__("compile requested")
        self.kernel = kernel


@contextmanager
def intercept_compiles(wanted: Callable[[PendingKernel], bool] | None = None) -> Iterator[None]:
    """Within it, every compile through TileLang gives a PendingKernel, or raises CompileRequested where
    ``wanted`` says so. ``tilelang.compile``, kernel calls and both ways to autotune end in what is replaced here."""
    jit: Any = importlib.import_module("tilelang.jit")
    tuner: Any = importlib.import_module("tilelang.autotuner.tuner")
    catching = _Catching(wanted)
    replaced = [
        (jit, "cached", catching.compile),
        (tuner.AutoTuneImpl, "__call__", lambda *args, **kwargs: catching.call_tuned(*args, **kwargs)),
        (tuner.AutoTuner, "run", lambda *args, **_: catching.run_tuner(args[0])),
        (tuner.AutoTuner, "set_compile_args", lambda *args, **kwargs: _keep_compile_args(args[0], **kwargs)),
    ]
    originals = [(owner, name, getattr(owner, name)) for owner, name, _ in replaced]
    for owner, name, value in replaced:
        setattr(owner, name, value)
    try:
        yield
    finally:
        for owner, name, value in originals:
            setattr(owner, name, value)


class _Catching:
    def __init__(self, wanted: Callable[[PendingKernel], bool] | None) -> None:
        self._wanted = wanted
        self._tuned: dict[str, Any] = {}

    def compile(self, func: Any, *_: object, **options: Any) -> PendingKernel:
        flags = options.get("compile_flags") or ()
        kernel = PendingKernel(
            func,
            dict(options.get("pass_configs") or {}),
            (flags,) if isinstance(flags, str) else tuple(flags),
            dict(self._tuned),
        )
        if self._wanted is not None and self._wanted(kernel):
            raise CompileRequested(kernel)
        return kernel

    def call_tuned(self, tuned: Any, *args: Any, **kwargs: Any) -> Any:
        """What a call of an autotuned kernel does, with its first config."""
        config = config_of(tuned, args, kwargs)
        jit_impl, own = tuned.jit_impl, tuned.jit_impl.pass_configs
        jit_impl.pass_configs = {**(own or {}), **(config.pop("pass_configs", None) or {})} or None
        with self._tuning(config):
            try:
                return jit_impl(*args, **{**config, **kwargs})
            finally:
                jit_impl.pass_configs = own

    def run_tuner(self, tuner: Any) -> Any:
        """What ``AutoTuner.from_kernel(...).run()`` gives, with its first config."""
        config = config_of(tuner)
        configs = dict(getattr(getattr(tuner, "compile_args", None), "pass_configs", None) or {})
        configs |= config.pop("pass_configs", None) or {}
        with self._tuning(config):
            built = tuner.fn(**config)
            kernel = built if isinstance(built, PendingKernel) else self.compile(built, pass_configs=configs)
        return SimpleNamespace(kernel=kernel, config=config, func=kernel.prim_func, latency=None, ref_latency=None)

    @contextmanager
    def _tuning(self, config: dict[str, Any]) -> Iterator[None]:
        before, self._tuned = self._tuned, config
        try:
            yield
        finally:
            self._tuned = before


def _keep_compile_args(tuner: Any, **options: Any) -> Any:
    """The original looks for the device that the target ``auto`` means."""
    tuner.compile_args = SimpleNamespace(pass_configs=options.get("pass_configs"))
    return tuner


def config_of(tuned: Any, args: tuple[Any, ...] = (), kwargs: dict[str, Any] | None = None) -> dict[str, Any]:
    """The first autotune config, of a list or of a callable of the kernel's arguments; empty when there is none.
    Raises what the callable raises."""
    configs = tuned.configs
    if callable(configs):
        configs = configs(*args, **(kwargs or {}))
    for config in configs or ():
        return dict(config)
    return {}
