"""Files that differ from a revision, and those that import them, as git tells."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterable, Sequence
from pathlib import Path

from tilescope_trace.cache.closure import closure
from tilescope_trace.errors import UsageError
from tilescope_trace.source.imports import workspace_of
from tilescope_trace.source.tolerant import parse

from .model import Source


def changed_since(revision: str, folder: Path) -> frozenset[str]:
    """The real paths of files of the repository around ``folder`` that differ from ``revision``, or from where the
    present branch left it; files that git does not know yet are among them. Raises UsageError."""
    if revision.startswith("-"):
        raise UsageError(f"--changed-since {revision}: this is no revision")
    top = Path(_git(revision, folder, "rev-parse", "--show-toplevel").strip())
    base = _merge_base(revision, folder)
    names = _git(revision, folder, "diff", "--name-only", "-z", "--diff-filter=d", base, "--").split("\0")
    new = _git(revision, top, "ls-files", "--others", "--exclude-standard", "-z").split("\0")
    return frozenset(os.path.realpath(top / name) for name in [*names, *new] if name)


def affected(sources: Iterable[Source], changed: frozenset[str]) -> tuple[Source, ...]:
    """The sources that have changed, or import what has."""
    return tuple(source for source in sources if source.path in changed or not changed.isdisjoint(_imports(source)))


def _imports(source: Source) -> Sequence[str]:
    if source.text is None:
        return ()
    workspace = workspace_of(source.path)
    names = closure(source.path, parse(source.text).tree, workspace)
    return [os.path.realpath(Path(workspace, name)) for name in names]


def _merge_base(revision: str, folder: Path) -> str:
    """What a branch changed is counted from where it began, as for a pull request; histories that do not meet (a
    shallow clone) are compared as they are."""
    _git(revision, folder, "rev-parse", "--verify", "--quiet", f"{revision}^{{commit}}")
    try:
        return _git(revision, folder, "merge-base", revision, "HEAD").strip()
    except UsageError:
        return revision


def _git(revision: str, folder: Path, *arguments: str) -> str:
    command = ["git", "-C", str(folder), *arguments]
    try:
        done = subprocess.run(command, capture_output=True, text=True, errors="surrogateescape", check=False)
    except OSError as error:
        raise UsageError(f"--changed-since {revision}: cannot run git: {error.strerror or error}") from None
    if done.returncode != 0:
        said = done.stderr.strip().splitlines()
        reason = said[-1] if said else "git knows no such revision; a shallow clone has only the newest ones"
        raise UsageError(f"--changed-since {revision}: {reason}")
    return done.stdout
