"""The first pass that makes something else of a kernel than it did with another compiler, or without pass configs."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from tilescope.session import Session
from tilescope_passdiff.compare import Comparison, compare
from tilescope_server.lint import settings
from tilescope_server.lint.lock.compare import Change
from tilescope_server.lint.lock.facts import numbered
from tilescope_server.lint.model import Checked
from tilescope_trace.config.read import config_for
from tilescope_trace.errors import UsageError
from tilescope_trace.model import Options, Snapshot
from tilescope_trace.source.plan import plan_file
from tilescope_trace.source.workspace import shared_workspace
from tilescope_trace.store.read import open_recording


async def with_first_passes(
    changes: Sequence[Change], checked: dict[str, Checked], asked: settings.Asked, before: str, now: str | None
) -> tuple[Change, ...]:
    """The changes, each with the first pass that differs between the interpreter ``before``, without the pass configs
    of the command line, and ``now`` with them. ``checked`` are the results by the names that changes have for files.
    Raises UsageError for an interpreter that does not exist or has no TileLang."""
    found = []
    async with Session(before, Path.cwd()) as old, Session(now, Path.cwd()) as new:
        for change in changes:
            one = checked.get(change.file)
            told = await _told(change, one, asked, old, new) if one is not None else None
            found.append(replace(change, first_pass=told))
    return tuple(found)


async def _told(change: Change, checked: Checked, asked: settings.Asked, old: Session, new: Session) -> str | None:
    """What is said of the first pass; None for a kernel that is not compiled now."""
    wanted = (change.kernel, change.target, change.arguments)
    at = [place for place, (key, _) in enumerate(numbered(checked.facts.kernels)) if key[:3] == wanted]
    if len(at) != 1 or checked.source.text is None:
        return None
    snapshot = Snapshot(checked.source.path, checked.source.text)
    sides = [(old, replace(asked, pass_configs=())), (new, asked)]
    with tempfile.TemporaryDirectory(prefix="tilescope-") as folder:
        paths = [Path(folder, f"{number}.tscope") for number in range(2)]
        for (session, its), path in zip(sides, paths, strict=True):
            options = _only(snapshot, its, at[0], len(checked.facts.kernels))
            if options is None:
                return None
            await session.recording(snapshot, options, path)
        with open_recording(paths[0]) as a, open_recording(paths[1]) as b:
            return _said(compare(a, b))


def _only(snapshot: Snapshot, asked: settings.Asked, at: int, count: int) -> Options | None:
    """Options that ask for one kernel of a file, told by its place among all."""
    options = replace(settings.options(asked, config_for(snapshot.path).config), device_compile=False)
    try:
        kernels = plan_file(snapshot, options, shared_workspace(snapshot.path)).statics
    except UsageError:
        return None
    if len(kernels) != count:
        return None
    one = kernels[at]
    return replace(
        options,
        kernel=one.qualname,
        targets=(one.target,),
        every_target=(),
        specialization=one.specialization.id,
        first_specialization=False,
    )


def _said(comparison: Comparison) -> str:
    found = comparison.first_divergence
    if found is None:
        return "no pass differs: the source has changed"
    one = found.b or found.a
    assert one is not None
    said = {
        "input": f"{one.label} already gets something else",
        "output": f"{one.label}",
        "only-a": f"{one.label}, which is no longer run",
        "only-b": f"{one.label}, which was not run",
    }
    return said[found.where]
