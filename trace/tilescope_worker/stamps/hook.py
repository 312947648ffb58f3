"""Follows the program's kernels: rewrites the sources of those that the plan names, times all, keeps the stamps.

The folder named by the environment holds ``plan.json`` where there is something to stamp; without it launches are
only timed. What a process leaves there: ``PID.json``, and a file with the buffer of each stamped source.
"""

from __future__ import annotations

import atexit
import functools
import hashlib
import json
import os
import re
import sys
import traceback
import weakref
import zlib
from collections.abc import Callable
from importlib import import_module
from typing import Any

from .driver import Driver
from .timing import SCRATCH_BYTES, Timer

CALLBACK = "tilelang_callback_cuda_postproc"
_PLACEHOLDER = "TILESCOPE_BUFFER"
_MARK = "// tilescope stamps "
_MARKED = re.compile(rf"^{_MARK}([0-9a-f]{{64}})$", re.MULTILINE)
_SYMBOL = re.compile(r"__global__\s+void\s+(?:__launch_bounds__\([^)]*\)\s+)?(\w+)\(")


def install(folder: str) -> None:
    """Follow the TileLang that has just been imported; what is found goes to ``folder``."""
    hook = Hook(folder)
    if hook.stamped:
        hook.rewrite_sources()
    hook.follow_calls()
    atexit.register(hook.quietly, hook.finish)


def symbol_of(source: str) -> str:
    """The name of the first kernel in a source; empty where there is none."""
    found = _SYMBOL.search(source)
    return found[1] if found else ""


class Hook:
    """Follows one process."""

    def __init__(self, folder: str) -> None:
        self.folder = folder
        plan = self._read_plan()
        self.stamped: dict[str, dict[str, Any]] = plan.get("sources", {})
        """By the SHA-256 of a generated source: its text with stamps, and the bytes of buffer it needs."""
        self.layout: dict[str, int] = plan.get("layout", {})
        self.buffers: dict[str, int] = {}
        self.timers: dict[str, Timer] = {}
        self.symbols: dict[str, str] = {}
        self.notes: list[str] = []
        self._driver: Driver | None = None
        self._scratch: int | None = None
        self._keys: weakref.WeakKeyDictionary[Any, str] = weakref.WeakKeyDictionary()
        self._pid = os.getpid()

    def _read_plan(self) -> dict[str, Any]:
        path = os.path.join(self.folder, "plan.json")  # noqa: PTH118
        if not os.path.exists(path):  # noqa: PTH110
            return {}
        with open(path, encoding="utf-8") as file:  # noqa: PTH123
            plan: dict[str, Any] = json.load(file)
        return plan

    @property
    def driver(self) -> Driver:
        """The driver, once a kernel needs it: the program chooses its device first."""
        if self._driver is None:
            self._driver = Driver()
            self._scratch = self._driver.scratch(SCRATCH_BYTES)
        return self._driver

    def rewrite_sources(self) -> None:
        """Have TileLang compile the stamped texts, behind whatever else rewrites its sources."""
        ffi = import_module("tvm_ffi")
        before = ffi.get_global_func(CALLBACK, allow_missing=True)

        def rewrite(code: str, target: Any) -> str:
            source = code if before is None else str(before(code, target))
            try:
                return self.with_stamps(source)
            except Exception as error:  # noqa: BLE001 - the program gets its plain kernel
                self.notes.append(f"{symbol_of(source)}: not stamped: {error}")
                return source

        ffi.register_global_func(CALLBACK, f=rewrite, override=True)

    def with_stamps(self, source: str) -> str:
        """The text to compile for a generated source."""
        key = hashlib.sha256(source.encode()).hexdigest()
        entry = self.stamped.get(key)
        if entry is None:
            return source
        if key not in self.buffers:
            self.buffers[key] = self.driver.memory(entry["bytes"])
        address = f"0x{self.buffers[key]:x}ull"
        return str(entry["text"]).replace(_PLACEHOLDER, address) + f"\n{_MARK}{key}\n"

    def follow_calls(self) -> None:
        """Have every call of a kernel go through `_launch`."""
        kernel_type = import_module("tilelang.jit.kernel").JITKernel
        call = kernel_type.__call__

        @functools.wraps(call)
        def wrapped(kernel: Any, *args: Any, **kwargs: Any) -> Any:
            return self._launch(kernel, functools.partial(call, kernel, *args, **kwargs))

        kernel_type.__call__ = wrapped

    def _launch(self, kernel: Any, launch: Callable[[], Any]) -> Any:
        try:
            timer, stream = self._prepared(kernel)
        except Exception:  # noqa: BLE001 - the program must not notice
            self._complain()
            return launch()
        return launch() if timer is None else timer.run(launch, stream)

    def _prepared(self, kernel: Any) -> tuple[Timer | None, int]:
        """The timer for a launch and its stream; None while a graph is captured. The buffer is cleared."""
        key = self._key(kernel)
        stream = _current_stream()
        if self.driver.is_capturing(stream):
            return None, stream
        if key in self.buffers:
            rows = self.stamped[key]["bytes"] // self.layout["row_bytes"]
            self.driver.clear_rows(
                self.buffers[key], self.layout["row_bytes"], self.layout["header_bytes"], rows, stream
            )
        if key not in self.timers:
            self.timers[key] = Timer(self.driver, self._scratch)
        return self.timers[key], stream

    def _key(self, kernel: Any) -> str:
        known = self._keys.get(kernel)
        if known is None:
            source = str(kernel.get_kernel_source())
            marked = _MARKED.search(source)
            known = marked[1] if marked else hashlib.sha256(source.encode()).hexdigest()
            self._keys[kernel] = known
            self.symbols[known] = symbol_of(source)
        return known

    def finish(self) -> None:
        """Write what there is, at the end of the process that made it."""
        if os.getpid() != self._pid or not (self.timers or self.buffers or self.notes):
            return
        kernels = []
        for key in {**self.timers, **self.buffers}:
            timer = self.timers.get(key)
            entry: dict[str, Any] = {
                "source": key,
                "symbol": self.symbols.get(key, ""),
                "launches": timer.launches if timer else 0,
                "times_us": timer.times_us() if timer else [],
            }
            if key in self.buffers:
                data = self.driver.read(self.buffers[key], self.stamped[key]["bytes"])
                entry["buffer"] = f"{self._pid}-{key[:16]}.bin"
                with open(os.path.join(self.folder, entry["buffer"]), "wb") as file:  # noqa: PTH118, PTH123
                    file.write(zlib.compress(data, 1))
            kernels.append(entry)
        device = self._driver.describe() if self._driver else None
        report = {"pid": self._pid, "device": device, "kernels": kernels, "notes": self.notes}
        with open(os.path.join(self.folder, f"{self._pid}.json"), "w", encoding="utf-8") as file:  # noqa: PTH118, PTH123
            json.dump(report, file)

    def quietly(self, call: Callable[[], None]) -> None:
        """Call it; its failure ends in the log."""
        try:
            call()
        except Exception:  # noqa: BLE001
            self._complain()

    def _complain(self) -> None:
        try:
            with open(os.path.join(self.folder, "hook.log"), "a", encoding="utf-8") as log:  # noqa: PTH118, PTH123
                traceback.print_exc(file=log)
        except Exception:  # noqa: BLE001
            pass


def _current_stream() -> int:
    """The stream that the program's kernels go to: torch's, which TileLang uses as well."""
    torch = sys.modules.get("torch")
    return int(torch.cuda.current_stream().cuda_stream) if torch is not None else 0
