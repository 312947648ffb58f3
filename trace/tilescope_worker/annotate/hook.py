"""Puts a range named ``tl:<compile id>`` around each call of a kernel, so that a profile tells which compile ran.

The id is made of the generated source, as `tilescope timeline` makes it of a recording's. torch.profiler gets the
range by ``record_function``, which costs tens of microseconds and is left out while no profiler runs; Nsight Systems
by NVTX, which costs next to nothing without it.
"""

from __future__ import annotations

import functools
import os
import traceback
import weakref
from collections.abc import Callable
from contextlib import suppress
from importlib import import_module
from typing import Any

from .names import PREFIX, compile_id


def install(folder: str) -> None:
    """Follow the kernels of the TileLang that has just been imported; failures of ours are logged in ``folder``."""
    kernel_type = import_module("tilelang.jit.kernel").JITKernel
    call, ranges = kernel_type.__call__, _Ranges(folder)

    @functools.wraps(call)
    def wrapped(kernel: Any, *args: Any, **kwargs: Any) -> Any:
        name = ranges.name(kernel)
        if not name:
            return call(kernel, *args, **kwargs)
        ranges.push(name)
        try:
            if not ranges.profiled():
                return call(kernel, *args, **kwargs)
            with ranges.recorded(name):
                return call(kernel, *args, **kwargs)
        finally:
            ranges.pop()

    kernel_type.__call__ = wrapped


def _never() -> bool:
    return False


def _nothing(*_: Any) -> None:
    pass


class _Ranges:
    """``push`` and ``pop`` are NVTX's, ``recorded`` is torch's range, ``profiled`` whether a profiler of torch runs;
    what the program's torch does not have does nothing."""

    def __init__(self, folder: str) -> None:
        self._folder = folder
        self._names: weakref.WeakKeyDictionary[Any, str] = weakref.WeakKeyDictionary()
        self.push: Callable[[str], Any] = _nothing
        self.pop: Callable[[], Any] = _nothing
        self.profiled: Callable[[], bool] = _never
        self.recorded: Callable[[str], Any] = _nothing
        with suppress(ImportError, AttributeError):
            self.recorded = import_module("torch.autograd.profiler").record_function
            self.profiled = import_module("torch.autograd")._profiler_enabled
        with suppress(ImportError, RuntimeError, AttributeError):
            nvtx = import_module("torch.cuda.nvtx")
            nvtx.range_push("tilescope")  # raises where this torch is built without CUDA
            nvtx.range_pop()
            self.push, self.pop = nvtx.range_push, nvtx.range_pop

    def name(self, kernel: Any) -> str:
        """The name of a kernel's ranges; empty where its source cannot be told."""
        known = self._names.get(kernel)
        if known is None:
            try:
                known = PREFIX + compile_id(str(kernel.get_kernel_source()))
            except Exception:  # noqa: BLE001 - the program must not notice
                known = ""
                self._complain()
            self._names[kernel] = known
        return known

    def _complain(self) -> None:
        with suppress(OSError), open(os.path.join(self._folder, "hook.log"), "a", encoding="utf-8") as log:  # noqa: PTH118, PTH123
            traceback.print_exc(file=log)
