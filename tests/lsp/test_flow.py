"""From an edit to facts, with an analyser that answers when the test says so."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from dataclasses import replace

import pytest

from tilescope_server.flow import Flow
from tilescope_server.session import Document, Session
from tilescope_server.settings import Debounce, Hints, Settings
from tilescope_server.statics import LARGE
from tilescope_server.trust import Trust, decide
from tilescope_trace.errors import UsageError
from tilescope_trace.model import FileFacts, Kernel, Snapshot

URI = "file:///w/gemm.py"


class Bench:
    """A trusted session whose analyser gives ``answers``, and what was shown: (stage, complete, other hints)."""

    def __init__(self) -> None:
        self.answers: list[FileFacts | Exception] = []
        self.shown: list[tuple[str, bool, bool]] = []
        settings = Settings(trusted=True, debounce=Debounce(1, 1))
        self.session = Session(settings, Trust(may_execute=True, interpreter=None), None)
        self.flow = Flow(self.session, self.analyse, self.show)

    async def analyse(self, snapshot: Snapshot) -> AsyncGenerator[FileFacts, None]:
        for answer in self.answers:
            await asyncio.sleep(0)
            if isinstance(answer, Exception):
                raise answer
            yield answer

    def show(self, document: Document, *, hints: bool, own: bool) -> None:
        facts = document.analysis.facts
        assert facts is not None
        self.shown.append((document.analysis.stage, facts.complete, hints))

    async def until_complete(self) -> None:
        while not (self.shown and self.shown[-1][1]):
            await asyncio.sleep(0.001)


@pytest.fixture
async def bench() -> AsyncGenerator[Bench, None]:
    bench = Bench()
    yield bench
    await bench.flow.close()


async def test_static_facts_are_there_before_anything_else_runs(bench: Bench, gemm_text: str) -> None:
    bench.flow.follow(bench.session.open(URI, gemm_text, 1))
    assert bench.shown == [("static", False, False)]


async def test_each_stage_that_changed_something_asks_for_one_refresh(
    bench: Bench, gemm_text: str, compiled_kernel: Kernel, facts
) -> None:
    layouts = replace(compiled_kernel, stage="layouts", status="partial", operations=(), launch=None)
    bench.answers = [
        facts(layouts, complete=False),
        facts(compiled_kernel, complete=False),
        facts(compiled_kernel, complete=True),
    ]
    bench.flow.follow(bench.session.open(URI, gemm_text, 1))
    await bench.until_complete()
    assert bench.shown[0] == ("static", False, False)
    # A state that is overtaken while another is shown may be left out, a stage that differs is told once.
    assert [stage for stage, _, changed in bench.shown if changed] == ["layouts", "lowered"]


async def test_an_analysis_that_fails_leaves_static_facts_and_says_why(bench: Bench, gemm_text: str) -> None:
    bench.answers = [UsageError("there is no interpreter")]
    document = bench.session.open(URI, gemm_text, 1)
    bench.flow.follow(document)
    await bench.until_complete()
    assert document.analysis.problem == "there is no interpreter"
    assert len(document.hints(Hints(parameter=False))) == 5


async def test_broken_text_is_not_compiled(bench: Bench, gemm_text: str) -> None:
    bench.answers = [ZeroDivisionError()]
    document = bench.session.open(URI, gemm_text + "x = (", 1)
    bench.flow.follow(document)
    await asyncio.sleep(0.02)
    assert bench.shown == [("static", True, False)]
    assert document.analysis.problem is None


async def test_a_large_text_is_read_beside_the_loop(gemm_text: str) -> None:
    seen: list[bool] = []
    session = Session(Settings(), decide(Settings()), None)
    flow = Flow(session, None, lambda _, hints, own: seen.append(hints))
    document = session.open(URI, gemm_text + "# long\n" * LARGE, 1)
    flow.follow(document)
    assert seen == []
    while not seen:
        await asyncio.sleep(0.001)
    assert seen == [True]
    assert len(document.hints(Hints(parameter=False))) == 5


async def test_a_document_that_was_closed_meanwhile_is_not_shown(bench: Bench, gemm_text: str, facts) -> None:
    bench.answers = [facts(complete=True)]
    document = bench.session.open(URI, gemm_text, 1)
    bench.flow.follow(document)
    bench.session.close(URI)
    bench.flow.forget(document)
    await asyncio.sleep(0.02)
    assert bench.shown == [("static", False, False)]
