"""Where a process leaves what it noted: one file each, a line at a time, so that nothing is lost with the process."""

from __future__ import annotations

import json
import os
import sys
import threading
import traceback
from typing import Any

_LIMIT = 20_000
"""Different notes of one process; more come from a program that makes a kernel per call, and tell nothing new."""


class Part:
    """Appends notes to a file of this process in ``folder``. A note that was made before is only counted, and said
    again at powers of two. Never raises an Exception."""

    def __init__(self, folder: str) -> None:
        self._folder = folder
        self._lock = threading.Lock()
        self._seen: dict[str, int] = {}
        if hasattr(os, "register_at_fork"):
            os.register_at_fork(after_in_child=self._forked)

    def add(self, note: dict[str, Any]) -> None:
        try:
            line = json.dumps(note, sort_keys=True)
            with self._lock:
                count = self._seen.get(line, 0) + 1
                if count == 1 and len(self._seen) >= _LIMIT:
                    return
                self._seen[line] = count
            if count & (count - 1) == 0:
                self._append(json.dumps({**note, "count": count, "python": sys.executable}) + "\n")
        except Exception:  # noqa: BLE001 - the program must not notice
            self.complain()

    def complain(self) -> None:
        """Keep the traceback of a failure of ours."""
        try:
            with open(os.path.join(self._folder, "hook.log"), "a", encoding="utf-8") as log:  # noqa: PTH118, PTH123
                traceback.print_exc(file=log)
        except Exception:  # noqa: BLE001
            pass

    def _append(self, line: str) -> None:
        path = os.path.join(self._folder, f"{os.getpid()}.jsonl")  # noqa: PTH118
        # One write per line: what a killed process leaves is whole lines, but for the last one at most.
        descriptor = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
        try:
            os.write(descriptor, line.encode())
        finally:
            os.close(descriptor)

    def _forked(self) -> None:
        # Another thread of the parent may have held the lock.
        self._lock = threading.Lock()
