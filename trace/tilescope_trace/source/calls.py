"""Where a file calls its kernels, and with which values."""

from __future__ import annotations

from collections.abc import Sequence

from tilescope_worker.models import Model

from .discover import KernelSource
from .finder import Finder
from .leading import exported
from .names import Names
from .remembered import outline
from .sites import Calls, joined, more
from .tolerant import Parsed
from .workspace import Source, Workspace

_USERS = 6
"""Files of the workspace that are looked at for calls."""


def find_calls(
    parsed: Parsed,
    names: Names,
    kernels: Sequence[KernelSource],
    path: str = "",
    workspace: Workspace | None = None,
    device: Model | None = None,
) -> Calls:
    """Go over the module, following calls; then over each function that was not called, with what is known of its
    parameters, over branches not taken, and at last over files of the workspace that use this one, as long as there
    is a kernel of which no call tells all. Questions to the device are answered for ``device``."""
    finder = Finder(Source(path, parsed, names), tuple(kernels), workspace, device)
    finder.run()
    if workspace is None or not (wanted := finder.open()):
        return finder.calls()
    users = _users(workspace, path, exported(parsed, wanted))
    stamps = {user.path: user.stamp for user in users}
    now = outline(parsed, kernels, device)
    known = workspace.memory.recall(path, now, stamps, parsed)
    if known is None:
        before = finder.calls()
        for user in users:
            if finder.open():
                finder.use(user)
        known = more(finder.calls(), before)
        workspace.memory.keep(path, now, stamps, parsed, known)
        return finder.calls()
    return joined(finder.calls(), known)


def _users(workspace: Workspace, path: str, names: set[str]) -> list[Source]:
    """Files that call functions of a file, then those that call functions of these, as tests call a library's."""
    direct = list(workspace.users(path, names, _USERS))
    found = {user.path: user for user in direct}
    for user in direct:
        lead = exported(user.parsed, names)
        for other in workspace.users(user.path, lead, _USERS) if lead else ():
            if len(found) < 2 * _USERS and other.path != path:
                found.setdefault(other.path, other)
    return list(found.values())
