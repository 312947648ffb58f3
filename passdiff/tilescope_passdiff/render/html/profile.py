"""What the page shows of profiles that are laid over the recording, as plain JSON values."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tilescope_passdiff.render.timeline import time_text
from tilescope_passdiff.render.timeline_strip import timeline_strip
from tilescope_trace.profile.attribute import Attribution, Weight
from tilescope_trace.profile.overlay import Overlay
from tilescope_trace.profile.spans import median
from tilescope_trace.profile.stalls import short_stall

from .pool import shown


def profile_of(overlay: Overlay, files: Mapping[str, int]) -> dict[str, Any]:
    """One profile: what it is, its lanes, and shares of lines. ``files`` are the numbers of the page's sources."""
    profile = overlay.profile
    placed = overlay.placed
    strip = timeline_strip(profile, overlay.launches)
    found = placed.attribution if placed is not None else None
    notes = [note.message for note in profile.notes]
    if strip is not None and strip.left_out:
        notes.append(f"{strip.left_out} more lanes have no room here")
    return {
        "file": shown(_name(profile.path)),
        "format": shown(profile.format),
        "device": shown(", ".join(dict.fromkeys(device.name for device in profile.devices))),
        "launches": _launches(overlay),
        "reason": shown(overlay.reason),
        "total": None if found is None else _amount(found),
        "strip": None if strip is None else strip.svg,
        "python": [] if found is None else _python(found, files),
        "generated": [] if found is None else [[line, *_weight(found, one)] for line, one in found.generated.items()],
        "short": {} if found is None else _short(found),
        "unplaced": [] if found is None else _unplaced(found),
        "shared": 0.0 if found is None or not found.total else round(found.shared / found.total, 4),
        "notes": [shown(note) for note in notes],
    }


def _name(path: Path) -> str:
    """The file or folder, with the one around it where its name is only a number, as msprof counts launches."""
    return "/".join(path.parts[-2:]) if path.name.isdigit() else path.name


def _launches(overlay: Overlay) -> str:
    launches = [overlay.profile.launches[index] for index in overlay.launches]
    count = sum(launch.count for launch in launches)
    times = [launch.duration_ns // launch.count for launch in launches if launch.duration_ns is not None]
    took = f", {'median ' if count > 1 else ''}{time_text(median(times))}" if times else ""
    return f"{count:,} launch{'' if count == 1 else 'es'}{took}"


def _amount(found: Attribution) -> str:
    return f"{found.total:,} {'samples' if found.unit == 'samples' else f'{found.unit} of instructions'}"


def _python(found: Attribution, files: Mapping[str, int]) -> list[list[Any]]:
    return [
        [files[origin.file], origin.line, *_weight(found, weight)]
        for origin, weight in sorted(found.python.items(), key=lambda item: -item[1].samples)
        if origin.file in files
    ]


def _weight(found: Attribution, weight: Weight) -> list[Any]:
    stall = weight.top_stall
    return [round(found.share(weight), 4), None if stall is None else _words(stall)]


def _short(found: Attribution) -> dict[str, str]:
    """Short names of stalls, for the columns beside code, by those that are written out."""
    stalls = {weight.top_stall for weights in (found.python, found.generated) for weight in weights.values()}
    return {_words(stall): _words(short_stall(stall)) for stall in sorted(filter(None, stalls))}


def _words(stall: str) -> str:
    return shown(stall.removeprefix("stall_").replace("_", " "))


def _unplaced(found: Attribution) -> list[list[Any]]:
    return [
        [shown(reason), round(samples / found.total, 4)] for reason, samples in found.unplaced.items() if found.total
    ]
