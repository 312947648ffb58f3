"""Stands between TileLang's code generators and the compilers behind them."""

from __future__ import annotations

import json
import os
import re
import sys
import threading
from importlib import import_module
from pathlib import Path
from typing import Any

from .files import Resolved, resolve

NOTES = ".notes"
"""The folder in which each process notes what became of its sources, a line each."""

_CALLBACKS = {
    "tilelang_callback_cuda_postproc": "cu",
    "tilelang_callback_cutedsl_postproc": "py",
    "tilelang_callback_hip_postproc": "hip",
    "tilelang_callback_metal_postproc": "metal",
    "tilelang_callback_ascend_postproc": "cpp",
}
"""What the code generators call with their text before they go on with it, and the file suffix of the language. The C
and WebGPU generators call nothing."""

_SYMBOLS = (
    re.compile(r"__global__\s+(?:__aicore__\s+)?void\s+(?:__launch_bounds__\([^)]*\)\s+)?(\w+)\s*\("),
    re.compile(r"\bkernel\s+void\s+(\w+)\s*\("),
    re.compile(r"^@cute\.kernel\s+def (\w+)\(", re.MULTILINE),
)
"""How a kernel begins in CUDA, HIP and Ascend's C++; in Metal; in CuTe's Python."""


def install(folder: str) -> None:
    """Have the sources of the TileLang that has just been imported go through the files in ``folder``."""
    edits = _Edits(Path(folder))
    for name, suffix in _CALLBACKS.items():
        edits.follow(name, suffix)


class _Edits:
    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._lock = threading.Lock()
        if hasattr(os, "register_at_fork"):
            os.register_at_fork(after_in_child=self._forked)
        self._names: dict[str, Path] = {}
        """The file of each source that this process has generated."""

    def _forked(self) -> None:
        """A thread of the parent that held the lock is not in the child."""
        self._lock = threading.Lock()

    def follow(self, callback: str, suffix: str) -> None:
        """Stand behind whatever else rewrites the sources of a generator."""
        ffi = import_module("tvm_ffi")
        before = ffi.get_global_func(callback, allow_missing=True)

        def rewrite(code: str, *more: Any) -> str:
            source = str(code) if before is None else str(before(code, *more))
            with self._lock:
                return self._replaced(source, suffix)

        ffi.register_global_func(callback, f=rewrite, override=True)

    def _replaced(self, source: str, suffix: str) -> str:
        path = self._path(source, suffix)
        try:
            resolved = resolve(path, source)
        except (OSError, UnicodeDecodeError) as error:
            self._note({"file": path.name, "outcome": "unreadable", "said": str(error)})
            return source
        self._tell(path, resolved)
        return resolved.text

    def _path(self, source: str, suffix: str) -> Path:
        """The file of a source: named after its first kernel, and numbered in the order in which a process generates
        different sources of that name."""
        known = self._names.get(source)
        if known is None:
            name = next((found[1] for symbol in _SYMBOLS if (found := symbol.search(source))), "kernel")
            taken = {path.name for path in self._names.values()}
            number = 1
            while (file := f"{name}.{number}.{suffix}" if number > 1 else f"{name}.{suffix}") in taken:
                number += 1
            known = self._names[source] = self._folder / file
        return known

    def _tell(self, path: Path, resolved: Resolved) -> None:
        self._note({"file": path.name, "outcome": resolved.outcome, "conflicts": resolved.conflicts})

    def _note(self, note: dict[str, Any]) -> None:
        folder = self._folder / NOTES
        try:
            folder.mkdir(parents=True, exist_ok=True)
            with open(folder / f"{os.getpid()}.jsonl", "a", encoding="utf-8") as file:  # noqa: PTH123
                file.write(json.dumps(note) + "\n")
        except OSError as error:
            # The program goes on: it has nothing to do with our folder.
            sys.stderr.write(f"tilescope: cannot note what became of {note['file']}: {error}\n")
