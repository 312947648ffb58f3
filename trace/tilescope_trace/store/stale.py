"""Whether the Python sources of a recording are still what lies on disk."""

from __future__ import annotations

from pathlib import Path

from .read import Recording

SLACK = 4
"""A file is read only up to this many times the recorded size: beyond, it is another text anyway."""


def changed_sources(recording: Recording) -> tuple[str, ...]:
    """Paths, as in ``recording.sources()``, of the files that now hold another text; a file that is not here, as on
    another machine, is none of them. Raises RecordingError where the recorded sources are damaged."""
    workspace = Path(recording.info.workspace or "")
    changed = []
    for source in recording.sources():
        found = _text(workspace / source.path, SLACK * len(source.text.encode("utf-8", "surrogatepass")) + 4096)
        if found is not None and found != source.text:
            changed.append(source.path)
    return tuple(changed)


def _text(path: Path, most: int) -> str | None:
    """The text of a regular file, cut at ``most`` bytes; None where there is none that can be read."""
    try:
        if not path.is_absolute() or not path.is_file():
            return None
        with path.open("rb") as file:
            data = file.read(most)
    except (OSError, ValueError):
        return None
    # As read_text does, which the recorder used.
    return data.decode("utf-8", "replace").replace("\r\n", "\n").replace("\r", "\n")
