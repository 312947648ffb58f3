"""States come no faster than they can be shown."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator

import pytest

from tilescope_server.pace import paced
from tilescope_trace.errors import UsageError
from tilescope_trace.model import FileFacts


def state(number: int, *, complete: bool = False) -> FileFacts:
    return FileFacts(str(number), None, complete=complete)


async def test_each_state_is_shown_where_showing_costs_nothing() -> None:
    async def states() -> AsyncGenerator[FileFacts, None]:
        for number in range(5):
            await asyncio.sleep(0.01)
            yield state(number)

    assert [facts.file async for facts in paced(states())] == ["0", "1", "2", "3", "4"]


async def test_states_are_left_out_while_one_is_shown_but_never_the_last() -> None:
    async def states() -> AsyncGenerator[FileFacts, None]:
        for number in range(40):
            await asyncio.sleep(0.002)
            yield state(number)
        yield state(40, complete=True)

    shown = []
    async for facts in paced(states()):
        time.sleep(0.02)
        shown.append(int(facts.file))
    assert shown == sorted(shown)
    assert shown[-1] == 40
    assert len(shown) < 20


async def test_a_state_that_nothing_follows_is_not_kept_back() -> None:
    async def states() -> AsyncGenerator[FileFacts, None]:
        yield state(0)
        yield state(1)
        await asyncio.sleep(3600)

    async def until_the_second() -> None:
        async for facts in paced(states()):
            time.sleep(0.01)
            if facts.file == "1":
                return

    await asyncio.wait_for(until_the_second(), 30)


async def test_a_failure_and_the_end_of_the_receiver_reach_the_source() -> None:
    ended = []

    async def states(fails: bool) -> AsyncGenerator[FileFacts, None]:
        try:
            yield state(0)
            if fails:
                raise UsageError("no such target")
            await asyncio.sleep(3600)
        finally:
            ended.append(fails)

    with pytest.raises(UsageError):
        [facts async for facts in paced(states(True))]
    source = states(False)
    task = asyncio.create_task(anext(receiver := paced(source)))
    await task
    await receiver.aclose()
    await source.aclose()
    assert ended == [True, False]
