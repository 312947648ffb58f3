"""Runs a program twice for `profile`: as it is, and with clock stamps in its kernels; puts the profile together."""

from __future__ import annotations

import asyncio
import ctypes
import datetime
import json
import shutil
import tempfile
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path

from tilescope_trace.captured.keep import own
from tilescope_trace.captured.parts import Sight
from tilescope_trace.captured.run import STAMPS, run
from tilescope_trace.errors import UsageError
from tilescope_trace.profile.stamps.collect import Report, collect, reports
from tilescope_trace.profile.stamps.document import SCHEMA, StampProfile, write
from tilescope_trace.profile.stamps.plan import Plan, is_chosen, make_plan
from tilescope_trace.store.read import open_recording

from .program import captured_run
from .recorder import prepare
from .traced import record_all

NAME = "stamps.json.gz"


@dataclass(frozen=True)
class Wanted:
    """What is asked for: globs of kernels (all, without any), sampled blocks, words a warp, recordings made before
    (the program then runs once, and the overhead is not measured)."""

    program: tuple[str, ...]
    kernels: tuple[str, ...]
    blocks: int
    capacity: int
    recordings: tuple[Path, ...]


@dataclass(frozen=True)
class Profiled:
    """``profile`` is the written document, ``path`` where; ``code`` the return code of the program's last run."""

    profile: StampProfile
    path: Path
    code: int


def no_device() -> str | None:
    """Why kernels cannot run here, in words; None where a CUDA device answers."""
    try:
        cuda = ctypes.CDLL("libcuda.so.1")
    except OSError:
        return "there is no CUDA driver on this machine (libcuda.so.1)"
    status, count = cuda.cuInit(0), ctypes.c_int()
    if status or cuda.cuDeviceGetCount(ctypes.byref(count)):
        return f"the CUDA driver finds no usable device (error {status})"
    return None if count.value else "the CUDA driver finds no device"


def profiled(wanted: Wanted, folder: Path) -> Profiled:
    """Run the program, and write recordings and profile into ``folder``. Raises UsageError where there is nothing to
    profile, and says why."""
    prepare(folder / NAME)
    with ExitStack() as stack:
        plain_folder, stamped_folder = (_temporary(stack) for _ in range(2))
        plain: tuple[Report, ...] = ()
        recordings = wanted.recordings
        if not recordings:
            recordings = _recorded(wanted, plain_folder, folder)
            plain = reports(plain_folder)
        opened = [stack.enter_context(open_recording(path)) for path in recordings]
        plan = make_plan(opened, wanted.kernels, wanted.blocks, wanted.capacity)
        if not plan.planned:
            raise UsageError(_nothing(wanted, plan, [one.info.kernel.qualname for one in opened]))
        (stamped_folder / "plan.json").write_text(json.dumps(plan.for_hook()), encoding="utf-8")
        code = run(wanted.program, {STAMPS: stamped_folder})
        return _written(wanted, plan, stamped_folder, plain, folder, code)


def _temporary(stack: ExitStack) -> Path:
    path = Path(tempfile.mkdtemp(prefix="tilescope-profile-"))
    stack.callback(shutil.rmtree, path, ignore_errors=True)
    return path


def _recorded(wanted: Wanted, parts: Path, folder: Path) -> tuple[Path, ...]:
    """Run the program without stamps, and record the kernels that it compiles."""
    code, seen = captured_run(wanted.program, {STAMPS: parts})
    if code:
        raise UsageError(f"{wanted.program[0]} ended with {_ended(code)} without stamps: nothing is profiled")
    sights = own(seen, installed=True)
    if not sights:
        raise UsageError("the program compiled no TileLang kernel: nothing to profile")
    chosen = [sight for sight in sights if _may_be(sight, wanted.kernels)]
    found = asyncio.run(record_all(chosen, folder))
    made = tuple(Path(one.recording) for one in found if one.recording is not None and one.status == "ok")
    if not made:
        why = found[0].note if found else _no_such(wanted.kernels, [sight.qualname for sight in sights])
        raise UsageError(f"no kernel of the program could be recorded: {why}")
    return made


def _may_be(sight: Sight, patterns: Sequence[str]) -> bool:
    """Whether a sight may be of a chosen kernel; a lazy factory's kernel has a name of its own."""
    last = sight.qualname.rsplit(".", 1)[-1]
    return is_chosen(patterns, sight.qualname, last, f"{last}_kernel")


def _no_such(patterns: Sequence[str], names: Sequence[str]) -> str:
    return f"none of its kernels ({', '.join(sorted(set(names)))}) is called {' or '.join(patterns)}"


def _ended(code: int) -> str:
    return f"exit code {code}" if code > 0 else f"signal {-code}"


def _nothing(wanted: Wanted, plan: Plan, names: Sequence[str]) -> str:
    return plan.refused[0] if plan.refused else _no_such(wanted.kernels, names)


def _written(wanted: Wanted, plan: Plan, stamps: Path, plain: Sequence[Report], folder: Path, code: int) -> Profiled:
    names = {one.recording: _beside(one.recording, folder) for one in plan.planned}
    kernels = collect(plan, stamps, plain, names)
    found = reports(stamps)
    notes = [*plan.refused, *(note for report in found for note in report.notes)]
    if not kernels:
        log = stamps / "hook.log"
        why = log.read_text(encoding="utf-8").strip().split("\n")[-1] if log.exists() else ""
        why = why or (notes[0] if notes else "its run with stamps launched none of the recorded kernels")
        raise UsageError(f"no stamps came back: {why}")
    device = next((report.device for report in found if report.device), {})
    profile = StampProfile(
        schema=SCHEMA,
        tilescope=metadata.version("tilescope"),
        created=datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="seconds"),
        program=wanted.program,
        device=device or {},
        blocks=wanted.blocks,
        kernels=tuple(kernels),
        notes=tuple(notes),
    )
    path = folder / NAME
    write(profile, path)
    return Profiled(profile, path, code)


def _beside(recording: Path, folder: Path) -> str:
    """The recording's name in the folder of the profile, where it is copied if it lies elsewhere."""
    target = folder / recording.name
    if recording.resolve() != target.resolve():
        shutil.copyfile(recording, target)
    return recording.name
