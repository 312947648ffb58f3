"""From an edit to facts: static ones at once, compiled ones as they come, each bound to its text."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Protocol

from tilescope_trace.model import FileFacts, Snapshot

from .analysis import Analysis, parses
from .hints import differ
from .scheduler import Analyser, DebouncePolicy, Scheduler
from .session import Document, Session, key_of
from .settings import Settings
from .statics import LARGE, static_facts
from .turns import Turns


class Shown(Protocol):
    """Told of each step. ``hints``: whether hints differ from those the client last asked for by itself; ``own``:
    whether the step follows an edit, after which clients ask by themselves."""

    def __call__(self, document: Document, *, hints: bool, own: bool) -> None: ...


class Flow:
    """Keeps the analyses of a session's documents up to date.

    ``analyser`` is None where the text alone is read.
    """

    def __init__(self, session: Session, analyser: Analyser | None, shown: Shown) -> None:
        self._session = session
        self._analyser = analyser
        self._shown = shown
        self._reading: dict[str, asyncio.Task[None]] = {}
        debounce = session.settings.debounce
        policy = DebouncePolicy(debounce.min_ms, debounce.max_ms)
        turns = Turns(session.settings.worker.parallel, session.attention)
        self._scheduler = (
            None if analyser is None else Scheduler(analyser, self._publish, self._failed, policy, turns)
        )

    def use(self, analyser: Analyser) -> None:
        """Analyse with another analyser from now on."""
        if self._scheduler is not None:
            self._scheduler.analyser = analyser

    def adopt(self, settings: Settings) -> None:
        """Follow other settings from now on."""
        if self._scheduler is not None:
            self._scheduler.policy = DebouncePolicy(settings.debounce.min_ms, settings.debounce.max_ms)
            self._scheduler.turns.limit = settings.worker.parallel
            self._scheduler.turns.look_again()

    def attend(self, uri: str) -> None:
        """Somebody looks at a document or edits it: it comes before others from now on."""
        if self._session.attend(uri) and self._scheduler is not None:
            self._scheduler.turns.look_again()

    def refresh(self, document: Document) -> None:
        """Analyse the text again, since something that it depends on has changed: what is known of it is stale."""
        document.outdate()
        self.follow(document, changed=True)

    def follow(self, document: Document, *, at_once: bool = False, changed: bool = False) -> None:
        """Analyse the document's present text; ``at_once`` skips the wait for further edits; ``changed`` is
        whether something else than the text has."""
        key, snapshot = key_of(document.uri), document.snapshot
        if len(snapshot.text) <= LARGE:
            self._stop_reading(key)
            self._read(
                document, snapshot, static_facts(snapshot, self._session.options_for(snapshot.path)), at_once=at_once
            )
            self._shown(document, hints=changed, own=not changed)
        else:
            if self._scheduler is not None:
                self._scheduler.cancel(key)
            if key not in self._reading:
                self._reading[key] = asyncio.create_task(self._read_in_thread(document, at_once=at_once))

    def forget(self, document: Document) -> asyncio.Task[None] | None:
        """Stop working on a closed document; its analysis is returned while it has not ended."""
        key = key_of(document.uri)
        self._stop_reading(key)
        return self._scheduler.drop(key) if self._scheduler is not None else None

    async def close(self) -> None:
        """Stop everything and wait until it has ended."""
        for key in list(self._reading):
            self._stop_reading(key)
        if self._scheduler is not None:
            await self._scheduler.close()

    def _read(
        self, document: Document, snapshot: Snapshot, read: tuple[FileFacts, str | None], *, at_once: bool
    ) -> None:
        facts, problem = read
        compiles = self._scheduler is not None and bool(facts.kernels) and parses(facts)
        if not document.inform(snapshot, replace(facts, complete=not compiles), problem) or self._scheduler is None:
            return
        if compiles:
            self._scheduler.submit(key_of(document.uri), snapshot, at_once=at_once)
        else:
            self._scheduler.cancel(key_of(document.uri))

    async def _read_in_thread(self, document: Document, *, at_once: bool) -> None:
        """Read the newest text until there is none newer. One thread a document: a reading cannot be stopped, and
        several at once would hold up everything else."""
        while True:
            snapshot = document.snapshot
            read = await asyncio.to_thread(static_facts, snapshot, self._session.options_for(snapshot.path))
            if document.snapshot is snapshot:
                break
        self._reading.pop(key_of(document.uri), None)
        before = document.analysis
        self._read(document, snapshot, read, at_once=at_once)
        # Who has not asked since the edit has still to do so.
        hints = document.asked is None or (document.asked and self._differ(document, before))
        self._shown(document, hints=hints, own=False)

    def _publish(self, key: str, snapshot: Snapshot, facts: FileFacts) -> None:
        document = self._session.get(key)
        if document is None or document.snapshot is not snapshot:
            return
        before = document.analysis
        document.inform(snapshot, facts)
        self._shown(document, hints=self._differ(document, before), own=False)

    def _failed(self, key: str, snapshot: Snapshot, why: str) -> None:
        document = self._session.get(key)
        facts = document.analysis.facts if document is not None else None
        if document is None or facts is None:
            return
        if document.inform(snapshot, replace(facts, complete=True), why):
            self._shown(document, hints=True, own=False)

    def _differ(self, document: Document, before: Analysis) -> bool:
        return differ(before, document.analysis, self._session.settings.hints, document.heat_on)

    def _stop_reading(self, key: str) -> None:
        task = self._reading.pop(key, None)
        if task is not None:
            task.cancel()
