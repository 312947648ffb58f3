"""What a form needs beside the report."""

from __future__ import annotations

from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version

from tilescope_trace.model import Severity


@dataclass(frozen=True)
class Context:
    """``level`` is the severity from which on the run fails; ``colour`` asks for a terminal's colours; ``shard`` is
    the part of the run that this report is (``2/4``), None for all of it; ``matrix`` asks for the portability table
    where a form has room for it."""

    level: Severity = "warning"
    colour: bool = False
    shard: str | None = None
    matrix: bool = False


def tool_version() -> str:
    """The version of tilescope."""
    try:
        return version("tilescope")
    except PackageNotFoundError:
        return "0"
