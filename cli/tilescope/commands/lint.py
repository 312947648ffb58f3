"""`tilescope lint`: what the rules find in the kernels of files and folders."""

from __future__ import annotations

import asyncio
import functools
import os
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn

import click

from tilescope.explain import explain
from tilescope.lint_output import Reports, echo_text, reports_of, statistics
from tilescope.linting import Linter, cache_of, cores, fix_all, found, here, report_of, with_baseline
from tilescope.options import pass_config_values, python_option
from tilescope.output import echo_json, note
from tilescope.show_config import show_config
from tilescope.watching import watch as watching
from tilescope_server.lint import settings
from tilescope_server.lint.add_ignore import with_ignores
from tilescope_server.lint.changed import affected, changed_since
from tilescope_server.lint.collect import from_text
from tilescope_server.lint.fix import diff
from tilescope_server.lint.formats import AUTO, FOR_PEOPLE, FORMATS, Context, chosen
from tilescope_server.lint.formats.wording import counted, summary
from tilescope_server.lint.model import Report, Source
from tilescope_server.lint.report import Reported
from tilescope_server.lint.select import LEVELS, at_least, checked_codes
from tilescope_server.lint.shard import Shard, parse_shard
from tilescope_server.lint.written import write_back
from tilescope_trace.config.model import Config
from tilescope_trace.errors import UsageError
from tilescope_trace.source.targets import normalise

STDIN = "-"

EPILOG = """\b
Examples:
  tilescope lint
  tilescope lint kernels --target cuda:sm_80 --target cuda:sm_90a
  tilescope lint kernels --select TS2,TS3 --ignore TS211 --format github
  tilescope lint --changed-since origin/main --static
  tilescope lint kernels --fix --diff
  tilescope lint kernels --matrix --target cuda:sm_90a --target hip:gfx942 --format markdown
  tilescope lint --shard 1/4 --format json -o part1.json
  tilescope lint --explain TS203

\b
Exit codes:
  0  nothing found at or above --fail-level
  1  findings
  2  bad usage, or a path that does not exist
"""


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


@click.command(epilog=EPILOG)
@click.argument("paths", metavar="PATH...", nargs=-1, type=click.Path(path_type=Path, allow_dash=True))
@click.option(
    "--select", multiple=True, metavar="CODES", help="Report these rules only: codes or beginnings of codes."
)
@click.option("--extend-select", multiple=True, metavar="CODES", help="Report these rules too.")
@click.option("--ignore", multiple=True, metavar="CODES", help="Do not report these rules.")
@click.option(
    "--target", "targets", multiple=True, metavar="T", help="Check for this target.  Give it again for more."
)
@click.option(
    "--pass-config", "pass_configs", multiple=True, metavar="K=V", help="TileLang pass config of all kernels."
)
@click.option("--specialization", type=click.Choice(["all", "first"]), help="Which of each kernel's.  [default: all]")
@click.option("--static", is_flag=True, help="Execute nothing: only what the text says, for code nobody vouches for.")
@click.option("--changed-since", metavar="REV", help="Only files that differ from a git revision, or import such.")
@click.option("--fail-level", type=click.Choice(LEVELS), help="Severity from which on to fail.  [default: warning]")
@click.option("--exit-zero", is_flag=True, help="Exit with 0 also where something was found.")
@click.option(
    "--format",
    "--output-format",
    "output_format",
    type=click.Choice([*FORMATS, AUTO]),
    default="text",
    show_default=True,
    help="Form of the output; text is full, auto that of the CI service.",
)
@click.option("-o", "--output", metavar="FILE", type=click.Path(path_type=Path), help="Write the output to a file.")
@click.option("--report", "reports", multiple=True, metavar="FORMAT=FILE", help="Write a further output to a file.")
@click.option("--matrix", is_flag=True, help="Show which kernels lower for which targets, and why not.")
@click.option("--statistics", is_flag=True, help="Show how often each rule was broken.")
@click.option("--fix", is_flag=True, help="Apply the sure fixes.")
@click.option("--diff", "show_diff", is_flag=True, help="Show what --fix would change; change nothing.")
@click.option("--add-ignore", is_flag=True, help="Add a comment to each finding that suppresses it.")
@click.option("--baseline", metavar="FILE", type=click.Path(path_type=Path), help="Findings that are known.")
@click.option("--update-baseline", is_flag=True, help="Make the baseline hold what is found now.")
@click.option("--watch", is_flag=True, help="Check again whenever a file has changed, until Ctrl-C.")
@click.option("--shard", metavar="I/N", help="Check one of N parts, for as many machines; see tilescope merge.")
@click.option("-j", "--jobs", type=click.IntRange(min=1), help="Files compiled at a time.  [default: cores]")
@click.option("--cache-dir", metavar="DIR", type=click.Path(path_type=Path), help="Where results are kept.")
@click.option("--no-cache", is_flag=True, help="Neither use nor keep results.")
@click.option("--stdin-filename", metavar="NAME", help="The name of the file that is read from stdin (PATH -).")
@click.option("--show-files", is_flag=True, help="List the files that would be checked.")
@click.option("--show-config", "config_wanted", is_flag=True, help="Show the settings, and what each comes from.")
@click.option("--explain", metavar="CODE", help="Explain a rule; ALL lists them.")
@click.option("-q", "--quiet", is_flag=True, help="No summary.")
@python_option
def command(
    paths: tuple[Path, ...],
    select: tuple[str, ...],
    extend_select: tuple[str, ...],
    ignore: tuple[str, ...],
    targets: tuple[str, ...],
    pass_configs: tuple[str, ...],
    specialization: str | None,
    static: bool,
    changed_since: str | None,
    fail_level: str | None,
    exit_zero: bool,
    output_format: str,
    output: Path | None,
    reports: tuple[str, ...],
    matrix: bool,
    statistics: bool,
    fix: bool,
    show_diff: bool,
    add_ignore: bool,
    baseline: Path | None,
    update_baseline: bool,
    watch: bool,
    shard: str | None,
    jobs: int | None,
    cache_dir: Path | None,
    no_cache: bool,
    stdin_filename: str | None,
    show_files: bool,
    config_wanted: bool,
    explain: str | None,
    quiet: bool,
    python: str | None,
) -> int:
    """Check kernel files, and those in folders: every kernel, specialization and target.

    Files are executed, in processes of their own, unless --static is given. Without PATH the working folder is
    checked. What [tool.tilescope.lint] says holds where the command line says nothing.
    """
    output_format = chosen(output_format, os.environ)
    if explain is not None:
        return _explain(explain, output_format)
    asked = settings.Asked(
        select=checked_codes(select, "--select"),
        extend_select=checked_codes(extend_select, "--extend-select"),
        ignore=checked_codes(ignore, "--ignore"),
        targets=tuple(dict.fromkeys(map(normalise, targets))),
        pass_configs=tuple(pass_config_values(pass_configs).items()),
        specialization=specialization,  # type: ignore[arg-type]  # click has checked it
        fail_level=fail_level,  # type: ignore[arg-type]
        baseline=baseline,
        cache_dir=cache_dir,
        static=static,
    )
    run = Run(
        asked=asked,
        config=here(),
        output_format=output_format,
        reports=reports_of(output_format, output, reports),
        python=python,
        jobs=jobs or cores(),
        cache=not no_cache,
        exit_zero=exit_zero,
        fix=fix or show_diff,
        diff=show_diff,
        add_ignore=add_ignore,
        update_baseline=update_baseline,
        statistics=statistics,
        matrix=matrix,
        shard=parse_shard(shard) if shard else None,
        quiet=quiet,
        watch=watch,
    )
    _refuse_mixed(run, paths)
    if config_wanted:
        show_config(run.asked, run.config, paths, run.output_format)
        return 0

    def read() -> tuple[Source, ...]:
        sources = _sources(paths, stdin_filename, changed_since)
        return run.shard.of(sources) if run.shard is not None else sources

    sources = read()
    if show_files:
        echo_text("".join(f"{source.shown}\n" for source in sources))
        return 0
    if run.watch:
        asyncio.run(_watch(run, paths, sources, read))
    return asyncio.run(_run(run, sources))


def _explain(code: str, output_format: str) -> int:
    shown = explain(code.upper(), as_json=output_format == "json")
    echo_json(shown) if not isinstance(shown, str) else echo_text(shown)
    return 0


def _refuse_mixed(run: Run, paths: tuple[Path, ...]) -> None:
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


def _sources(paths: tuple[Path, ...], stdin_name: str | None, revision: str | None) -> tuple[Source, ...]:
    if paths == (Path(STDIN),):
        return (from_text(sys.stdin.buffer.read(), stdin_name),)
    sources = found(paths or (Path(),))
    if revision is None:
        return sources
    return affected(sources, changed_since(revision, Path.cwd()))


def _linter(run: Run) -> Linter:
    cache = cache_of(run.asked, run.config, wanted=run.cache)
    return Linter(run.asked, python=run.python, jobs=run.jobs, cache=cache)


async def _watch(
    run: Run, paths: tuple[Path, ...], sources: Sequence[Source], read: Callable[[], Sequence[Source]]
) -> NoReturn:
    async with _linter(run) as linter:

        async def once(now: Sequence[Source]) -> None:
            report, _ = _finished(run, await linter.report(now))
            _print(run, report)
            sys.stdout.flush()

        await watching(paths or (Path(),), sources, read, once, functools.partial(_say, run))


async def _run(run: Run, sources: tuple[Source, ...]) -> int:
    async with _linter(run) as linter:
        parts = await linter.report(sources)
        fixed_count = 0
        if run.fix:
            fixed, parts = await fix_all(linter, sources, parts)
            fixed_count = sum(one.count for one in fixed)
            before = {source.shown: source.text or "" for source in sources}
            for one in sorted(fixed, key=lambda one: one.source.shown):
                _write_or_show(run, one.source, before[one.source.shown], one.text)
    if run.diff:
        _say(run, f"would fix {counted(fixed_count, 'finding')}" if fixed_count else "nothing to fix")
        return int(fixed_count > 0 and not run.exit_zero)
    if run.add_ignore:
        return _add_ignores(run, sources, parts)
    report, code = _finished(run, parts)
    _print(run, report)
    if fixed_count:
        _say(run, f"fixed {counted(fixed_count, 'finding')}")
    return code


def _write_or_show(run: Run, source: Source, before: str, after: str) -> None:
    if run.diff:
        echo_text("".join(diff(before, after, source.shown)))
    elif source.shown == "<stdin>" or not Path(source.path).exists():
        echo_text(after)
    else:
        try:
            write_back(source.path, before, after)
        except UsageError as error:
            note(str(error))


def _add_ignores(run: Run, sources: tuple[Source, ...], parts: list[Reported]) -> int:
    by_name = {source.shown: source for source in sources}
    added = left = 0
    for part in sorted(parts, key=lambda part: part.shown):
        source = by_name[part.shown]
        if source.text is None or not part.findings:
            left += len(part.findings)
            continue
        result = with_ignores(source.text, [one.finding for one in part.findings])
        added += result.done
        left += len(part.findings) - result.done
        if result.text != source.text:
            write_back(source.path, source.text, result.text)
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


def _print(run: Run, report: Report) -> None:
    context = Context(
        level=settings.fail_level(run.asked, run.config),
        colour=sys.stdout.isatty() and not os.environ.get("NO_COLOR"),
        shard=f"{run.shard.number}/{run.shard.count}" if run.shard else None,
        matrix=run.matrix,
    )
    if run.statistics:
        shown = statistics(report, as_json=run.output_format == "json")
        echo_text(shown) if isinstance(shown, str) else echo_json(shown)
    else:
        run.reports.write(report, context)
    _say(run, summary(report))


def _say(run: Run, text: str) -> None:
    if not run.quiet:
        note(text)


def _write(path: Path, data: bytes) -> None:
    try:
        path.write_bytes(data)
    except OSError as error:
        raise UsageError(f"cannot write {path}: {error.strerror or error}") from None
