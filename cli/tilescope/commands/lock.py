"""`tilescope lock`: golden facts of kernels, and what changed."""

from __future__ import annotations

import asyncio
import os
import shutil
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from tilescope import completing
from tilescope.diverging import with_first_passes
from tilescope.lint_output import echo_text
from tilescope.linting import Linter, cache_of, cores, found, here
from tilescope.options import format_option, pass_config_values, python_option
from tilescope.output import echo_json, note
from tilescope_server.lint import settings
from tilescope_server.lint.formats.wording import counted
from tilescope_server.lint.lock import file as lock_file
from tilescope_server.lint.lock.compare import Change, changes, text
from tilescope_server.lint.lock.facts import Entry, entries_of
from tilescope_server.lint.lock.file import Lock
from tilescope_server.lint.model import Checked
from tilescope_trace.errors import UsageError
from tilescope_trace.model import FileFacts
from tilescope_trace.model.public import document, to_public
from tilescope_trace.rules.analysis import no_tilelang
from tilescope_trace.source.targets import normalise
from tilescope_trace.whole import write_whole

EPILOG = """\b
Examples:
  tilescope lock kernels --target cuda:sm_90a
  tilescope lock --check
  tilescope lock --check --before-python old/bin/python
  tilescope lock --update -k matmul

\b
Exit codes:
  0  written, or nothing changed
  1  --check: facts changed
  2  bad usage, or no lock file
"""
LOCK: dict[str, Any] = {
    "file": str,
    "tilelang": dict[str, str | None],
    "kernels": int,
    "assumed": int,
    "changes": list[Change],
}
"""Keys of the JSON: ``tilelang`` has the versions ``before`` and ``after``, ``assumed`` counts those ``kernels``
that were compiled with assumed arguments."""


@click.command(epilog=EPILOG)
@click.argument("paths", metavar="[PATH]...", nargs=-1, type=click.Path(path_type=Path))
@click.option("--check", is_flag=True, help="Change nothing; fail where facts are not those of the lock file.")
@click.option("--update", is_flag=True, help="Take over what changed.")
@click.option("-k", "--kernel", metavar="NAME", help="With --check or --update: these kernels only, by a suffix.")
@click.option(
    "--before-python",
    metavar="PYTHON",
    help="With --check: name the first pass that differs from those of this interpreter, without --pass-config.",
)
@click.option(
    "--target",
    "targets",
    multiple=True,
    metavar="T",
    shell_complete=completing.targets,
    help="Lock this target.  Give it again for more.",
)
@click.option(
    "--pass-config", "pass_configs", multiple=True, metavar="K=V", help="TileLang pass config of all kernels."
)
@click.option("--specialization", type=click.Choice(["all", "first"]), help="Which of each kernel's.  [default: all]")
@click.option(
    "--lock-file", "path", metavar="FILE", type=click.Path(path_type=Path), default=lock_file.NAME, show_default=True
)
@click.option("--no-device-compile", is_flag=True, help="Lock no registers, also where nvcc is found.")
@click.option("-j", "--jobs", type=click.IntRange(min=1), help="Files compiled at a time.  [default: cores]")
@click.option("--cache-dir", metavar="DIR", type=click.Path(path_type=Path), help="Where results are kept.")
@click.option("--no-cache", is_flag=True, help="Neither use nor keep results.")
@python_option
@format_option
def command(
    paths: tuple[Path, ...],
    check: bool,
    update: bool,
    kernel: str | None,
    before_python: str | None,
    targets: tuple[str, ...],
    pass_configs: tuple[str, ...],
    specialization: str | None,
    path: Path,
    no_device_compile: bool,
    jobs: int | None,
    cache_dir: Path | None,
    no_cache: bool,
    python: str | None,
    output_format: str,
) -> int:
    """Keep what the compiler makes of each kernel in a file, and tell when it makes something else.

    Layouts, instructions of copies and gemms, shared memory, threads, registers where nvcc is there; a line a
    fact. Commit the file: a TileLang upgrade or an edit that changes them shows up in --check, and in the review of
    --update. Without PATH and --target, --check and --update look at what the file was made of.
    """
    if check and update:
        raise UsageError("--check and --update cannot go together")
    if kernel is not None and not (check or update):
        raise UsageError("-k goes with --check or --update: a lock file has all kernels of its paths")
    if before_python is not None and not check:
        raise UsageError("--before-python goes with --check")
    before = _before(path, needed=check or update)
    folder = path.absolute().parent
    asked = settings.Asked(
        targets=tuple(dict.fromkeys(map(normalise, targets))) or (before.targets if before else ()),
        pass_configs=tuple(pass_config_values(pass_configs).items()),
        specialization=specialization or (before.specialization if before else None),  # type: ignore[arg-type]
        cache_dir=cache_dir,
        device_compile=not no_device_compile and shutil.which("nvcc") is not None,
    )
    checked = asyncio.run(
        _checked(asked, _looked_at(paths, before, folder), python, jobs or cores(), cache=not no_cache)
    )
    _refuse_unread(checked)
    now = _lock(checked, folder, before, asked, paths)
    if before is not None and paths:
        now = _beside(now, before, [_relative(path, folder) for path in paths])
    if kernel is not None:
        now = _only(now, before, kernel)
    differing = changes(before.entries if before else (), now.entries)
    if before_python is not None:
        by_name = {_relative(Path(one.source.path), folder): one for one in checked}
        differing = asyncio.run(with_first_passes(differing, by_name, asked, before_python, python))
    if not check:
        _write(path, lock_file.written(now))
    _tell(path, before, now, differing, output_format, written=not check)
    return int(check and bool(differing))


def _before(path: Path, *, needed: bool) -> Lock | None:
    return lock_file.read(path) if needed else None


async def _checked(
    asked: settings.Asked, paths: list[Path], python: str | None, jobs: int, *, cache: bool
) -> list[Checked]:
    results = cache_of(asked, here(), wanted=cache)
    kept = "golden facts"
    async with Linter(asked, python=python, jobs=jobs, cache=results, keep=_golden, kept=kept) as linter:
        return await linter.check(found(paths))


def _refuse_unread(checked: Iterable[Checked]) -> None:
    """Raise UsageError for files of whose kernels nothing is known: a lock without them would be taken for whole."""
    told = [
        f"{one.source.shown}:{finding.line}: {finding.code}: {finding.message}"
        for one in checked
        for finding in one.facts.findings
        if finding.severity == "error" or finding.code == no_tilelang.RULE.code
    ]
    if told:
        raise UsageError("\n".join(["these files cannot be locked:", *sorted(told)]))


def _golden(facts: FileFacts) -> FileFacts:
    """The facts without those that no lock has."""
    kernels = (replace(kernel, accesses=(), coverage=(), warp_accesses=()) for kernel in facts.kernels)
    return replace(facts, kernels=tuple(kernels))


def _lock(
    checked: Iterable[Checked], folder: Path, before: Lock | None, asked: settings.Asked, paths: tuple[Path, ...]
) -> Lock:
    entries: list[Entry] = []
    versions = set()
    for one in checked:
        name = _relative(Path(one.source.path), folder)
        entries += entries_of(name, one.facts.kernels)
        versions |= {one.facts.tilelang} - {None}
    named = () if before else tuple(sorted(_relative(path, folder) for path in paths))
    return Lock(
        tilelang=min((one for one in versions if one), default=None),
        paths=named or (before.paths if before else (_relative(Path(), folder),)),
        targets=asked.targets,
        specialization=asked.specialization,
        entries=tuple(entries),
    )


def _looked_at(paths: tuple[Path, ...], before: Lock | None, folder: Path) -> list[Path]:
    """The paths to check: what is gone of those that were locked is a change, not bad usage."""
    if paths or before is None:
        return list(paths) or [Path()]
    locked = [folder / one for one in before.paths]
    return [one for one in locked if one.exists()]


def _beside(now: Lock, before: Lock, paths: Iterable[str]) -> Lock:
    """The lock with the entries of files that were not looked at as they were."""
    asked = tuple(paths)

    def looked_at(entry: Entry) -> bool:
        return any(one == "." or entry.file == one or entry.file.startswith(f"{one}/") for one in asked)

    kept = [entry for entry in before.entries if not looked_at(entry)]
    return replace(now, entries=(*kept, *now.entries))


def _relative(path: Path, folder: Path) -> str:
    return os.path.relpath(path.absolute(), folder).replace(os.sep, "/")


def _only(now: Lock, before: Lock | None, kernel: str) -> Lock:
    """The lock as it was, but for the kernels that are meant. Raises UsageError where there are none."""

    def meant(entry: Entry) -> bool:
        return f".{entry.kernel}.".endswith(f".{kernel}.") or f".{kernel}." in f".{entry.kernel}."

    fresh = [entry for entry in now.entries if meant(entry)]
    old = before.entries if before else ()
    if not fresh and not any(map(meant, old)):
        known = ", ".join(sorted({entry.kernel for entry in now.entries}))
        raise UsageError(f"-k {kernel}: there is no such kernel; there are {known or 'none'}")
    return replace(now, entries=(*(entry for entry in old if not meant(entry)), *fresh))


def _tell(
    path: Path, before: Lock | None, now: Lock, found: tuple[Change, ...], output_format: str, *, written: bool
) -> None:
    versions = {"before": before.tilelang if before else None, "after": now.tilelang}
    if output_format == "json":
        shape = {
            "file": str(path),
            "tilelang": versions,
            "kernels": len(now.entries),
            "assumed": sum(bool(entry.assumed) for entry in now.entries),
            "changes": to_public(found),
        }
        echo_json(document("lock", shape))
        return
    if before is not None and found:
        echo_text(text(found))
    if before is not None and found and now.tilelang not in (None, before.tilelang):
        note(f"the lock was made with TileLang {before.tilelang}; this is {now.tilelang}")
    what = counted(len(now.entries), "kernel")
    if written:
        note(f"{path}: {what} locked")
    else:
        note(f"{path}: {counted(len(found), 'change')}" if found else f"{path}: {what} as locked")
    if told := _assumed(now):
        note(told)


def _assumed(now: Lock) -> str:
    """A line on the kernels whose facts are those of arguments that nothing gives; empty where there are none."""
    guessed = [entry.assumed for entry in now.entries if entry.assumed]
    if not guessed:
        return ""
    names = ", ".join(sorted(set().union(*guessed)))
    return (
        f"{len(guessed)} of {counted(len(now.entries), 'kernel')} compiled with assumed arguments ({names}): give"
        " values by a directive (# tilescope: M=...) or the configuration"
    )


def _write(path: Path, text: str) -> None:
    try:
        write_whole(path, text.encode(errors="surrogateescape"))
    except OSError as error:
        raise UsageError(f"cannot write {path}: {error.strerror or error}") from None
