"""Lowers kernels of tests/kernels under the real observer and hands out the facts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import tilelang
import tvm
from tilelang.transform.pass_config import normalize_pass_configs

from tilescope_worker import load, targets
from tilescope_worker.facts.collect import Collector
from tilescope_worker.observe import Observer
from tilescope_worker.spans import SpanRepair, keep_user_lines
from tilescope_worker.wire.facts import Buffer, Launch, Operation

KERNELS = Path(__file__).parent.parent / "kernels"


@dataclass(frozen=True)
class Facts:
    """The facts of one lowering, with the text of the kernel's file to look up lines in."""

    text: str
    launch: Launch
    buffers: tuple[Buffer, ...]
    operations: tuple[Operation, ...]
    stage: str
    source: str

    def line(self, piece: str, nth: int = 0) -> int:
        """The line of the nth occurrence of ``piece`` in the file."""
        return [i for i, line in enumerate(self.text.splitlines(), 1) if piece in line][nth]

    def buffer(self, name: str) -> Buffer:
        (found,) = [buffer for buffer in self.buffers if buffer.name == name]
        return found

    def at(self, piece: str, kind: str | None = None, nth: int = 0) -> Operation:
        """The operation on the line that contains ``piece``."""
        line = self.line(piece, nth)
        (found,) = [op for op in self.operations if op.line == line and kind in (None, op.kind)]
        return found


def read_kernel(file: str, edit: dict[str, str] | None = None) -> tuple[str, str]:
    """Path and text of a kernel file, the text with the replacements of ``edit``."""
    path = KERNELS / file
    text = path.read_text()
    for old, new in (edit or {}).items():
        assert old in text
        text = text.replace(old, new)
    return str(path), text


def elaborate(path: str, text: str, kernel: str, arguments: dict[str, Any]) -> Any:
    keep_user_lines()
    loaded = load.execute(path, text)
    assert loaded.error is None
    return loaded.namespace[kernel].get_tir(**arguments)


def lower(func: Any, target_name: str, listeners: tuple[Any, ...], configs: dict[str, Any]) -> Any:
    target = targets.resolve(target_name)
    observer = Observer(listeners)
    config = normalize_pass_configs(configs)
    with tvm.transform.PassContext(opt_level=3, config=config, instruments=[observer.instrument]), target:
        return tilelang.lower(func, target=target)


@pytest.fixture(scope="session")
def facts_of() -> Callable[..., Facts]:
    """``facts_of(file, kernel, target, configs=None, edit=None, **arguments)``; each combination is lowered once."""
    known: dict[str, Facts] = {}

    def facts(
        file: str,
        kernel: str,
        target: str,
        configs: dict[str, Any] | None = None,
        edit: dict[str, str] | None = None,
        **arguments: Any,
    ) -> Facts:
        key = repr((file, kernel, target, configs, edit, arguments))
        if key not in known:
            path, text = read_kernel(file, edit)
            func = elaborate(path, text, kernel, arguments)
            collector = Collector(func, targets.resolve(target), target, path)
            with SpanRepair() as repair:
                artifact = lower(func, target, (repair, collector), configs or {})
            collector.finished(artifact)
            assert collector.launch is not None
            known[key] = Facts(
                text,
                collector.launch,
                collector.buffers,
                collector.operations,
                collector.stage_reached,
                artifact.kernel_source,
            )
        return known[key]

    return facts
