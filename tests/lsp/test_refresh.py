"""A client is asked to fetch again at most once at a time, and never too seldom."""

from __future__ import annotations

import asyncio

from tilescope_server.features.refresh import Refresh


async def test_what_changes_while_the_client_answers_is_told_once_behind_the_answer() -> None:
    asked = 0
    answers: list[asyncio.Event] = []

    async def send() -> None:
        nonlocal asked
        asked += 1
        answers.append(asyncio.Event())
        await answers[-1].wait()

    refresh = Refresh(send)
    for _ in range(5):
        refresh.ask()
        await asyncio.sleep(0.001)
    assert asked == 1
    answers[0].set()
    await asyncio.sleep(0.01)
    assert asked == 2
    answers[1].set()
    await asyncio.sleep(0.01)
    assert asked == 2
    refresh.ask()
    await asyncio.sleep(0.001)
    assert asked == 3
    answers[2].set()
    await asyncio.sleep(0.001)


async def test_a_client_that_refuses_is_asked_again_the_next_time() -> None:
    asked = 0

    async def send() -> None:
        nonlocal asked
        asked += 1
        raise RuntimeError("method not found")

    refresh = Refresh(send)
    for _ in range(2):
        refresh.ask()
        await asyncio.sleep(0.01)
    assert asked == 2
