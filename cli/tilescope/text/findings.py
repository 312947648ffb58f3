"""Findings as text, in the form that editors and terminals make clickable."""

from __future__ import annotations

from collections.abc import Iterator

from rich.console import RenderableType
from rich.padding import Padding
from rich.text import Text

from tilescope_trace.model import Finding

from .paths import shown

STYLE = {"error": "bold red", "warning": "bold yellow", "info": "bold blue"}


def finding_lines(finding: Finding) -> Iterator[RenderableType]:
    """``file:line:column: error TS101: message``, then what is related and what to do."""
    yield Text.assemble(
        f"{shown(finding.file)}:{finding.line}:{finding.column}: ",
        (finding.severity, STYLE[finding.severity]),
        (f" {finding.code}", "bold"),
        f": {finding.message}",
        (f"  [{finding.pass_name}]" if finding.pass_name else "", "dim"),
    )
    if finding.confidence == "likely" and finding.code.startswith("TS1"):
        yield _below("place: the compiler gives no line; this is the kernel", "dim")
    for place in finding.related:
        yield _below(f"{shown(place.file)}:{place.line}: {place.message}", "dim")
    if finding.help:
        yield _below(f"help: {finding.help}")


def _below(text: str, style: str = "") -> Padding:
    return Padding(Text(text, style), (0, 0, 0, 4))
