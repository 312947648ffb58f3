"""Checks files: from the cache where nothing changed, else in workers side by side."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncGenerator, Callable, Sequence
from dataclasses import dataclass, replace

from tilescope_trace.analyse import analyse
from tilescope_trace.cache.identity import tilelang_identity
from tilescope_trace.cache.store import ResultCache
from tilescope_trace.errors import UsageError
from tilescope_trace.host import Host
from tilescope_trace.model import FileFacts, Finding, Options, Snapshot
from tilescope_trace.rules.analysis import internal_error, syntax_error
from tilescope_trace.source.imports import workspace_of
from tilescope_trace.source.plan import FilePlan, plan_file
from tilescope_trace.source.workspace import shared_workspace

from .keys import Keys
from .model import Checked, Source

OptionsFor = Callable[[Snapshot], Options]
"""The options for a file: those of the run, with the file's configuration. Raises UsageError."""
Keep = Callable[[FileFacts], FileFacts]
"""What is kept of a file's facts."""


@dataclass(frozen=True)
class Runner:
    """What checks files. ``host`` is None where nothing may be executed, ``cache`` where nothing is kept; ``jobs``
    files are compiled at a time. Of each file's facts ``keep`` chooses what is wanted, under the name ``kept``."""

    host: Host | None
    cache: ResultCache | None
    jobs: int
    options: OptionsFor
    keep: Keep
    kept: str

    async def run(self, sources: Sequence[Source]) -> AsyncGenerator[Checked, None]:
        """Each file's result as soon as it is there, in no order. A file that cannot be checked has a finding that
        says why; nothing is raised for it."""
        identity = tilelang_identity(self.host.interpreter) if self.host is not None else None
        keeps = self.cache is not None and (self.host is None or identity is not None)
        memory = Keys(self.cache.folder, identity, self.kept) if self.cache is not None and keeps else None
        await asyncio.to_thread(_look_again, sources)
        waiting = []
        for source in sources:
            # Reading is cheap and starts no process: what the cache knows is there before the first worker is.
            known = await asyncio.to_thread(self._known, source, memory)
            if isinstance(known, Checked):
                yield known
            else:
                waiting.append(known)
        if memory is not None:
            await asyncio.to_thread(memory.save)
        # The longest first: at the end no worker waits for another.
        waiting.sort(key=lambda one: -len(one.plan.requests))
        turns = asyncio.Semaphore(self.jobs)
        tasks = [asyncio.create_task(self._compiled(one, turns)) for one in waiting]
        try:
            for task in asyncio.as_completed(tasks):
                yield await task
        finally:
            for one in tasks:
                one.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    def _known(self, source: Source, memory: Keys | None) -> Checked | _Waiting:
        """The result where it is known without a worker, else what is needed to get it."""
        if source.text is None:
            problem = source.problem or f"{source.shown} cannot be read"
            return Checked(source, _refused(source, problem))
        snapshot = Snapshot(source.path, source.text)
        workspace = workspace_of(source.path)
        try:
            options = self.options(snapshot)
            known = memory.remembered(snapshot, options, workspace) if memory is not None else None
            if self.cache is not None and known is not None:
                facts = self.cache.get(known, workspace)
                if facts is not None:
                    return Checked(source, facts, cached=True)
            plan = plan_file(snapshot, options, shared_workspace(snapshot.path))
            waiting = _Waiting(source, snapshot, options, plan)
            if self.cache is None or memory is None or not plan.requests:
                return waiting
            key = memory.found(snapshot, options, plan, workspace)
            if key is None:
                return waiting
            facts = self.cache.get(key, workspace)
        except UsageError as error:
            return Checked(source, _refused(source, str(error)))
        except Exception as error:  # noqa: BLE001 - one file must not cost the others
            return Checked(source, _failed(source, error))
        return Checked(source, facts, cached=True) if facts is not None else replace(waiting, key=key)

    async def _compiled(self, waiting: _Waiting, turns: asyncio.Semaphore) -> Checked:
        async with turns:
            source = waiting.source
            try:
                found = analyse(waiting.snapshot, waiting.options, self.host, plan=waiting.plan)
                facts = self.keep([facts async for facts in found][-1])
            except UsageError:
                raise
            except Exception as error:  # noqa: BLE001 - one file must not cost the others
                return Checked(source, _failed(source, error))
            finally:
                if self.host is not None:
                    await self.host.forget(source.path)
            if waiting.key is not None and self.cache is not None and _is_lasting(facts):
                await asyncio.to_thread(self.cache.put, waiting.key, facts, workspace_of(source.path))
            return Checked(source, facts)


@dataclass(frozen=True)
class _Waiting:
    """A file that has to be analysed; ``key`` is None where the result is not to be kept."""

    source: Source
    snapshot: Snapshot
    options: Options
    plan: FilePlan
    key: str | None = None


def _look_again(sources: Sequence[Source]) -> None:
    """Have what an earlier run of this process knows of the files around the sources looked at again."""
    known = {id(files): files for one in sources if (files := shared_workspace(one.path)) is not None}
    for files in known.values():
        if files.indexed:
            files.refresh()


def findings_only(facts: FileFacts) -> FileFacts:
    """The facts without those that only led to the findings."""
    kernels = (
        replace(kernel, launch=None, buffers=(), operations=(), accesses=(), coverage=(), warp_accesses=())
        for kernel in facts.kernels
    )
    return replace(facts, kernels=tuple(kernels))


def _is_lasting(facts: FileFacts) -> bool:
    """Whether the same text would give the same result again: a worker that was killed may fare better."""
    findings = [*facts.findings, *(finding for kernel in facts.kernels for finding in kernel.findings)]
    return not any(finding.code in ("TS004", "TS005") for finding in findings)


def _refused(source: Source, message: str) -> FileFacts:
    rule = syntax_error.RULE
    return FileFacts(
        source.path, None, findings=(Finding(rule.code, rule.severity, source.path, 1, 1, 1, 2, message),)
    )


def _failed(source: Source, error: Exception) -> FileFacts:
    if os.environ.get("TILESCOPE_DEBUG"):
        raise error
    return FileFacts(source.path, None, findings=(internal_error.finding(source.path, error),))
