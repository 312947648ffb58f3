"""`tilescope timeline`: what profilers have recorded, joined with what the compiler has."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path

import click

from tilescope.options import format_option, paths_option
from tilescope.output import echo, echo_json, note
from tilescope_passdiff.render.timeline import Shown, timeline_json, timeline_text
from tilescope_trace.errors import UsageError
from tilescope_trace.profile.correlate import Join, correlate
from tilescope_trace.profile.importers import IMPORTERS
from tilescope_trace.profile.load import load_profiles
from tilescope_trace.profile.model import Profile
from tilescope_trace.profile.placed import Codes, placed
from tilescope_trace.profile.recorded import RecordedKernel, recorded_kernel
from tilescope_trace.profile.timeline import timeline_file
from tilescope_trace.profile.verdict.gather import Joined, verdicts
from tilescope_trace.store.read import open_recording

EPILOG = """\b
Examples:
  tilescope timeline trace.json
  tilescope timeline report.sqlite --recording a.tscope --recording b.tscope
  tilescope timeline OPPROF_20261129/ --kernel matmul --format json
  tilescope timeline trace.json --recording recordings/ --export joined.json

\b
Exit codes:
  0  read
  2  bad usage or unreadable input
"""


@click.command(epilog=EPILOG)
@click.argument("profiles", metavar="PROFILE...", type=click.Path(path_type=Path), nargs=-1)
@paths_option(
    "--recording",
    "recordings",
    "REC",
    "A recording, or a folder of them, to join launches with.  Give it again for more.",
)
@paths_option(
    "--code",
    "codes",
    "FILE",
    "Machine code that was sampled (cubin, executable.so, nvdisasm -gi).  [default: TileLang's cache]",
)
@click.option("--kernel", metavar="TEXT", default="", help="Only kernels whose name contains this (text only).")
@click.option("--launches", is_flag=True, help="Every launch for itself, in the order of the file (text only).")
@click.option(
    "--lines",
    type=click.IntRange(0),
    default=15,
    show_default=True,
    help="Most lines with samples, 0 for all (text only).",
)
@click.option("--notes", is_flag=True, help="Notes of the profiler in full, not their first sentences (text only).")
@click.option(
    "--export",
    "exported",
    metavar="FILE",
    type=click.Path(path_type=Path),
    help="Also write one trace for ui.perfetto.dev, with the names of source lines and passes.",
)
@click.option("--formats", is_flag=True, help="List the formats that can be read.")
@format_option
def command(
    profiles: tuple[Path, ...],
    recordings: tuple[Path, ...],
    codes: tuple[Path, ...],
    kernel: str,
    launches: bool,
    lines: int,
    notes: bool,
    exported: Path | None,
    formats: bool,
    output_format: str,
) -> int:
    """Read profiler files or folders of any known format, compressed or not: launches, lanes, samples by line. With
    recordings each launch is joined with the compile it is of, exactly where an annotation names it, else by name,
    grid, block, shared memory and registers; what is ambiguous is said."""
    if formats:
        echo(*(importer.NAME for importer in IMPORTERS))
        return 0
    if not profiles:
        raise click.UsageError("name a profile: a file or folder that a profiler wrote")
    if exported is not None and exported.resolve() in {path.resolve() for path in (*profiles, *recordings)}:
        raise click.UsageError(f"--export would overwrite {exported}")
    with ExitStack() as stack:
        opened = {path: stack.enter_context(open_recording(path)) for path in _recording_files(recordings)}
        known = [recorded_kernel(recording) for recording in opened.values()]
        loaded = [(profile, _joins(profile, known)) for path in profiles for profile in load_profiles(path)]
        code = Codes(codes)
        joined = [
            Joined(profile, joins or (), placed(profile, joins or (), opened, code)) for profile, joins in loaded
        ]
        judged = verdicts(joined, opened) if opened else {}
        files = [
            timeline_file(profile, joins, one.placed) for (profile, joins), one in zip(loaded, joined, strict=True)
        ]
    for problem in code.problems:
        note(problem)
    if exported is not None:
        _export(exported, loaded)
    if output_format == "json":
        echo_json(timeline_json(files, judged))
    else:
        echo(timeline_text(files, Shown(kernel, lines, launches, notes), judged))
    return 0


def _joins(profile: Profile, recordings: list[RecordedKernel]) -> tuple[Join, ...] | None:
    return correlate(profile, recordings) if recordings else None


def _recording_files(paths: tuple[Path, ...]) -> list[Path]:
    found: dict[Path, None] = {}
    for path in paths:
        files = sorted(path.rglob("*.tscope")) if path.is_dir() else [path]
        if not files:
            raise UsageError(f"{path}: no recordings (*.tscope) in this folder")
        found.update(dict.fromkeys(files))
    return list(found)


def _export(path: Path, loaded: list[tuple[Profile, tuple[Join, ...] | None]]) -> None:
    from tilescope_passdiff.render.timeline_export import write_trace

    try:
        with path.open("w", encoding="utf-8", errors="backslashreplace") as out:
            write_trace(out, loaded)
    except OSError as error:
        raise UsageError(f"{path} cannot be written: {error.strerror or error}") from error
    note(f"wrote {path}: open it at ui.perfetto.dev")
