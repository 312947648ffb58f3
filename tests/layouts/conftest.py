"""Kernels lowered as far as layout inference, with the compiler's own layout objects beside the facts."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import tilelang
import tvm

from tilescope_worker import load, targets
from tilescope_worker.facts import layouts
from tilescope_worker.facts.collect import LAYOUT_PASSES, Collector
from tilescope_worker.observe import Observer
from tilescope_worker.wire.facts import Buffer

KERNELS = Path(__file__).parent.parent / "kernels" / "layouts"


class Inferred(NamedTuple):
    """A buffer's facts and the compiler's layout object for it."""

    buffer: Buffer
    layout: Any


class _Stop:
    """Keeps the layouts of the first layout inference and ends the lowering there."""

    def __init__(self, collector: Collector) -> None:
        self.collector = collector
        self.found: dict[str, Any] = {}

    def pass_started(self, name: str, mod: Any) -> None:
        self.collector.pass_started(name, mod)

    def pass_finished(self, name: str, before: Any, after: Any) -> None:
        self.collector.pass_finished(name, before, after)
        if name in LAYOUT_PASSES:
            self.found = {str(data.name): layout for data, layout in layouts.layout_map(after).items()}
            raise RuntimeError


@pytest.fixture(scope="session")
def inferred() -> Callable[[str, str], dict[str, Inferred]]:
    """``inferred(file, target)``: buffers by name with the layouts that the compiler inferred."""
    known: dict[tuple[str, str], dict[str, Inferred]] = {}

    def infer(file: str, target_name: str) -> dict[str, Inferred]:
        if (file, target_name) not in known:
            path = KERNELS / file
            loaded = load.execute(str(path), path.read_text())
            assert loaded.error is None
            func = loaded.namespace["kernel"].get_tir()
            target = targets.resolve(target_name)
            stop = _Stop(Collector(func, target, target_name, str(path)))
            observer = Observer((stop,))
            with (
                tvm.transform.PassContext(opt_level=3, instruments=[observer.instrument]),
                target,
                pytest.raises(RuntimeError),
            ):
                tilelang.lower(func, target=target)
            known[file, target_name] = {
                buffer.name: Inferred(buffer, stop.found[buffer.name])
                for buffer in stop.collector.buffers
                if buffer.name in stop.found
            }
        return known[file, target_name]

    return infer
