"""Where kernels of open documents spend their time, by attached profiles: what hints and hovers tell of it."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from tilescope_trace.model import Kernel

from .shift import between

if TYPE_CHECKING:  # slow to import: only where profiles are attached
    from tilescope_trace.profile.heat import Heat, Hot
    from tilescope_trace.store.read import Recording

Key = tuple[str, str, str]
"""A kernel by qualified name, specialization and target: a profile is of one compile."""


@dataclass(frozen=True)
class LineHeat:
    """By line; ``stale`` where an earlier text was measured."""

    lines: Mapping[int, Hot]
    stale: bool = False


NO_HEAT = LineHeat({})


@dataclass(frozen=True)
class KernelHeat:
    """``lines`` are those of ``text``, which was recorded; ``of`` says what shares are of."""

    text: str
    lines: Mapping[int, Hot]
    of: str

    def on(self, text: str) -> LineHeat:
        """By line of another text; lines that an edit touched have none, since they were not measured."""
        if text == self.text:
            return LineHeat(self.lines)
        shift = between(self.text, text)
        moved = ((shift.line(line), hot) for line, hot in self.lines.items())
        return LineHeat({line: hot for line, hot in moved if line is not None}, stale=True)


def heat_key(kernel: Kernel) -> Key:
    """The key of a kernel's heat."""
    return kernel.qualname, kernel.specialization.id, kernel.target


def kernel_heat(heat: Heat, recording: Recording, path: str, text: str) -> KernelHeat:
    """The part of ``heat`` that is about the document ``path`` with ``text``."""
    workspace, real = Path(recording.info.workspace or ""), os.path.realpath(path)
    lines = {
        origin.line: hot for origin, hot in heat.python.items() if os.path.realpath(workspace / origin.file) == real
    }
    return KernelHeat(text, lines, heat.of)
