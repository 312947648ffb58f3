"""What a pass is for."""

from __future__ import annotations

from collections.abc import Iterator

from rich.console import RenderableType
from rich.padding import Padding
from rich.text import Text

from tilescope_trace.passes import PassInfo
from tilescope_trace.passes.model import EVERY


def explained(info: PassInfo) -> Iterator[RenderableType]:
    """The name, the purpose, and which targets run the pass."""
    yield Text(info.name, "bold cyan")
    yield Padding(Text(info.purpose), (0, 0, 0, 2))
    targets = "every target" if info.pipelines == EVERY else ", ".join(info.pipelines)
    yield Padding(Text(f"runs on {targets}" + (f" ({info.when})" if info.when else ""), "dim"), (0, 0, 0, 2))
