"""`tilescope compare`: two recordings side by side."""

from __future__ import annotations

from pathlib import Path

import click

from tilescope.options import format_option, paths_option
from tilescope.output import echo, echo_code, echo_json
from tilescope_passdiff.compare import compare
from tilescope_passdiff.render.compare import compare_json, compare_text
from tilescope_passdiff.render.versus import versus_text
from tilescope_trace.profile.versus.gather import Given, versus
from tilescope_trace.store.read import open_recording

DIFFERENT = 1

EPILOG = """\b
Examples:
  tilescope compare before.tscope after.tscope
  tilescope compare sm_80.tscope sm_90a.tscope --lines 0 | less -R
  tilescope compare old.tscope new.tscope --tui
  tilescope compare old.tscope new.tscope --format json
  tilescope compare old.tscope new.tscope --profile-a a.csv --profile-b b.csv

\b
Exit codes:
  0  the compiler makes the same of both
  1  they differ
  2  bad usage or unreadable recording
"""


@click.command(epilog=EPILOG)
@click.argument("a", metavar="A", type=click.Path(path_type=Path))
@click.argument("b", metavar="B", type=click.Path(path_type=Path))
@click.option(
    "--lines",
    type=click.IntRange(0),
    default=40,
    show_default=True,
    help="Most lines of each diff, 0 for all (text only).",
)
@paths_option(
    "--profile-a",
    "profiles_a",
    "PROFILE",
    "A profile of A, to compare with those of B line by line and lane by lane.  Give it again for more.",
)
@paths_option("--profile-b", "profiles_b", "PROFILE", "A profile of B.")
@paths_option("--code-a", "codes_a", "FILE", "Machine code that was sampled for A.  [default: TileLang's cache]")
@paths_option("--code-b", "codes_b", "FILE", "Machine code that was sampled for B.")
@click.option("--tui", is_flag=True, help="Browse the differences in the terminal.")
@format_option
def command(
    a: Path,
    b: Path,
    lines: int,
    profiles_a: tuple[Path, ...],
    profiles_b: tuple[Path, ...],
    codes_a: tuple[Path, ...],
    codes_b: tuple[Path, ...],
    tui: bool,
    output_format: str,
) -> int:
    """Compare two recordings: what they were recorded with, passes aligned by name, the first pass behind which they
    differ, layouts and other facts, and the generated source. Versions and targets alone make no difference here:
    only what the compiler makes of the kernel does. Renumbered names count as the same."""
    if bool(profiles_a) != bool(profiles_b):
        raise click.UsageError("profiles are compared with profiles: give --profile-a and --profile-b")
    if tui:
        if output_format == "json":
            raise click.UsageError("--tui is for people, --format json for programs")
        from tilescope_passdiff.tui import run_compare

        return run_compare(a, b)
    with open_recording(a) as old, open_recording(b) as new:
        comparison = compare(old, new)
        found = None
        if profiles_a:
            found = versus(Given(old, profiles_a, codes_a), Given(new, profiles_b, codes_b))
    if output_format == "json":
        echo_json(compare_json(comparison, found))
    else:
        echo_code(compare_text(comparison, most=lines))
        if found is not None:
            echo(versus_text(found, lines))
    return 0 if comparison.same else DIFFERENT
