"""Whose turn it is: few documents are compiled at a time, those that somebody looks at first."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

PATIENCE_SECONDS = 5.0
"""After that long, work that goes on keeps nobody waiting any more."""


@dataclass(eq=False)
class _Ticket:
    key: str
    admitted: asyncio.Event = field(default_factory=asyncio.Event)


class Turns:
    """At most ``limit`` holders at a time, in the order of ``rank(key)``, highest first. The one that ranks highest
    of all never waits, and whoever has held for ``patience`` seconds counts no more."""

    def __init__(self, limit: int, rank: Callable[[str], float], patience: float = PATIENCE_SECONDS) -> None:
        self.limit = limit
        self._rank = rank
        self._patience = patience
        self._waiting: list[_Ticket] = []
        self._holding: set[_Ticket] = set()

    @asynccontextmanager
    async def turn(self, key: str) -> AsyncGenerator[None, None]:
        """Wait for the turn of ``key`` and hold it."""
        ticket = _Ticket(key)
        self._waiting.append(ticket)
        self.look_again()
        overdue: asyncio.TimerHandle | None = None
        try:
            await ticket.admitted.wait()
            overdue = asyncio.get_running_loop().call_later(self._patience, self._end, ticket)
            yield
        finally:
            if overdue is not None:
                overdue.cancel()
            self._end(ticket)

    def look_again(self) -> None:
        """Admit whoever may begin; to be called when ranks or the limit have changed."""
        self._waiting.sort(key=lambda ticket: -self._rank(ticket.key))
        for ticket in list(self._waiting):
            if len(self._holding) >= self.limit and not self._is_foremost(ticket):
                continue
            self._waiting.remove(ticket)
            self._holding.add(ticket)
            ticket.admitted.set()

    def _is_foremost(self, ticket: _Ticket) -> bool:
        others = (other for other in (*self._holding, *self._waiting) if other.key != ticket.key)
        return all(self._rank(other.key) < self._rank(ticket.key) for other in others)

    def _end(self, ticket: _Ticket) -> None:
        if ticket in self._waiting:
            self._waiting.remove(ticket)
        self._holding.discard(ticket)
        self.look_again()
