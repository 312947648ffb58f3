"""`tilescope report`: a recording for people who do not have tilescope."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path

import click

from tilescope.options import paths_option, recording_argument
from tilescope.output import note
from tilescope_trace.errors import UsageError
from tilescope_trace.store.read import Recording, open_recording

FORMATS = {"html": ".html", "markdown": ".md", "perfetto": ".json"}

EPILOG = """\b
Examples:
  tilescope report gemm.tscope -o gemm.html
  tilescope report gemm.tscope --profile trace.json -o gemm.html
  tilescope report gemm.tscope --format markdown | gh pr comment --body-file -
  tilescope report gemm.tscope --format perfetto -o passes.json
"""


@click.command(epilog=EPILOG)
@recording_argument
@click.option(
    "-o",
    "--output",
    metavar="OUT",
    type=click.Path(path_type=Path),
    help="Write there.  [default: standard output; for html REC with .html, in this folder]",
)
@click.option(
    "--format",
    "output_format",
    type=click.Choice(list(FORMATS)),
    help="A page for a browser, text for a pull request, or pass times for ui.perfetto.dev."
    "  [default: as OUT ends, else html]",
)
@paths_option(
    "--profile",
    "profiles",
    "PROFILE",
    "Lay a profile over the page: where the time goes, line by line.  Give it again for more (html only).",
)
@paths_option(
    "--code",
    "codes",
    "FILE",
    "Machine code that was sampled (cubin, executable.so, nvdisasm -gi).  [default: TileLang's cache]",
)
def command(
    recording: Path,
    output: Path | None,
    output_format: str | None,
    profiles: tuple[Path, ...],
    codes: tuple[Path, ...],
) -> int:
    """Write what a recording holds for people who do not have tilescope.

    The page is one file that needs no network: passes, what each changed, Python and generated source linked line by
    line, facts with pictures of layouts, and, with profiles, where the time goes. It holds the kernel's source, as
    the recording does.
    """
    chosen = output_format or next((name for name, end in FORMATS.items() if output and output.suffix == end), "html")
    if profiles and chosen != "html":
        raise click.UsageError(f"--profile is for the page: the {chosen} report shows no profiles")
    with open_recording(recording) as opened:
        text = _html(opened, profiles, codes) if chosen == "html" else _WRITERS[chosen](opened)
    if output is None and (chosen != "html" or not sys.stdout.isatty()):
        click.echo(text, nl=False)
        return 0
    path = output or Path(recording.with_suffix(".html").name)
    _write(path, text, recording)
    note(f"{path}: {path.stat().st_size / 1024:.0f} KiB")
    return 0


def _write(path: Path, text: str, recording: Path) -> None:
    if path.exists() and path.samefile(recording):
        raise UsageError(f"{path} is the recording itself; choose another name for the report")
    try:
        path.write_text(text, encoding="utf-8", errors="backslashreplace")
    except OSError as error:
        raise UsageError(
            f"cannot write {path}: {error.strerror or error}; choose a file in a writable folder"
        ) from None


def _html(recording: Recording, profiles: tuple[Path, ...], codes: tuple[Path, ...]) -> str:
    from tilescope_passdiff.render.html import report_html
    from tilescope_trace.profile.overlay import overlays

    return report_html(recording, overlays(profiles, recording, codes))


def _markdown(recording: Recording) -> str:
    from tilescope_passdiff.render.markdown import report_markdown

    return report_markdown(recording)


def _perfetto(recording: Recording) -> str:
    from tilescope_passdiff.render.perfetto import report_perfetto

    return json.dumps(report_perfetto(recording)) + "\n"


_WRITERS: dict[str, Callable[[Recording], str]] = {"markdown": _markdown, "perfetto": _perfetto}
