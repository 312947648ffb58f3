"""The kernels that come with tilescope."""

from __future__ import annotations

from pathlib import Path

from tilescope_trace.model import Snapshot

FOLDER = Path(__file__).parent / "kernels"


def bundled(name: str) -> Path:
    """The path of the bundled kernel file ``name`` (without ``.py``)."""
    return FOLDER / f"{name}.py"


def bundled_snapshot(name: str) -> Snapshot:
    """The bundled kernel file ``name`` (without ``.py``) as it is on disk."""
    path = bundled(name)
    return Snapshot(path=str(path), text=path.read_text(encoding="utf-8"))
