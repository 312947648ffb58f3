"""`tilescope merge`: the parts of a lint run as one."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import click

from tilescope.lint_output import report_format_option, reports_of
from tilescope.linting import here
from tilescope.output import note
from tilescope_server.lint import settings
from tilescope_server.lint.formats import Context, chosen
from tilescope_server.lint.formats.wording import summary
from tilescope_server.lint.merge import merged, read_part, with_texts
from tilescope_server.lint.select import LEVELS, at_least

EPILOG = """\b
Examples:
  tilescope merge part1.json part2.json
  tilescope merge parts/*.json --format github --report sarif=tilescope.sarif
"""


@click.command(epilog=EPILOG)
@click.argument("parts", metavar="JSON...", nargs=-1, required=True, type=click.Path(path_type=Path))
@report_format_option
@click.option("-o", "--output", metavar="FILE", type=click.Path(path_type=Path), help="Write the output to a file.")
@click.option("--report", "reports", multiple=True, metavar="FORMAT=FILE", help="Write a further output to a file.")
@click.option("--matrix", is_flag=True, help="Show which kernels lower for which targets, and why not.")
@click.option("--fail-level", type=click.Choice(LEVELS), help="Severity from which on to fail.  [default: warning]")
@click.option("--exit-zero", is_flag=True, help="Exit with 0 also where something was found.")
@click.option("-q", "--quiet", is_flag=True, help="No summary.")
def command(
    parts: tuple[Path, ...],
    output_format: str,
    output: Path | None,
    reports: tuple[str, ...],
    matrix: bool,
    fail_level: str | None,
    exit_zero: bool,
    quiet: bool,
) -> int:
    """Put together what `tilescope lint --shard I/N --format json` wrote on several machines.

    The result is that of one run on one machine. A part that is missing ends it with exit code 2.
    """
    output_format = chosen(output_format, os.environ)
    written = reports_of(output_format, output, reports)
    if matrix:
        written.refuse_lost_matrix()
    report = with_texts(merged([read_part(path) for path in parts]))
    level = settings.fail_level(settings.Asked(fail_level=fail_level), here())  # type: ignore[arg-type]  # click has checked it
    colour = sys.stdout.isatty() and not os.environ.get("NO_COLOR")
    written.write(report, Context(level=level, colour=colour, matrix=matrix))
    if not quiet:
        note(summary(report))
    failed = any(at_least(one.finding.severity, level) for one in report.findings)
    return int(failed and not exit_zero)
