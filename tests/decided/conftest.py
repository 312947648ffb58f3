"""Lowers kernels up to layout inference and hands out what was decided there, with the compiler's own layouts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import tilelang
import tvm

from tilescope_worker import load, targets
from tilescope_worker.facts.buffers import allocated
from tilescope_worker.facts.collect import LAYOUT_PASSES, Collector
from tilescope_worker.facts.decided import Conflict
from tilescope_worker.facts.layouts import layout_map
from tilescope_worker.observe import Observer
from tilescope_worker.spans import SpanRepair, keep_user_lines
from tilescope_worker.wire.facts import DecidedBy

KERNELS = Path(__file__).parent.parent / "kernels"


@dataclass(frozen=True)
class Decided:
    """What one layout inference decided. ``layouts`` are the compiler's own, as text, ``error`` what it said where
    it failed, and ``conflict`` what is made of that."""

    text: str
    by: dict[str, DecidedBy]
    layouts: dict[str, str]
    error: str | None
    conflict: Conflict | None

    def line(self, piece: str, nth: int = 0) -> int:
        """The line of the nth occurrence of ``piece``."""
        return [i for i, line in enumerate(self.text.splitlines(), 1) if piece in line][nth]

    def reason(self, name: str) -> str:
        return self.by[name].reason


class _Reached(RuntimeError):
    """Nothing after layout inference matters here."""


class _Stop:
    def __init__(self) -> None:
        self.module: Any = None

    def pass_started(self, name: str, mod: Any) -> None:
        pass

    def pass_finished(self, name: str, before: Any, after: Any) -> None:
        if name in LAYOUT_PASSES:
            self.module = after
            raise _Reached


def decide(text: str, path: str, kernel: str, target_name: str, arguments: dict[str, Any]) -> Decided:
    keep_user_lines()
    loaded = load.execute(path, text)
    assert loaded.error is None
    func = loaded.namespace[kernel].get_tir(**arguments)
    target = targets.resolve(target_name)
    collector, stop = Collector(func, target, target_name, path), _Stop()
    error = None
    with SpanRepair() as repair:
        observer = Observer((repair, collector, stop))
        try:
            with tvm.transform.PassContext(opt_level=3, instruments=[observer.instrument]), target:
                tilelang.lower(func, target=target)
        except (RuntimeError, ValueError, AssertionError) as raised:
            error = None if stop.module is not None else str(raised)
    conflict = collector.conflict(error) if error is not None else None
    collector.close()
    layouts: dict[str, str] = {}
    if stop.module is not None:
        known = layout_map(stop.module)
        current = {str(buffer.name): buffer for buffer in allocated(stop.module).values()}
        layouts = {name: str(known[buffer.data]) for name, buffer in current.items() if buffer.data in known}
    by = {
        buffer.name: buffer.layout.decided_by
        for buffer in collector.buffers
        if buffer.layout is not None and buffer.layout.decided_by is not None
    }
    return Decided(text, by, layouts, error, conflict)


@pytest.fixture(scope="session")
def decided() -> Callable[..., Decided]:
    """``decided(file, kernel, target, edit=None, **arguments)``; ``edit`` maps pieces of the text to others."""
    known: dict[str, Decided] = {}

    def of(file: str, kernel: str, target: str, edit: dict[str, str] | None = None, **arguments: Any) -> Decided:
        key = repr((file, kernel, target, edit, arguments))
        if key not in known:
            text = (KERNELS / file).read_text()
            for old, new in (edit or {}).items():
                assert text.count(old) == 1, old
                text = text.replace(old, new)
            known[key] = decide(text, str(KERNELS / file), kernel, target, arguments)
        return known[key]

    return of
