"""Two recordings side by side: versions of a kernel, specializations, targets, versions of TileLang, pass configs."""

from __future__ import annotations

from tilescope_trace.store.read import Recording

from . import align, environment, facts
from .model import Comparison, Divergence, EnvironmentDifference, Outcome, PassPair, TextDiff
from .texts import Texts

__all__ = ["Comparison", "Divergence", "EnvironmentDifference", "Outcome", "PassPair", "TextDiff", "compare"]


def compare(a: Recording, b: Recording) -> Comparison:
    """What differs between two recordings. Raises RecordingError where one is damaged."""
    texts = Texts(a, b)
    aligned = align.pairs(a, b, texts)
    buffers, others = facts.differences(a.info.kernel, b.info.kernel)
    generated = _generated(a, b)
    divergence = align.first_divergence(a, b, aligned, texts)
    same_source = generated is None or not (generated.insertions or generated.deletions)
    return Comparison(
        same=divergence is None and same_source and not buffers and a.info.status == b.info.status,
        environment=environment.differences(a, b),
        passes=aligned,
        first_divergence=divergence,
        first_structural=align.first_structural(a, b, aligned, texts),
        buffers=buffers,
        facts=others,
        generated=generated,
    )


def _generated(a: Recording, b: Recording) -> TextDiff | None:
    old, new = a.generated(), b.generated()
    if old is None and new is None:
        return None
    return align.text_diff(old or "", new or "")
