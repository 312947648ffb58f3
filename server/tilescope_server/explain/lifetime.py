"""What became of a buffer, pass by pass, in a recording."""

from __future__ import annotations

from tilescope_trace.errors import UsageError
from tilescope_trace.history import of_buffer
from tilescope_trace.store.read import Recording

MOST = 10
"""Steps that a hover tells."""


def lifetime(recording: Recording, buffer: str) -> str:
    """The steps as a list; empty where the recording knows nothing of the buffer."""
    try:
        steps = of_buffer(recording, buffer).steps
    except UsageError:
        return ""
    told = [f"- {step.record.index} `{step.record.label}`: {step.change}" for step in steps[:MOST]]
    if len(steps) > MOST:
        told.append(f"- and {len(steps) - MOST} more")
    return "\n".join(["through the passes:", "", *told]) if told else ""
