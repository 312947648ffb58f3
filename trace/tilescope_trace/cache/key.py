"""The key under which the result of analysing a file is kept."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Sequence

import msgspec

from tilescope_trace.model import Snapshot
from tilescope_trace.source.imports import workspace_of
from tilescope_trace.source.plan import FilePlan

from .closure import closure
from .identity import environment_identity, tilescope_identity

_FORMAT = 1


def key_of(snapshot: Snapshot, plan: FilePlan, tilelang: str | None, asked: Sequence[str] = ()) -> str:
    """A hash of all that the facts of a file depend on: its text and that of the workspace modules it imports, each
    specialization and target that is planned for it (whatever decided them), TileLang (``tilelang_identity``; None
    for static facts) and tilescope; ``asked`` tells what is kept of it. The place of the
    workspace is no part of it, so machines can share results."""
    workspace = workspace_of(snapshot.path)
    parts = {
        "format": _FORMAT,
        "path": os.path.relpath(snapshot.path, workspace),
        "text": hashlib.sha256(snapshot.text.encode(errors="surrogatepass")).hexdigest(),
        "modules": closure(snapshot.path, plan.parsed.tree, workspace),
        "requests": plan.requests,
        "statics": plan.statics,
        "findings": plan.findings,
        "tilelang": tilelang,
        "tilescope": tilescope_identity(),
        "environment": environment_identity(),
        "asked": asked,
    }
    encoded = msgspec.json.encode(parts, order="sorted").replace(workspace.encode(), b"")
    return hashlib.sha256(encoded).hexdigest()
