"""What profilers have recorded of a document's kernel."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tilescope_passdiff.render.timeline import timeline_json
from tilescope_trace.profile.correlate import correlate
from tilescope_trace.profile.heat import Heat, heat_of
from tilescope_trace.profile.load import load_profiles
from tilescope_trace.profile.placed import Codes, placed
from tilescope_trace.profile.recorded import recorded_kernel
from tilescope_trace.profile.timeline import timeline_file
from tilescope_trace.profile.verdict.gather import Joined, verdicts
from tilescope_trace.store.read import Recording


def timeline(
    paths: Sequence[Path], recording: Recording | None, files: Sequence[Path] = ()
) -> tuple[dict[str, Any], Heat | None]:
    """The document ``timeline`` of profiles, joined with the recording of the kernel where there is one, and where
    the kernel spends its time; ``files`` are machine code. Large ones take long. Raises UsageError for one that
    cannot be read."""
    opened = {recording.path: recording} if recording is not None else {}
    known = [recorded_kernel(one) for one in opened.values()]
    loaded = [
        (profile, correlate(profile, known) if known else None) for path in paths for profile in load_profiles(path)
    ]
    codes = Codes(files)
    joined = [Joined(profile, joins or (), placed(profile, joins or (), opened, codes)) for profile, joins in loaded]
    told = [timeline_file(profile, joins, one.placed) for (profile, joins), one in zip(loaded, joined, strict=True)]
    heat = heat_of(joined, recording) if recording is not None else None
    return timeline_json(told, verdicts(joined, opened) if opened else {}), heat
