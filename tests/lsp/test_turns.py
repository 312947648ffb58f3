"""Few documents at a time, those that somebody looks at first."""

from __future__ import annotations

import asyncio

import pytest

from tilescope_server.turns import Turns


class Crowd:
    """Documents that hold their turn until they are told to end."""

    def __init__(self, limit: int, patience: float = 1000.0) -> None:
        self.ranks: dict[str, float] = {}
        self.turns = Turns(limit, lambda key: self.ranks.get(key, 0.0), patience)
        self.holding: list[str] = []
        self.tasks: dict[str, asyncio.Task[None]] = {}

    async def begin(self, key: str, rank: float) -> None:
        self.ranks[key] = rank
        self.tasks[key] = asyncio.create_task(self._hold(key))
        await asyncio.sleep(0)
        await asyncio.sleep(0)

    async def end(self, key: str) -> None:
        self.tasks.pop(key).cancel()
        await asyncio.sleep(0.001)

    async def _hold(self, key: str) -> None:
        async with self.turns.turn(key):
            self.holding.append(key)
            try:
                await asyncio.Event().wait()
            finally:
                self.holding.remove(key)


@pytest.fixture
async def crowd():
    crowd = Crowd(limit=1)
    yield crowd
    for key in list(crowd.tasks):
        await crowd.end(key)


async def test_the_most_attended_waits_for_nobody_the_others_for_their_turn_by_attention(crowd: Crowd) -> None:
    await crowd.begin("first", 5)
    await crowd.begin("old", 1)
    await crowd.begin("newer", 2)
    assert crowd.holding == ["first"]
    await crowd.begin("looked at", 9)
    assert crowd.holding == ["first", "looked at"]
    await crowd.end("looked at")
    await crowd.end("first")
    assert crowd.holding == ["newer"]
    await crowd.end("newer")
    assert crowd.holding == ["old"]


async def test_looking_at_a_document_that_waits_lets_it_begin(crowd: Crowd) -> None:
    await crowd.begin("first", 5)
    await crowd.begin("behind", 1)
    assert crowd.holding == ["first"]
    crowd.ranks["behind"] = 6
    crowd.turns.look_again()
    await asyncio.sleep(0.001)
    assert crowd.holding == ["first", "behind"]


async def test_who_is_cancelled_while_waiting_holds_up_nobody(crowd: Crowd) -> None:
    await crowd.begin("first", 5)
    await crowd.begin("second", 2)
    await crowd.begin("third", 1)
    await crowd.end("second")
    await crowd.end("first")
    assert crowd.holding == ["third"]


async def test_work_that_never_ends_keeps_others_waiting_for_a_while_only() -> None:
    crowd = Crowd(limit=1, patience=0.01)
    await crowd.begin("hangs", 5)
    await crowd.begin("waits", 1)
    assert crowd.holding == ["hangs"]
    while "waits" not in crowd.holding:
        await asyncio.sleep(0.005)
    assert crowd.holding == ["hangs", "waits"]
    for key in ("hangs", "waits"):
        await crowd.end(key)
