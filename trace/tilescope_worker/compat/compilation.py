"""Compiles that user code asks for, at import or inside a factory, are caught: nothing is built, cached or run."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any


class KernelCalledError(RuntimeError):
    """User code has called a kernel, which needs a device that nobody asks for here."""


@dataclass(frozen=True)
class PendingKernel:
    """Stands for a compiled kernel in user code. It holds what would have been compiled and cannot be run."""

    prim_func: Any
    pass_configs: dict[Any, Any] = field(default_factory=dict)
    compile_flags: tuple[str, ...] = ()

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
    ``wanted`` says so. ``tilelang.compile``, kernel calls and the autotuner all end in the places replaced here."""
    jit: Any = importlib.import_module("tilelang.jit")
    tuner: Any = importlib.import_module("tilelang.autotuner.tuner")
    cached, tuned_call = jit.cached, tuner.AutoTuneImpl.__call__

    def pending(func: Any, *_: object, **options: Any) -> PendingKernel:
        flags = options.get("compile_flags") or ()
        kernel = PendingKernel(
            func, dict(options.get("pass_configs") or {}), (flags,) if isinstance(flags, str) else tuple(flags)
        )
        if wanted is not None and wanted(kernel):
            raise CompileRequested(kernel)
        return kernel

    def first_config(tuned: Any, *args: Any, **kwargs: Any) -> Any:
        config = dict(config_of(tuned, args, kwargs))
        jit_impl, own = tuned.jit_impl, tuned.jit_impl.pass_configs
        jit_impl.pass_configs = {**(own or {}), **(config.pop("pass_configs", None) or {})} or None
        try:
            return jit_impl(*args, **{**config, **kwargs})
        finally:
            jit_impl.pass_configs = own

    jit.cached, tuner.AutoTuneImpl.__call__ = pending, first_config
    try:
        yield
    finally:
        jit.cached, tuner.AutoTuneImpl.__call__ = cached, tuned_call


def config_of(tuned: Any, args: tuple[Any, ...] = (), kwargs: dict[str, Any] | None = None) -> dict[str, Any]:
    """The first autotune config, of a list or of a callable of the kernel's arguments; empty when there is none.
    Raises what the callable raises."""
    configs = tuned.configs
    if callable(configs):
        configs = configs(*args, **(kwargs or {}))
    for config in configs or ():
        return dict(config)
    return {}
