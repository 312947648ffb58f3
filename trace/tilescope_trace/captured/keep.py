"""From what a run has seen to the captured files of the projects that its kernels belong to."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from tilescope_trace.errors import UsageError
from tilescope_trace.files import read_snapshot
from tilescope_trace.source.discover import discover
from tilescope_trace.source.imports import workspace_of
from tilescope_trace.source.names import resolve
from tilescope_trace.source.tolerant import parse

from .files import read, write
from .format import CapturedFileError
from .merge import merge
from .model import FILE, CapturedFile
from .parts import Sight

_INSTALLED = frozenset({"site-packages", "dist-packages"})


@dataclass(frozen=True)
class Kept:
    """One captured file after a run: how many of the run's specializations, of how many kernels, are in it, and how
    many were left out by the cap, by kernel. ``problem`` is why the file could not be used; ``path`` is then another
    one beside it, or None."""

    path: Path | None
    specializations: int
    kernels: int
    dropped: Mapping[str, int] = field(default_factory=dict)
    problem: str | None = None


def own(sights: Iterable[Sight], *, installed: bool = False) -> list[Sight]:
    """The sights of kernels in files, under the kernels' names; without those of installed packages unless they are
    wanted."""
    names: dict[str, list[str]] = {}
    found: list[Sight] = []
    for sight in sights:
        path = Path(sight.file)
        if not path.is_file() or (not installed and _INSTALLED & set(path.parts)):
            continue
        if sight.file not in names:
            names[sight.file] = _kernels_of(path)
        found.append(named(sight, names[sight.file]))
    return found


def named(sight: Sight, qualnames: Sequence[str]) -> Sight:
    """A sight under the name of its kernel. Of one that was not built (a failure, or the autotuner had its choice on
    disk) only the factory is known, which is enough where it has one kernel."""
    inside = [name for name in qualnames if name.startswith(f"{sight.qualname}.")]
    return replace(sight, qualname=inside[0]) if sight.qualname not in qualnames and len(inside) == 1 else sight


def _kernels_of(path: Path) -> list[str]:
    try:
        parsed = parse(read_snapshot(path).text)
    except UsageError:
        return []
    return [kernel.qualname for kernel in discover(parsed, resolve(parsed))]


def keep(sights: Sequence[Sight], out: Path | None, cap: int) -> Iterator[Kept]:
    """Merge the sights into ``out``, or each into the captured file at the top of its kernel's project."""
    by_file: dict[Path, list[Sight]] = {}
    for sight in sights:
        by_file.setdefault(out or Path(workspace_of(sight.file)) / FILE, []).append(sight)
    for path in sorted(by_file):
        yield _keep_in(path, by_file[path], cap)


def _keep_in(path: Path, sights: Sequence[Sight], cap: int) -> Kept:
    kernels = len({(sight.file, sight.qualname) for sight in sights})
    problem: str | None = None
    with _alone_in(path.parent):
        try:
            before = read(path).kernels if path.exists() else {}
        except CapturedFileError as error:
            # What is in it may matter to somebody: the run is kept beside it.
            problem, before, path = str(error), {}, path.with_name(path.name + ".new")
        merged = merge(before, sights, path.parent, cap)
        try:
            write(path, merged.kernels)
        except OSError as error:
            return Kept(None, 0, kernels, problem=f"{path} cannot be written: {error.strerror or error}")
    return Kept(path, merged.seen, kernels, merged.dropped, problem)


@contextlib.contextmanager
def _alone_in(folder: Path) -> Iterator[None]:
    """Keep other captures out of the folder's file between reading and writing, where the system can."""
    with contextlib.ExitStack() as stack:
        with contextlib.suppress(ImportError, OSError):
            import fcntl
            import os

            descriptor = os.open(folder, os.O_RDONLY)
            stack.callback(os.close, descriptor)
            fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield


def as_captured(sight: Sight) -> CapturedFile:
    """A captured file that holds a sight and nothing else; it is on no disk, which line 0 says."""
    root = Path(sight.file).parent
    entry = merge({}, [sight], root, 1).kernels
    return CapturedFile(str(root / FILE), entry, {(Path(sight.file).name, sight.qualname): (0,)})
