"""`tilescope view`: browse a recording, or a kernel file, in the terminal."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import click

from tilescope.options import format_option, kernel_options, options_of, paths_option, python_option
from tilescope.output import note
from tilescope.rerecording import Rerecorder
from tilescope_passdiff.terminal import require_terminal
from tilescope_trace.errors import UsageError
from tilescope_trace.files import read_snapshot
from tilescope_trace.model import Options

PORT = 8630

EPILOG = """\b
Examples:
  tilescope view gemm.tscope
  tilescope view kernel.py --kernel matmul --set M=4096 --watch
  tilescope view before.tscope after.tscope
  tilescope view gemm.tscope --profile trace.json.gz --profile stamps.json.gz
  tilescope view gemm.tscope --serve

Keys: j and k move, n and p go to the next and previous changed pass, / searches, ? shows all keys, q quits.
"""


@click.command(epilog=EPILOG)
@click.argument("paths", metavar="FILE|REC [REC]", type=click.Path(path_type=Path), nargs=-1, required=True)
@kernel_options(many_targets=False)
@paths_option(
    "--profile",
    "profiles",
    "FILE",
    "A profiler's file or folder to lay over the recording: heat, timeline (T).  Give it again for more.",
)
@paths_option(
    "--code",
    "codes",
    "FILE",
    "Machine code that --profile sampled (cubin, executable.so, nvdisasm -gi).  [default: TileLang's cache]",
)
@click.option("--watch", is_flag=True, help="Record a kernel file again whenever it is saved, keeping the place.")
@click.option("--serve", is_flag=True, help="Show it in a web page of this machine; needs tilescope[serve].")
@click.option(
    "--port", type=click.IntRange(1, 65535), default=PORT, show_default=True, help="Port of the page for --serve."
)
@python_option
@format_option
def command(
    paths: tuple[Path, ...],
    kernel: str | None,
    target: str | None,
    settings: tuple[str, ...],
    pass_configs: tuple[str, ...],
    profiles: tuple[Path, ...],
    codes: tuple[Path, ...],
    watch: bool,
    serve: bool,
    port: int,
    python: str | None,
    output_format: str,
) -> int:
    """Browse a recording in the terminal: passes, what each changed, the kernel's and the generated source, facts.

    A kernel file is recorded first, into .tilescope/; the options name the kernel, as in tilescope trace. Two
    recordings are compared.
    """
    if output_format == "json":
        raise click.UsageError(
            "view is for people; read a recording with tilescope passes, show and diff --format json"
        )
    if len(paths) > 2:
        raise click.UsageError("view shows one recording, or compares two")
    files = [path for path in paths if path.suffix == ".py"]
    if files and len(paths) == 2:
        raise click.UsageError(f"two recordings are compared; record {files[0]} with tilescope trace")
    if watch and not files:
        raise click.UsageError("--watch is for a kernel file; what would be recorded again?")
    if profiles and len(paths) == 2:
        raise click.UsageError("--profile is laid over one recording; compare profiles with tilescope compare")
    if codes and not profiles:
        raise click.UsageError("--code tells where samples of a --profile lie; name one")
    missing = next((path for path in (*profiles, *codes) if not path.exists()), None)
    if missing is not None:
        raise UsageError(f"{missing}: no such file or folder")
    if serve:
        from tilescope_passdiff.tui.serving import serve as serve_page

        words = _arguments(paths, kernel, target, settings, pass_configs)
        words = [*(["--watch"] if watch else []), *(["--python", python] if python else []), *words]
        named = [*(("--profile", path) for path in profiles), *(("--code", path) for path in codes)]
        words = [*(word for option, path in named for word in (option, str(path.absolute()))), *words]
        return serve_page(words, port, " and ".join(path.name for path in paths), note)
    require_terminal("tilescope passes and tilescope diff print what it shows.")
    if len(paths) == 2:
        from tilescope_passdiff.tui import run_compare

        return run_compare(*paths)
    if files:
        options = options_of(kernel, [target] if target else [], settings, pass_configs)
        return _view_file(files[0], options, python, profiles, codes, watch=watch)
    from tilescope_passdiff.tui import Wanted, run

    return run(paths[0], profiles=Wanted(profiles, codes))


def _view_file(
    path: Path,
    options: Options,
    python: str | None,
    profiles: tuple[Path, ...],
    codes: tuple[Path, ...],
    *,
    watch: bool,
) -> int:
    status, recording, chosen = asyncio.run(_record(path, options, python))
    from tilescope_passdiff.tui import Wanted, Watched, run

    again = Rerecorder(path, chosen, python, recording)
    try:
        watched = Watched(path.absolute(), again.record, automatic=watch)
        return run(recording, watched=watched, profiles=Wanted(profiles, codes)) or status
    finally:
        again.close()


async def _record(path: Path, options: Options, python: str | None) -> tuple[int, Path, Options]:
    """How recording went, into which file, and the options that name just this kernel."""
    from tilescope.recorder import record_one
    from tilescope.session import Session

    snapshot = read_snapshot(path)
    async with Session(python, snapshot.path, device=True) as session:
        info, recording = await record_one(session, snapshot, options, None)
    for finding in info.kernel.findings:
        note(f"{finding.code}: {finding.message}")
    chosen = replace(options, kernel=info.kernel.qualname, targets=(info.kernel.target,))
    return int(info.status != "ok"), recording, chosen


def _arguments(
    paths: Sequence[Path], kernel: str | None, target: str | None, settings: Sequence[str], configs: Sequence[str]
) -> list[str]:
    """The words that show the same in a page."""
    named = [("--kernel", kernel), ("--target", target), *(("--set", one) for one in settings)]
    named += [("--pass-config", one) for one in configs]
    words = [word for option, value in named if value is not None for word in (option, value)]
    return [*words, "--", *(str(path.absolute()) for path in paths)]
