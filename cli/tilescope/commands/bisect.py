"""`tilescope bisect`: the pass that brought something in, or took it out."""

from __future__ import annotations

from pathlib import Path

import click

from tilescope.options import format_option, recording_argument
from tilescope.output import echo_code, echo_json, note
from tilescope_passdiff.render.bisect import Shown, bisect_json, bisect_text
from tilescope_trace.bisect import Query, TextQuery, bisect, parse_fact
from tilescope_trace.bisect.search import NotFoundError
from tilescope_trace.store.read import open_recording

NOT_FOUND = 1

EPILOG = """\b
Examples:
  tilescope bisect gemm.tscope --contains tma_load
  tilescope bisect gemm.tscope --absent T.gemm
  tilescope bisect gemm.tscope --regex 'tma_(load|store)'
  tilescope bisect gemm.tscope --fact "A_shared.layout.swizzle==128B"
  tilescope bisect gemm.tscope --fact "launch.threads==256"

\b
Exit codes:
  0  a pass was found
  1  no pass did it; the message says where it is instead
  2  bad usage or unreadable recording
"""


@click.command(epilog=EPILOG)
@recording_argument
@click.option("--contains", metavar="TEXT", help="The first pass that introduces TEXT.")
@click.option("--absent", metavar="TEXT", help="The first pass that removes TEXT.")
@click.option("--regex", metavar="PATTERN", help="The first pass that introduces what PATTERN matches.")
@click.option(
    "--fact",
    metavar="FACT",
    help="The first pass behind which FACT holds: BUFFER.shape, .dtype, .scope, .layout, .layout.swizzle ..., "
    "launch.threads, launch.grid, calls.NAME, loops.KIND, compared by == != < <= > >=.",
)
@click.option("--removed", is_flag=True, help="With --regex or --fact: the first pass that removes it.")
@click.option(
    "--context", type=click.IntRange(0), default=3, show_default=True, help="Unchanged lines around a change."
)
@click.option("--hide-renumbering", is_flag=True, help="Treat lines as equal that differ only in name suffixes.")
@click.option("--hide-indentation", is_flag=True, help="Treat lines as equal that differ only in their indentation.")
@format_option
def command(
    recording: Path,
    contains: str | None,
    absent: str | None,
    regex: str | None,
    fact: str | None,
    removed: bool,
    context: int,
    hide_renumbering: bool,
    hide_indentation: bool,
    output_format: str,
) -> int:
    """Find the pass that introduced a text or fact, or removed it; show what the pass is for and its diff."""
    if sum(given is not None for given in (contains, absent, regex, fact)) != 1:
        raise click.UsageError("give one of --contains, --absent, --regex and --fact")
    query = _query(contains or absent, regex, fact)
    with open_recording(recording) as opened:
        try:
            found = bisect(opened, query, removed=removed or absent is not None)
        except NotFoundError as missing:
            note(str(missing))
            return NOT_FOUND
        shown = Shown(context, hide_renumbering, hide_indentation)
        if output_format == "json":
            echo_json(bisect_json(opened, found, shown))
        else:
            echo_code(bisect_text(opened, found, query.words, shown))
    return 0


def _query(text: str | None, regex: str | None, fact: str | None) -> Query:
    if fact is not None:
        return parse_fact(fact)
    given = text if regex is None else regex
    if not given:
        raise click.UsageError("give a text that is not empty")
    return TextQuery(given, regex=regex is not None)
