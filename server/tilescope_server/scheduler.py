"""When to analyse what: newest text wins per document, documents do not wait for each other.

The scheduler knows neither the protocol nor the compiler: it is given an analyser and told what to call with results.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections import deque
from collections.abc import AsyncGenerator, Callable, Iterable, Sequence
from contextlib import aclosing
from dataclasses import dataclass
from typing import Protocol

from tilescope_trace.errors import UsageError
from tilescope_trace.model import FileFacts, Snapshot

from .pace import paced
from .turns import Turns

log = logging.getLogger(__name__)

CANCEL_SECONDS = 5.0
"""How long newer work waits for cancelled work of the same document to end (a worker is killed within 50 ms)."""


@dataclass(frozen=True)
class DebouncePolicy:
    """How long to wait after an edit: ``ratio`` of the median of recent analysis times, between ``min_ms`` and
    ``max_ms``. A kernel that compiles in 100 ms is analysed 50 ms after the last key, one of 4 s after 400 ms."""

    min_ms: float = 30.0
    max_ms: float = 400.0
    ratio: float = 0.5

    @classmethod
    def fixed(cls, ms: float) -> DebouncePolicy:
        """Always the same wait; for tests."""
        return cls(min_ms=ms, max_ms=ms)

    def delay_ms(self, recent_ms: Sequence[float]) -> float:
        """The wait after an edit, given how long the last analyses of the document took."""
        wanted = _median(recent_ms) * self.ratio if recent_ms else self.min_ms
        return min(max(wanted, self.min_ms), self.max_ms)


class Analyser(Protocol):
    """Yields each newer state of a snapshot's facts; the last has ``complete`` set."""

    def __call__(self, snapshot: Snapshot) -> AsyncGenerator[FileFacts, None]: ...


class Scheduler:
    """At most one analysis per document, and of documents as many as ``turns`` admits; ``publish(key, snapshot,
    facts)`` is called for states of the newest snapshot, and for no other; ``failed(key, snapshot, why)`` when an
    analysis raises."""

    def __init__(
        self,
        analyser: Analyser,
        publish: Callable[[str, Snapshot, FileFacts], None],
        failed: Callable[[str, Snapshot, str], None],
        policy: DebouncePolicy,
        turns: Turns | None = None,
    ) -> None:
        self.analyser = analyser
        self._publish = publish
        self._failed = failed
        self.policy = policy
        self.turns = turns or Turns(1 << 16, lambda _: 0.0)
        self._running: dict[str, asyncio.Task[None]] = {}
        self._ending: set[asyncio.Task[None]] = set()
        self._recent: dict[str, deque[float]] = {}

    def submit(self, key: str, snapshot: Snapshot, *, at_once: bool = False) -> None:
        """Analyse ``snapshot`` instead of any older one of ``key``; ``at_once`` skips the debounce."""
        older = self._stop(key)
        recent = self._recent.setdefault(key, deque(maxlen=7))
        delay_ms = 0.0 if at_once else self.policy.delay_ms(recent)
        self._running[key] = asyncio.create_task(self._run(key, snapshot, delay_ms, older))

    def recent(self, key: str) -> tuple[float, ...]:
        """How long the last analyses of a document took, in ms, the oldest first; overtaken ones at least
        that long."""
        return tuple(self._recent.get(key, ()))

    def drop(self, key: str) -> asyncio.Task[None] | None:
        """Forget a document; its analysis is cancelled, and returned while it has not ended."""
        self._recent.pop(key, None)
        return self._stop(key)

    def cancel(self, key: str) -> None:
        """Stop the analysis of a text that is out of date, without a newer one to analyse."""
        self._stop(key)

    async def close(self) -> None:
        """Cancel everything and wait until it has ended."""
        for key in list(self._running):
            self._stop(key)
        if self._ending:
            await asyncio.wait(set(self._ending))

    def _stop(self, key: str) -> asyncio.Task[None] | None:
        task = self._running.pop(key, None)
        if task is None or task.done():
            return None
        task.cancel()
        self._ending.add(task)
        task.add_done_callback(self._ending.discard)
        return task

    async def _run(self, key: str, snapshot: Snapshot, delay_ms: float, older: asyncio.Task[None] | None) -> None:
        if delay_ms:
            await asyncio.sleep(delay_ms / 1000)
        if older is not None:
            await asyncio.wait({older}, timeout=CANCEL_SECONDS)
        async with self.turns.turn(key):
            await self._analyse(key, snapshot)

    async def _analyse(self, key: str, snapshot: Snapshot) -> None:
        started = time.monotonic()
        try:
            async with aclosing(self.analyser(snapshot)) as states, aclosing(paced(states)) as shown:
                async for facts in shown:
                    if self._running.get(key) is not asyncio.current_task():
                        return
                    self._publish(key, snapshot, facts)
        except UsageError as error:
            self._failed(key, snapshot, str(error))
        except asyncio.CancelledError:
            # Overtaken: it would have taken at least that long. Who types on meanwhile would never be known as slow.
            self._took(key, started, at_least=True)
            raise
        except Exception as error:
            log.exception("analysis of %s failed", key)
            self._failed(key, snapshot, f"the analysis failed: {error}")
        else:
            self._took(key, started)

    def _took(self, key: str, started: float, *, at_least: bool = False) -> None:
        recent, ms = self._recent.get(key), (time.monotonic() - started) * 1000
        if recent is not None and (not at_least or not recent or ms > _median(recent)):
            recent.append(ms)


def _median(values: Iterable[float]) -> float:
    from statistics import median  # slow to import: not at every start

    return median(values)
