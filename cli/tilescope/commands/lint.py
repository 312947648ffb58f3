"""`tilescope lint`: what the rules find in the kernels of files and folders."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path

import click

from tilescope import completing
from tilescope.explain import explain
from tilescope.lint_output import echo_text, report_format_option, reports_of
from tilescope.lint_run import Run, keep_watching, lint_once, refuse_mixed, sources_of
from tilescope.linting import cores, here
from tilescope.options import pass_config_values, python_option
from tilescope.output import echo_json
from tilescope.show_config import show_config
from tilescope_server.lint import settings
from tilescope_server.lint.formats import chosen
from tilescope_server.lint.model import Source
from tilescope_server.lint.select import LEVELS, checked_codes
from tilescope_server.lint.shard import parse_shard
from tilescope_trace.source.targets import normalise

STDIN = "-"

EPILOG = """\b
Examples:
  tilescope lint
  tilescope lint kernels --target cuda:sm_80 --target cuda:sm_90a
  tilescope lint kernels --select TS2,TS3 --ignore TS211 --format github
  tilescope lint --changed-since origin/main --static
  tilescope lint kernels --fix --diff
  tilescope lint kernels --matrix --target cuda:sm_90a --target hip:gfx942
  tilescope lint --shard 1/4 --format json -o part1.json
  tilescope lint --explain TS203

\b
Exit codes:
  0  nothing found at or above --fail-level
  1  findings
  2  bad usage, or a path that does not exist
"""


@click.command(epilog=EPILOG)
@click.argument("paths", metavar="[PATH]...", nargs=-1, type=click.Path(path_type=Path, allow_dash=True))
@click.option(
    "--select", multiple=True, metavar="CODES", help="Report these rules only: codes or beginnings of codes."
)
@click.option("--extend-select", multiple=True, metavar="CODES", help="Report these rules too.")
@click.option("--ignore", multiple=True, metavar="CODES", help="Do not report these rules.")
@click.option(
    "--target",
    "targets",
    multiple=True,
    metavar="T",
    shell_complete=completing.targets,
    help="Check for this target.  Give it again for more.",
)
@click.option(
    "--pass-config", "pass_configs", multiple=True, metavar="K=V", help="TileLang pass config of all kernels."
)
@click.option("--specialization", type=click.Choice(["all", "first"]), help="Which of each kernel's.  [default: all]")
@click.option("--static", is_flag=True, help="Execute nothing: only what the text says, for code nobody vouches for.")
@click.option("--changed-since", metavar="REV", help="Only files that differ from a git revision, or import such.")
@click.option("--fail-level", type=click.Choice(LEVELS), help="Severity from which on to fail.  [default: warning]")
@click.option("--exit-zero", is_flag=True, help="Exit with 0 also where something was found.")
@report_format_option
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
@click.option("--explain", metavar="CODE", shell_complete=completing.rules, help="Explain a rule; ALL lists them.")
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
    refuse_mixed(run, paths)
    if config_wanted:
        show_config(run.asked, run.config, paths, run.output_format)
        return 0

    def read() -> tuple[Source, ...]:
        sources = sources_of(paths, stdin_filename, changed_since)
        return run.shard.of(sources) if run.shard is not None else sources

    sources = read()
    if show_files:
        echo_text("".join(f"{source.shown}\n" for source in sources))
        return 0
    if run.watch:
        asyncio.run(keep_watching(run, paths, sources, read))
    return asyncio.run(lint_once(run, sources))


def _explain(code: str, output_format: str) -> int:
    shown = explain(code.upper(), as_json=output_format == "json")
    echo_json(shown) if not isinstance(shown, str) else echo_text(shown)
    return 0
