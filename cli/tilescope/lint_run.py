"""A run of `tilescope lint`: what the command line asks for, done and shown."""

from __future__ import annotations

import functools
import os
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn

from tilescope.lint_output import Reports, echo_text, statistics
from tilescope.linting import Linter, cache_of, fix_all, found, report_of, with_baseline
from tilescope.output import note
from tilescope.watching import watch as watching
from tilescope_server.lint import settings
from tilescope_server.lint.add_ignore import with_ignores
from tilescope_server.lint.changed import affected, changed_since
from tilescope_server.lint.collect import from_text
from tilescope_server.lint.fix import diff
from tilescope_server.lint.formats import FOR_PEOPLE, Context
from tilescope_server.lint.formats.json import dumped
from tilescope_server.lint.formats.wording import counted, summary
from tilescope_server.lint.model import Report, Source
from tilescope_server.lint.report import Reported
from tilescope_server.lint.select import at_least
from tilescope_server.lint.shard import Shard
from tilescope_server.lint.written import write_back
from tilescope_trace.config.model import Config
from tilescope_trace.errors import UsageError
from tilescope_trace.whole import write_whole

STDIN = "-"


@dataclass(frozen=True)
class Run:
    """What the command line asks for, beside the settings of `Asked`."""

    asked: settings.Asked
    config: Config
    output_format: str
    reports: Reports
    python: str | None
    jobs: int
    cache: bool
    exit_zero: bool
    fix: bool
    diff: bool
    add_ignore: bool
    update_baseline: bool
    statistics: bool
    matrix: bool
    shard: Shard | None
    quiet: bool
    watch: bool


def refuse_mixed(run: Run, paths: tuple[Path, ...]) -> None:
    """Raise UsageError for options that cannot go together."""
    if run.fix and run.add_ignore:
        raise UsageError("--fix and --add-ignore cannot go together: fix first, then ignore what is left")
    if run.update_baseline and settings.baseline(run.asked, run.config) is None:
        raise UsageError("--update-baseline: name the file with --baseline, or in lint.baseline of the configuration")
    if run.watch and (run.fix or run.add_ignore or run.update_baseline or Path(STDIN) in paths):
        raise UsageError("--watch only shows: it goes with no PATH -, --fix, --diff, --add-ignore, --update-baseline")
    if run.matrix:
        run.reports.refuse_lost_matrix()
    if run.statistics and run.output_format not in (*FOR_PEOPLE, "json"):
        raise UsageError(f"--statistics --format {run.output_format}: statistics are text or json")
    if Path(STDIN) in paths and (len(paths) > 1 or run.add_ignore):
        raise UsageError("PATH - is read from stdin and stands alone, without --add-ignore")


def sources_of(paths: tuple[Path, ...], stdin_name: str | None, revision: str | None) -> tuple[Source, ...]:
    """The files of the paths, or the text on stdin; with a revision, those that differ from it. Raises UsageError."""
    if paths == (Path(STDIN),):
        return (from_text(sys.stdin.buffer.read(), stdin_name),)
    sources = found(paths or (Path(),))
    if revision is None:
        return sources
    return affected(sources, changed_since(revision, Path.cwd()))


def _linter(run: Run) -> Linter:
    cache = cache_of(run.asked, run.config, wanted=run.cache)
    return Linter(run.asked, python=run.python, jobs=run.jobs, cache=cache)


async def keep_watching(
    run: Run, paths: tuple[Path, ...], sources: Sequence[Source], read: Callable[[], Sequence[Source]]
) -> NoReturn:
    """Check again whenever a file has changed, until interrupted. ``read`` finds the files anew."""
    async with _linter(run) as linter:

        async def once(now: Sequence[Source]) -> None:
            report, _ = _finished(run, await linter.report(now))
            _print(run, report)
            sys.stdout.flush()

        await watching(paths or (Path(),), sources, read, once, functools.partial(_say, run))


async def lint_once(run: Run, sources: tuple[Source, ...]) -> int:
    """Check the files, show what was found, and return the exit code."""
    if run.fix and any(source.piped and source.cells is not None for source in sources):
        raise UsageError("--fix: notebooks are only read: name the file, or leave --fix out")
    async with _linter(run) as linter:
        parts = await linter.report(sources)
        fixed_count = 0
        if run.fix:
            before = {source.shown: source.text or "" for source in sources}
            unfixed = {part.shown: part for part in parts}
            fixed, parts = await fix_all(linter, sources, parts)
            for one in sorted(fixed, key=lambda one: one.source.shown):
                if run.diff:
                    echo_text("".join(diff(before[one.source.shown], one.text, one.source.shown)))
                if run.diff or one.source.piped or _written(one.source, before[one.source.shown], one.text):
                    fixed_count += one.count
                else:
                    parts = [unfixed[part.shown] if part.shown == one.source.shown else part for part in parts]
    if run.diff:
        _say(run, f"would fix {counted(fixed_count, 'finding')}" if fixed_count else "nothing to fix")
        return int(fixed_count > 0 and not run.exit_zero)
    if run.add_ignore:
        return _add_ignores(run, sources, parts)
    report, code = _finished(run, parts)
    piped = run.fix and any(source.piped for source in sources)
    if piped:
        echo_text("".join(text for part in parts for text in part.texts.values()))
    _print(run, report, err=piped)
    if fixed_count:
        _say(run, f"fixed {counted(fixed_count, 'finding')}")
    return code


def _written(source: Source, before: str, after: str) -> bool:
    """Write a changed file; False, having said why, where it stays as it was. The other files go on."""
    try:
        write_back(source.path, before, after)
    except UsageError as error:
        note(str(error))
        return False
    return True


def _add_ignores(run: Run, sources: tuple[Source, ...], parts: list[Reported]) -> int:
    by_name = {source.shown: source for source in sources}
    added = left = 0
    for part in sorted(parts, key=lambda part: part.shown):
        source = by_name[part.shown]
        if source.text is None or source.cells is not None or not part.findings:  # notebooks are only read
            left += len(part.findings)
            continue
        result = with_ignores(source.text, [one.finding for one in part.findings])
        done = result.done if result.text == source.text or _written(source, source.text, result.text) else 0
        added += done
        left += len(part.findings) - done
    rest = f"; {left} have no line that can hold a comment" if left else ""
    _say(run, f"suppressed {counted(added, 'finding')}{rest}")
    return int(left > 0 and not run.exit_zero)


def _finished(run: Run, parts: list[Reported]) -> tuple[Report, int]:
    report = report_of(parts)
    path = settings.baseline(run.asked, run.config)
    if path is not None:
        if not path.exists() and not run.update_baseline:
            raise UsageError(f"there is no baseline {path}; --update-baseline makes one")
        asked = run.asked
        part_only = (
            asked.select,
            asked.ignore,
            asked.targets,
            asked.pass_configs,
            asked.specialization,
            asked.static,
        )
        # What is gone while a file is being edited may come back.
        whole = not any(part_only) and not run.watch
        report, data = with_baseline(report, parts, path, whole=whole, update=run.update_baseline)
        if data is not None:
            _write(path, data)
    level = settings.fail_level(run.asked, run.config)
    failed = any(at_least(one.finding.severity, level) for one in report.findings)
    return report, int(failed and not run.exit_zero)


def _print(run: Run, report: Report, *, err: bool = False) -> None:
    context = Context(
        level=settings.fail_level(run.asked, run.config),
        colour=(sys.stderr if err else sys.stdout).isatty() and not os.environ.get("NO_COLOR"),
        shard=f"{run.shard.number}/{run.shard.count}" if run.shard else None,
        matrix=run.matrix,
    )
    if run.statistics:
        shown = statistics(report, as_json=run.output_format == "json")
        echo_text(shown if isinstance(shown, str) else dumped(shown), err=err)
    else:
        run.reports.write(report, context, err=err)
    _say(run, summary(report))


def _say(run: Run, text: str) -> None:
    if not run.quiet:
        note(text)


def _write(path: Path, data: bytes) -> None:
    try:
        write_whole(path, data)
    except OSError as error:
        raise UsageError(f"cannot write {path}: {error.strerror or error}") from None
