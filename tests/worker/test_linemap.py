"""Marks for the line map leave the printed text as the compiler prints it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
import tilelang
import tvm

from tilescope_worker import load, targets
from tilescope_worker.observe import Observer, PassRun
from tilescope_worker.texts import PassTexts, Printer
from tilescope_worker.wire.messages import Event, PassEnded, PassText

from .conftest import KERNELS

PATH = KERNELS / "staged_gemm.py"


@pytest.fixture(scope="module")
def printed() -> Iterator[list[tuple[PassRun, str, PassText]]]:
    """Each pass that changed something, what the compiler printed when it ended, and what was sent of it later."""
    func = load.execute(str(PATH), PATH.read_text()).namespace["matmul"].get_tir()
    target = targets.resolve("cuda:sm_90a")
    at_once: list[tuple[PassRun, str]] = []
    observer = Observer(
        compare=True, ended=lambda run: at_once.append((run, run.after.module.script() if run.after else ""))
    )
    with tvm.transform.PassContext(opt_level=3, instruments=[observer.instrument]), target:
        tilelang.lower(func, target=target)
    events: list[Event] = []
    texts = PassTexts(0, events.append, Printer())
    for run in observer.runs:
        texts.ended(run)
    by_hash = {event.hash: event for event in events if isinstance(event, PassText)}
    after = {event.index: event.after or "" for event in events if isinstance(event, PassEnded)}
    yield [(run, script, by_hash[after[run.index]]) for run, script in at_once if run.changed]
    load.forget(str(PATH))


def test_text_is_what_the_compiler_printed_when_the_pass_ended(printed: list[tuple[PassRun, str, PassText]]) -> None:
    assert len(printed) > 30
    for run, script, sent in printed:
        assert sent.text == script, run.name


def test_every_changed_text_of_the_device_has_python_lines(printed: list[tuple[PassRun, str, PassText]]) -> None:
    for run, _, sent in printed:
        if run.module != "host" and run.name not in ("tl.LetInline", "tl.Simplify"):
            assert str(PATH) in sent.files, run.name
            assert len(sent.lines) >= 6, run.name
