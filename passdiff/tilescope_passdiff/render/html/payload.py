"""All that the page shows of a recording, as plain JSON values; worked out here, so that the page only draws."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from tilescope_passdiff.layouts import new_layouts
from tilescope_passdiff.lines import split
from tilescope_passdiff.opening import first_shown
from tilescope_passdiff.summary import summary_of
from tilescope_trace.errors import UsageError
from tilescope_trace.model import Origin, PassRecord
from tilescope_trace.passes.lookup import explained
from tilescope_trace.profile.overlay import Overlay
from tilescope_trace.provenance import Provenance, of_generated, of_text
from tilescope_trace.store.read import Recording

from .changes import changes
from .facts import facts_of
from .pool import LinePool, shown
from .profile import profile_of


def payload(recording: Recording, overlays: Sequence[Overlay] = ()) -> dict[str, Any]:
    """The page's data. What is damaged in the recording is named in its place (``problem``); the rest is there.
    ``overlays`` are profiles to show over it."""
    return _Payload(recording, overlays).build()


class _Payload:
    """The state of one build: which lines and texts have a number already."""

    def __init__(self, recording: Recording, overlays: Sequence[Overlay]) -> None:
        self._recording = recording
        self._overlays = overlays
        self._pool = LinePool()
        self._files: dict[str, int] = {}
        self._numbers: dict[str, int] = {}
        self._texts: list[dict[str, Any]] = []
        self._lines: dict[str, list[str]] = {}
        self._compared: dict[tuple[str, str], int] = {}
        self._diffs: list[dict[str, Any]] = []

    def build(self) -> dict[str, Any]:
        info = self._recording.info
        sources = self._sources()
        passes = [self._pass(record) for record in self._recording.passes]
        generated = self._generated()
        return {
            "kernel": shown(info.kernel.qualname),
            "target": shown(info.kernel.target),
            "status": info.status,
            "stage": info.kernel.stage,
            "lowerMs": info.lower_ms,
            "facts": facts_of(info),
            "sources": sources,
            "passes": passes,
            "first": first_shown(self._recording.passes),
            "generated": generated,
            "profiles": [profile_of(overlay, self._files) for overlay in self._overlays],
            "texts": self._texts,
            "diffs": self._diffs,
            "lines": self._pool.lines,
        }

    def _sources(self) -> list[dict[str, Any]]:
        try:
            sources = self._recording.sources()
        except UsageError as error:
            return [{"path": "", "lines": [], "problem": shown(str(error))}]
        self._files = {source.path: number for number, source in enumerate(sources)}
        return [{"path": shown(source.path), "lines": self._pool.add(split(source.text))} for source in sources]

    def _pass(self, record: PassRecord) -> dict[str, Any]:
        inside = sum(other.duration_ms for other in self._recording.passes if other.parent == record.index)
        before = self._text(record.before)
        after = None if record.after is None else self._text(record.after)
        return {
            "index": record.index,
            "label": shown(record.label),
            "phase": None if record.phase is None else shown(record.phase),
            "module": record.module,
            "depth": record.depth,
            "changed": record.changed,
            "status": record.status,
            "error": None if record.error is None else shown(record.error.strip()),
            "ms": round(record.duration_ms, 3),
            "selfMs": round(max(0.0, record.duration_ms - inside), 3),
            "before": before,
            "after": after,
            "diff": self._diff(record),
            "purpose": _purpose(record),
            **self._told(record),
        }

    def _told(self, record: PassRecord) -> dict[str, Any]:
        """What the pass did in a line, and the layouts that it attached, which the printed IR leaves out."""
        try:
            summary, layouts = summary_of(self._recording, record), new_layouts(self._recording, record)
        except UsageError:
            # The text itself says what is damaged.
            return {"summary": "", "layouts": []}
        return {
            "summary": shown(summary),
            "layouts": [shown(f"{layout.name}: {layout.summary}") for layout in layouts],
        }

    def _text(self, name: str) -> int:
        if name not in self._numbers:
            self._numbers[name] = len(self._texts)
            self._texts.append(self._read(name))
        return self._numbers[name]

    def _read(self, name: str) -> dict[str, Any]:
        try:
            lines, places = split(self._recording.text(name)), of_text(self._recording, name)
        except UsageError as error:
            return {"lines": [], "map": [], "problem": shown(str(error))}
        self._lines[name] = lines
        return {"lines": self._pool.add(lines), "map": self._map(places)}

    def _diff(self, record: PassRecord) -> int | None:
        after = record.after
        if after is None or after == record.before or record.before not in self._lines or after not in self._lines:
            return None
        pair = (record.before, after)
        if pair not in self._compared:
            full, plain = changes(self._lines[record.before], self._lines[after])
            self._compared[pair] = len(self._diffs)
            self._diffs.append({"full": full, "plain": plain})
        return self._compared[pair]

    def _generated(self) -> dict[str, Any]:
        recording = self._recording
        try:
            text, places = recording.generated(), of_generated(recording)
        except UsageError as error:
            return {"language": "", "lines": [], "map": [], "roles": [], "problem": shown(str(error))}
        if text is None:
            problem = "There is no generated source: the compiler did not come so far."
            return {"language": "", "lines": [], "map": [], "roles": [], "problem": problem}
        return {
            "language": shown(recording.info.generated_language or ""),
            "lines": self._pool.add(split(text)),
            "map": self._map(places),
            "roles": [[line, shown(role)] for line, role in places.roles.items()],
        }

    def _map(self, places: Provenance) -> list[int]:
        """Text line, number of the source, Python line, one after the other, each less what stood there before."""
        return _stepped(places.origins, self._files)


def _purpose(record: PassRecord) -> str | None:
    """What the pass is for; None for one that is not known."""
    info = explained(record.name)
    return None if info is None else info.purpose


def _stepped(origins: Mapping[int, tuple[Origin, ...]], files: Mapping[str, int]) -> list[int]:
    steps: list[int] = []
    last, last_python = 0, 0
    for line, places in sorted(origins.items()):
        for place in places:
            if place.file not in files:
                continue
            steps += (line - last, files[place.file], place.line - last_python)
            last, last_python = line, place.line
    return steps
