"""One run of `tilescope lint`: from sources to a report, with what a run may change in files."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from tilescope.progress import files as file_progress
from tilescope.session import interpreter_for
from tilescope_server.lint import baseline as baselines
from tilescope_server.lint import settings
from tilescope_server.lint.collect import sources as collect
from tilescope_server.lint.fix import fixed
from tilescope_server.lint.model import Checked, Report, Source
from tilescope_server.lint.report import Reported, gathered, reported
from tilescope_server.lint.run import Runner, findings_only
from tilescope_trace.cache.store import ResultCache, default_folder
from tilescope_trace.config.apply import is_excluded
from tilescope_trace.config.model import Config
from tilescope_trace.config.read import config_for, strictly
from tilescope_trace.errors import UsageError
from tilescope_trace.host import Host, Policy
from tilescope_trace.model import FileFacts, Finding, Options, Snapshot

ROUNDS = 10
"""Fixes that make room for others end well before this."""


def cores() -> int:
    """Processors that this process may use."""
    affinity = getattr(os, "sched_getaffinity", None)
    return len(affinity(0)) if affinity is not None else os.cpu_count() or 1


def here() -> Config:
    """The configuration of the working folder. Raises UsageError for one that is wrong."""
    return strictly(str(Path.cwd() / "any.py"))


def found(paths: Sequence[Path]) -> tuple[Source, ...]:
    """The sources among the paths. Raises UsageError for a path that does not exist, and for a wrong configuration of
    any of them, all at once."""
    taken = collect(paths, lambda path: is_excluded(config_for(path).config, path))
    wrong = dict.fromkeys(
        f"{one.file}:{one.line}:{one.column}: {one.message}"
        for source in taken
        for one in config_for(source.path).findings
    )
    if wrong:
        raise UsageError("\n".join(wrong))
    return taken


def cache_of(asked: settings.Asked, config: Config, *, wanted: bool) -> ResultCache | None:
    """Where results are kept; None where they are not."""
    return ResultCache(settings.cache_folder(asked, config) or default_folder()) if wanted else None


class Linter:
    """Checks sources, again and again where files change; an asynchronous context manager that ends its workers.

    Raises UsageError for an interpreter that does not exist.
    """

    def __init__(
        self,
        asked: settings.Asked,
        *,
        python: str | None,
        jobs: int,
        cache: ResultCache | None,
        keep: Callable[[FileFacts], FileFacts] = findings_only,
        kept: str = "findings",
    ) -> None:
        self.asked = asked
        self.cache = cache
        self._host: Host | None = None
        if not asked.static:
            interpreter = interpreter_for(python, Path.cwd() / "any.py")
            self._host = Host(interpreter.path, Policy(documents=jobs, spares=False))
        self._runner = Runner(self._host, cache, jobs, self._options, keep, kept)

    async def __aenter__(self) -> Linter:
        return self

    async def __aexit__(self, *_: object) -> None:
        if self._host is not None:
            await self._host.close()
        if self.cache is not None:
            self.cache.prune()

    async def check(self, sources: Sequence[Source]) -> list[Checked]:
        """Each file with its facts, in no order."""
        done = []
        with file_progress(len(sources)) as advance:
            async for checked in self._runner.run(sources):
                done.append(checked)
                advance(checked.source.shown)
        return done

    async def report(self, sources: Sequence[Source]) -> list[Reported]:
        """Each file's part of the report."""
        checked = await self.check(sources)
        return [reported(one, settings.selection(self.asked, config_for(one.source.path).config)) for one in checked]

    def _options(self, snapshot: Snapshot) -> Options:
        return settings.options(self.asked, config_for(snapshot.path).config)


@dataclass(frozen=True)
class FixedFile:
    """A source with all of its sure fixes; ``count`` findings are gone."""

    source: Source
    text: str
    count: int


async def fix_all(
    linter: Linter, sources: Sequence[Source], parts: Sequence[Reported]
) -> tuple[list[FixedFile], list[Reported]]:
    """Apply the sure fixes of all files until nothing more is to be fixed; nothing is written. The parts are those of
    the fixed texts. A file in which fixing leaves more errors than there were stays as it was."""
    by_name = {source.shown: source for source in sources}
    now = {part.shown: part for part in parts}
    done: dict[str, FixedFile] = {}
    for _ in range(ROUNDS):
        changed = []
        for name, part in now.items():
            source = done[name].source if name in done else by_name[name]
            result = fixed(source.text or "", [one.finding for one in part.findings if one.finding.fixes])
            if result.done and result.text != source.text:
                changed.append((name, replace(source, text=result.text), len(result.done)))
        if not changed:
            break
        again = {part.shown: part for part in await linter.report([source for _, source, _ in changed])}
        for name, source, count in changed:
            if _errors(again[name]) > _errors(now[name]):
                now[name] = _without_fixes(now[name])
                continue
            before = done[name].count if name in done else 0
            done[name] = FixedFile(source, source.text or "", before + count)
            now[name] = again[name]
    return list(done.values()), list(now.values())


def with_baseline(
    report: Report, parts: Sequence[Reported], path: Path, *, whole: bool, update: bool
) -> tuple[Report, bytes | None]:
    """The report without what the baseline covers, and what the baseline should hold now, None where that is what it
    holds. It shrinks where the run was a ``whole`` one, for files of which nothing was left out; ``update`` makes it
    cover all that there is."""
    folder = path.absolute().parent
    entries = baselines.read(path)
    if update:
        everything = baselines.entries_of(report.findings, report.texts, folder)
        names = {part.shown for part in parts}
        others = baselines.apply((), entries, report.texts, folder, names).entries
        return replace(report, findings=(), baselined=len(report.findings)), baselines.written([*others, *everything])
    checked = [part.shown for part in parts if part.complete] if whole else []
    applied = baselines.apply(report.findings, entries, report.texts, folder, checked)
    kept = replace(report, findings=applied.kept, baselined=applied.baselined)
    shrunk = tuple(sorted(applied.entries)) != tuple(sorted(entries))
    return kept, baselines.written(applied.entries) if shrunk else None


def report_of(parts: Sequence[Reported]) -> Report:
    """The report of all files."""
    return gathered(parts)


def _errors(part: Reported) -> int:
    return sum(one.finding.severity == "error" for one in part.findings)


def _without_fixes(part: Reported) -> Reported:
    def bare(finding: Finding) -> Finding:
        return replace(finding, fixes=())

    return replace(part, findings=tuple(replace(one, finding=bare(one.finding)) for one in part.findings))
