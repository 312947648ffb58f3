"""States of an analysis no faster than they can be shown.

A file of many kernels has a new state whenever the compiler has reached a stage of one of them, and showing a state
costs time for all of them: shown one by one, they would keep the loop from answering the client.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator

from tilescope_trace.model import FileFacts

SHARE = 0.25
"""Share of the time that showing may take."""


async def paced(states: AsyncIterator[FileFacts]) -> AsyncGenerator[FileFacts, None]:
    """The states, the last one always among them. What the receiver takes for one (ms for a file with a kernel) is
    followed by a rest in proportion, at whose end the newest state is next: older ones are left out."""
    loop = asyncio.get_running_loop()
    ready = loop.time()
    # Neither here nor below does what is sent to the compiler wait for what else the loop has to do.
    newest = await _following(states)
    coming = asyncio.ensure_future(_following(states))
    try:
        while True:
            rest = ready - loop.time()
            if newest is not None and rest <= 0:
                shown, newest = newest, None
                await asyncio.sleep(0)  # the next state is on its way first
                began = loop.time()
                yield shown
                ready = loop.time() + (loop.time() - began) * (1 / SHARE - 1)
                continue
            await asyncio.wait({coming}, timeout=None if newest is None else rest)
            if not coming.done():
                continue
            state = coming.result()
            if state is None:
                break
            newest = state
            ready = loop.time() if state.complete else ready
            coming = asyncio.ensure_future(_following(states))
        if newest is not None:
            yield newest
    finally:
        coming.cancel()
        await asyncio.wait({coming})


async def _following(states: AsyncIterator[FileFacts]) -> FileFacts | None:
    try:
        return await states.__anext__()
    except StopAsyncIteration:
        return None
