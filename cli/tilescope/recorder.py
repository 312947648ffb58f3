"""Records one kernel of a file for `trace`, `view` and `demo`: chooses it, names the file, shows progress."""

from __future__ import annotations

import dataclasses
import hashlib
import re
import sys
from collections.abc import Sequence
from pathlib import Path

import click

from tilescope_trace.errors import UsageError
from tilescope_trace.model import Kernel, Options, RecordingInfo, Snapshot
from tilescope_trace.source.plan import plan_file
from tilescope_trace.source.workspace import shared_workspace
from tilescope_trace.store.retention import FOLDER as FOLDER
from tilescope_trace.store.retention import keep_out_of_version_control

from .progress import passes
from .session import Session
from .text.paths import shown, typed


async def record_one(
    session: Session, snapshot: Snapshot, options: Options, out: Path | None
) -> tuple[RecordingInfo, Path]:
    """Record the kernel that the options name, or that a person at the terminal picks, into ``out`` or a file in
    `FOLDER`. Raises UsageError where that is not exactly one kernel."""
    kernel, options = _choose(snapshot, session.options_for(snapshot, options))
    path = out or default_path(snapshot.path, kernel)
    prepare(path)
    with passes(kernel.qualname) as progress:
        info = await session.recording(snapshot, options, path, progress)
    return info, path


def default_path(source: str, kernel: Kernel, folder: Path = FOLDER) -> Path:
    """``.tilescope/gemm-matmul.main-cuda-sm_90a-0b1c2d3e4f5a.tscope``: another file, kernel, target or specialization
    (the last part is its id) is another recording. Files outside of the working directory are told apart by a digest
    of their folder."""
    file = Path(shown(source))
    parts = list(file.with_suffix("").parts)
    if file.is_absolute():
        parts = [file.stem, hashlib.sha256(bytes(file.parent)).hexdigest()[:6]]
    name = "-".join([*parts, kernel.qualname, kernel.target, kernel.specialization.id])
    return folder / (re.sub(r"[^\w.-]+", "-", name) + ".tscope")


def _choose(snapshot: Snapshot, options: Options) -> tuple[Kernel, Options]:
    kernels = plan_file(snapshot, options, shared_workspace(snapshot.path)).statics
    if not kernels:
        path = shown(snapshot.path)
        raise UsageError(f"{path} holds no kernels: no function with @T.prim_func, and none with @tilelang.jit")
    kernel = kernels[0] if len(kernels) == 1 else _pick(snapshot, kernels)
    chosen = dataclasses.replace(
        options, kernel=kernel.qualname, targets=(kernel.target,), specialization=kernel.specialization.id
    )
    return kernel, chosen


def _pick(snapshot: Snapshot, kernels: Sequence[Kernel]) -> Kernel:
    several = len({(kernel.qualname, kernel.target, kernel.line) for kernel in kernels}) < len(kernels)
    names = [_described(kernel, arguments=several) for kernel in kernels]
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        more = ", --target and --set" if several else ""
        listed = "\n".join(f"  {name}" for name in names)
        raise UsageError(f"{shown(snapshot.path)} has several kernels; name one with --kernel{more}:\n{listed}")
    for number, name in enumerate(names, start=1):
        click.echo(f"{number:>3}  {name}", err=True)
    number = click.prompt("Record which one", type=click.IntRange(1, len(names)), default=1, err=True)
    return kernels[number - 1]


def _described(kernel: Kernel, *, arguments: bool) -> str:
    given = ", ".join(f"{name}={one.value!r}" for name, one in kernel.specialization.args.items())
    return f"{kernel.qualname} for {kernel.target} (line {kernel.line})" + (f" with {given}" if arguments else "")


def prepare(path: Path) -> None:
    """Make the folder of a recording. Raises UsageError where it cannot be written."""
    try:
        keep_out_of_version_control(path.parent)
    except OSError as error:
        raise UsageError(
            f"cannot write {path}: {error.strerror or error}; "
            "work in a folder that can be written, or name one with `tilescope trace -o`"
        ) from None
    if path.is_dir():
        raise UsageError(f"{path} is a folder; name the recording's file: -o {typed(path / 'kernel.tscope')}")
