"""Checks files: from the cache where nothing changed, else in workers side by side."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable, Sequence
from dataclasses import dataclass

from tilescope_trace.analyse import analyse
from tilescope_trace.cache.identity import tilelang_identity
from tilescope_trace.cache.key import key_of
from tilescope_trace.cache.store import ResultCache
from tilescope_trace.errors import UsageError
from tilescope_trace.host import Host
from tilescope_trace.model import FileFacts, Finding, Options, Snapshot
from tilescope_trace.rules.analysis import syntax_error
from tilescope_trace.source.imports import workspace_of
from tilescope_trace.source.plan import plan_file

from .model import Checked, Source

OptionsFor = Callable[[Snapshot], Options]
"""The options for a file: those of the run, with the file's configuration. Raises UsageError."""


@dataclass(frozen=True)
class Runner:
    """What checks files. ``host`` is None where nothing may be executed, ``cache`` where nothing is kept; ``jobs``
    files are compiled at a time."""

    host: Host | None
    cache: ResultCache | None
    jobs: int
    options: OptionsFor

    async def run(self, sources: Sequence[Source]) -> AsyncGenerator[Checked, None]:
        """Each file's result as soon as it is there, in no order. Raises UsageError for what the options ask of no
        file."""
        identity = tilelang_identity(self.host.interpreter) if self.host is not None else None
        waiting = []
        for source in sources:
            # Reading is cheap and starts no process: what the cache knows is there before the first worker is.
            done, key = await asyncio.to_thread(self._known, source, identity)
            if done is not None:
                yield done
            else:
                waiting.append((source, key))
        turns = asyncio.Semaphore(self.jobs)
        tasks = [asyncio.create_task(self._compiled(source, key, turns)) for source, key in waiting]
        try:
            for task in asyncio.as_completed(tasks):
                yield await task
        finally:
            for one in tasks:
                one.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    def _known(self, source: Source, identity: str | None) -> tuple[Checked | None, str | None]:
        """The result where it is known without a worker, else the key to keep it under."""
        if source.text is None:
            return Checked(source, _unreadable(source)), None
        snapshot = Snapshot(source.path, source.text)
        options = self.options(snapshot)
        try:
            plan = plan_file(snapshot, options)
        except UsageError as error:
            return Checked(source, FileFacts(source.path, None, findings=(_refused(source, str(error)),))), None
        cacheable = self.cache is not None and not (self.host is not None and identity is None)
        if self.cache is None or not cacheable or not plan.requests:
            return None, None
        key = key_of(snapshot, plan, None if options.static else identity)
        facts = self.cache.get(key, workspace_of(source.path))
        return (Checked(source, facts, cached=True) if facts is not None else None), key

    async def _compiled(self, source: Source, key: str | None, turns: asyncio.Semaphore) -> Checked:
        async with turns:
            snapshot = Snapshot(source.path, source.text or "")
            facts = [facts async for facts in analyse(snapshot, self.options(snapshot), self.host)][-1]
            if self.host is not None:
                await self.host.forget(source.path)
        if key is not None and self.cache is not None and _is_lasting(facts):
            await asyncio.to_thread(self.cache.put, key, facts, workspace_of(source.path))
        return Checked(source, facts)


def _is_lasting(facts: FileFacts) -> bool:
    """Whether the same text would give the same result again: a worker that was killed may fare better."""
    findings = [*facts.findings, *(finding for kernel in facts.kernels for finding in kernel.findings)]
    return not any(finding.code in ("TS004", "TS005") for finding in findings)


def _unreadable(source: Source) -> FileFacts:
    problem = source.problem or f"{source.shown} cannot be read"
    return FileFacts(source.path, None, findings=(_refused(source, problem),))


def _refused(source: Source, message: str) -> Finding:
    rule = syntax_error.RULE
    return Finding(rule.code, rule.severity, source.path, 1, 1, 1, 2, message)
