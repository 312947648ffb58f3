"""Which pass of a recording to show first."""

from __future__ import annotations

from collections.abc import Sequence

from tilescope_trace.model import PassRecord

FIRST_LOOK = "LayoutInference"
"""End of the name of the pass that most people come for."""


def first_shown(passes: Sequence[PassRecord]) -> int:
    """The position of the failed pass, else of the inference of layouts where that changed something, else of the
    first pass that did; 0 where none did, and where there is none."""
    failed = (at for at, record in enumerate(passes) if record.status == "failed")
    changed = [at for at, record in enumerate(passes) if record.changed]
    inference = (at for at in changed if passes[at].name.endswith(FIRST_LOOK))
    return next(failed, next(inference, changed[0] if changed else 0))
