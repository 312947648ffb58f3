"""Newest text wins, documents do not wait for each other, stale work is cancelled."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator

import pytest

from tilescope_server.scheduler import DebouncePolicy, Scheduler
from tilescope_trace.model import FileFacts, Snapshot


class Analyser:
    """Yields two states; texts with an event wait for it between them."""

    def __init__(self) -> None:
        self.started: list[str] = []
        self.cancelled: list[str] = []
        self.gates: dict[str, asyncio.Event] = {}

    async def __call__(self, snapshot: Snapshot) -> AsyncGenerator[FileFacts, None]:
        self.started.append(snapshot.text)
        try:
            yield FileFacts(snapshot.path, None, complete=False)
            if snapshot.text in self.gates:
                await self.gates[snapshot.text].wait()
            if snapshot.text == "bug":
                raise ZeroDivisionError("one over nothing")
            yield FileFacts(snapshot.path, None)
        except (asyncio.CancelledError, GeneratorExit):
            self.cancelled.append(snapshot.text)
            raise


class Desk:
    """A scheduler with what it published."""

    def __init__(self) -> None:
        self.analyser = Analyser()
        self.seen: list[tuple[str, str, bool]] = []
        self.errors: list[tuple[str, str]] = []
        self.scheduler = Scheduler(self.analyser, self.publish, self.failed, DebouncePolicy.fixed(1))

    def publish(self, key: str, snapshot: Snapshot, facts: FileFacts) -> None:
        self.seen.append((key, snapshot.text, facts.complete))

    def failed(self, key: str, snapshot: Snapshot, why: str) -> None:
        self.errors.append((key, why))

    def submit(self, key: str, text: str) -> None:
        self.scheduler.submit(key, Snapshot(key, text))

    async def until(self, *expected: tuple[str, str, bool]) -> None:
        while not set(expected) <= set(self.seen):
            await asyncio.sleep(0.001)


@pytest.fixture
async def desk() -> AsyncGenerator[Desk, None]:
    desk = Desk()
    yield desk
    await desk.scheduler.close()


async def test_only_the_newest_text_of_a_burst_is_analysed(desk: Desk) -> None:
    for text in ("a", "ab", "abc"):
        desk.submit("f", text)
    await desk.until(("f", "abc", True))
    assert desk.analyser.started == ["abc"]


async def test_newer_text_cancels_older_work_and_nothing_stale_is_published(desk: Desk) -> None:
    desk.analyser.gates["old"] = asyncio.Event()
    desk.submit("f", "old")
    await desk.until(("f", "old", False))
    desk.submit("f", "new")
    desk.analyser.gates["old"].set()
    await desk.until(("f", "new", True))
    assert desk.analyser.cancelled == ["old"]
    assert ("f", "old", True) not in desk.seen


async def test_a_document_that_hangs_delays_no_other(desk: Desk) -> None:
    desk.analyser.gates["hang"] = asyncio.Event()
    desk.submit("f", "hang")
    await desk.until(("f", "hang", False))
    desk.submit("g", "fine")
    await desk.until(("g", "fine", True))
    assert ("f", "hang", True) not in desk.seen


async def test_a_dropped_document_is_cancelled(desk: Desk) -> None:
    desk.analyser.gates["x"] = asyncio.Event()
    desk.submit("f", "x")
    await desk.until(("f", "x", False))
    desk.scheduler.drop("f")
    await desk.scheduler.close()
    assert desk.analyser.cancelled == ["x"]


async def test_an_analysis_that_raises_is_reported_and_the_next_one_runs(desk: Desk) -> None:
    desk.submit("f", "bug")
    await desk.until(("f", "bug", False))
    while not desk.errors:
        await asyncio.sleep(0.001)
    assert desk.errors == [("f", "the analysis failed: one over nothing")]
    desk.submit("f", "good")
    await desk.until(("f", "good", True))


async def test_a_slow_document_is_known_as_slow_although_it_is_always_overtaken(desk: Desk) -> None:
    desk.analyser.gates["slow"] = asyncio.Event()
    for _ in range(2):
        desk.seen.clear()
        desk.submit("f", "slow")
        await desk.until(("f", "slow", False))
        await asyncio.sleep(0.05)
    desk.submit("f", "fast")
    await desk.until(("f", "fast", True))
    assert desk.analyser.cancelled == ["slow", "slow"]
    assert DebouncePolicy(0, 400).delay_ms(list(desk.scheduler.recent("f"))[:1]) >= 25


def test_the_wait_follows_recent_analysis_times() -> None:
    policy = DebouncePolicy(min_ms=30, max_ms=400, ratio=0.5)
    assert policy.delay_ms([]) == 30
    assert policy.delay_ms([100, 100, 9000]) == 50
    assert policy.delay_ms([4000]) == 400
    assert policy.delay_ms([1]) == 30
