"""Puts a range named ``tl:<compile id>`` around each call of a kernel, so that a profile tells which compile ran.

The id is made of the generated source, as `tilescope timeline` makes it of a recording's. torch.profiler gets the
range by ``record_function``, Nsight Systems by NVTX; without a profiler both cost about a microsecond a call.
"""

from __future__ import annotations

import functools
import os
import traceback
import weakref
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from importlib import import_module
from typing import Any

from .names import PREFIX, compile_id


def install(folder: str) -> None:
    """Follow the kernels of the TileLang that has just been imported; failures of ours are logged in ``folder``."""
    kernel_type = import_module("tilelang.jit.kernel").JITKernel
    call, ranges = kernel_type.__call__, _Ranges(folder)

    @functools.wraps(call)
    def wrapped(kernel: Any, *args: Any, **kwargs: Any) -> Any:
        with ranges.around(kernel):
            return call(kernel, *args, **kwargs)

    kernel_type.__call__ = wrapped


class _Ranges:
    def __init__(self, folder: str) -> None:
        self._folder = folder
        self._names: weakref.WeakKeyDictionary[Any, str] = weakref.WeakKeyDictionary()
        self._profiler: Any = None
        self._nvtx: Any = None
        with suppress(ImportError):
            self._profiler = import_module("torch.autograd.profiler")
        with suppress(ImportError, RuntimeError, AttributeError):
            nvtx = import_module("torch.cuda.nvtx")
            nvtx.range_push("tilescope")  # raises where this torch is built without CUDA
            nvtx.range_pop()
            self._nvtx = nvtx

    @contextmanager
    def around(self, kernel: Any) -> Iterator[None]:
        """The ranges of one call; none where its name cannot be told."""
        name = self._name(kernel)
        with ExitStack() as stack:
            if name and self._nvtx is not None:
                self._nvtx.range_push(name)
                stack.callback(self._nvtx.range_pop)
            if name and self._profiler is not None:
                stack.enter_context(self._profiler.record_function(name))
            yield

    def _name(self, kernel: Any) -> str:
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
