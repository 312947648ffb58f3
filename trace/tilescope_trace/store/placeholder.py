"""What is said of a recording that was cut off before it was described."""

from __future__ import annotations

from tilescope_trace.model import Kernel, RecordingInfo, Specialization


def incomplete_info(name: str, language: str | None) -> RecordingInfo:
    """An incomplete recording of an unknown kernel; ``name`` stands for it."""
    kernel = Kernel(
        name=name,
        qualname=name,
        line=1,
        form="prim_func",
        target="unknown",
        target_origin="default",
        stage="static",
        status="partial",
        specialization=Specialization(id="0" * 12),
        notes=("The recording was cut off before kernel, form and target were written; they are placeholders.",),
    )
    return RecordingInfo(
        kernel=kernel,
        status="incomplete",
        lower_ms=0.0,
        record_ms=0.0,
        created="",
        tilescope="",
        tilelang=None,
        workspace=None,
        generated_language=language,
    )
