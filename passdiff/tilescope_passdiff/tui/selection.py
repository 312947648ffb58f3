"""What the reader points at, in terms that every pane and screen understands."""

from __future__ import annotations

from dataclasses import dataclass

from tilescope_trace.model import Origin


@dataclass(frozen=True)
class Selection:
    """``places`` are Python lines as the recording names them, ``buffer`` is a buffer by its name in Python. Both
    empty: nothing whose origin is known. A pane says what is selected (`pointed`) and shows it (`point_at`); whoever
    takes part in this needs to know of no other pane."""

    places: tuple[Origin, ...] = ()
    buffer: str | None = None

    def __bool__(self) -> bool:
        return bool(self.places or self.buffer)
