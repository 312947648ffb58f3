"""Warp accesses of kernels lowered under the real observer."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest
from tests.facts.conftest import elaborate, lower, read_kernel

from tilescope_worker import targets
from tilescope_worker.facts.collect import Collector
from tilescope_worker.spans import SpanRepair
from tilescope_worker.wire.facts import WarpAccess

NO_TMA = {"tl.disable_tma_lower": True, "tl.disable_warp_specialized": True}


@dataclass(frozen=True)
class Lowered:
    """The warp accesses of one kernel, with the text of its file, and the module they were read from."""

    text: str
    accesses: tuple[WarpAccess, ...]
    vectorized: Any

    def line(self, access: WarpAccess) -> str:
        """The text of the line an access is on."""
        assert access.line is not None
        return self.text.splitlines()[access.line - 1].strip()

    def of(self, buffer: str, mode: str, instruction: str | None = None) -> WarpAccess:
        """The only access to ``buffer`` of that direction (and by that instruction)."""
        (found,) = [
            one
            for one in self.accesses
            if (one.buffer, one.mode) == (buffer, mode) and instruction in (None, one.instruction)
        ]
        return found


class _Keep:
    """Keeps the module that instructions are read from."""

    def __init__(self) -> None:
        self.module: Any = None

    def pass_started(self, name: str, mod: Any) -> None:
        pass

    def pass_finished(self, name: str, before: Any, after: Any) -> None:
        if name == "tl.VectorizeLoop":
            self.module = after


def lowered_text(
    path: str, text: str, kernel: str, target: str, configs: dict[str, Any], **arguments: Any
) -> Lowered:
    """Lower a kernel of ``text``, a file at ``path``."""
    func = elaborate(path, text, kernel, arguments)
    collector, keep = Collector(func, targets.resolve(target), target, path), _Keep()
    with SpanRepair() as repair:
        lower(func, target, (repair, collector, keep), configs)
    return Lowered(text, collector.warp_accesses, keep.module)


@pytest.fixture(scope="session")
def lowered() -> Callable[..., Lowered]:
    """``lowered(kernel, target, configs=NO_TMA, **arguments)`` of warp_accesses.py; each is lowered once."""
    known: dict[str, Lowered] = {}

    def of(kernel: str, target: str, configs: dict[str, Any] | None = None, **arguments: Any) -> Lowered:
        key = repr((kernel, target, configs, arguments))
        if key not in known:
            path, text = read_kernel("warp_accesses.py")
            known[key] = lowered_text(path, text, kernel, target, NO_TMA if configs is None else configs, **arguments)
        return known[key]

    return of
