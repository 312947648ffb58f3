"""Labels of limited length: parts are said in shorter forms before anything is cut."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

Link = Literal["definition", "layout", "decided", "pipeline"]
"""What a piece of a label leads to: where the buffer is allocated, the picture of its layout, the operation that
decided the layout, the loop whose stages it has."""


@dataclass(frozen=True)
class Part:
    """One statement of a label, longest form first."""

    forms: tuple[str, ...]
    link: Link | None = None


@dataclass(frozen=True)
class Piece:
    """A stretch of a label's text."""

    text: str
    link: Link | None = None


@dataclass(frozen=True)
class Label:
    """What a hint says."""

    pieces: tuple[Piece, ...]

    @property
    def text(self) -> str:
        return "".join(piece.text for piece in self.pieces)

    def __str__(self) -> str:
        return self.text


def fit(prefix: str, parts: Sequence[Part], limit: int, separator: str = " ", ending: str = "") -> Label:
    """The parts joined in their longest forms that fit ``limit`` code points: the last part is shortened first. Where
    even the shortest are too long, the first parts that fit are said, and that there is more: a number that is cut
    would be another one. Only a first part that is too long by itself is cut, visibly, before ``ending``."""
    chosen = [0] * len(parts)
    room = limit - len(ending)
    pieces = _pieces(prefix, parts, chosen, separator)
    while _length(pieces) > room:
        shortenable = [number for number, part in enumerate(parts) if chosen[number] + 1 < len(part.forms)]
        if not shortenable:
            pieces = _first(prefix, parts, separator, room - 1) or _cut(pieces, max(room - 1, 1))
            break
        chosen[shortenable[-1]] += 1
        pieces = _pieces(prefix, parts, chosen, separator)
    return Label((*pieces, Piece(ending)) if ending else tuple(pieces))


def followed(label: Label | None, forms: Sequence[str], limit: int, separator: str) -> Label:
    """``label`` with one more statement, which is never cut: in its longest form that fits, else the label is."""
    if label is None:
        return Label((Piece(forms[0] if len(forms[0]) <= limit else forms[-1]),))
    room = limit - len(label.text) - len(separator)
    form = next((one for one in forms if len(one) <= room), forms[-1])
    kept = label.pieces if len(form) <= room else _cut(label.pieces, max(limit - len(separator) - len(form) - 1, 1))
    return Label((*kept, Piece(separator + form)))


def _first(prefix: str, parts: Sequence[Part], separator: str, room: int) -> list[Piece]:
    """The parts from the front, each in its longest form that fits, with a sign that there are more; none where not
    even the first fits."""
    taken: list[Part] = []
    for part in parts:
        fitting = (
            [*taken, Part((form,), part.link)]
            for form in part.forms
            if _length(_pieces(prefix, [*taken, Part((form,))], [0] * (len(taken) + 1), separator)) <= room
        )
        longer = next(fitting, None)
        if longer is None:
            break
        taken = longer
    return [*_pieces(prefix, taken, [0] * len(taken), separator), Piece("…")] if taken else []


def _pieces(prefix: str, parts: Sequence[Part], chosen: Sequence[int], separator: str) -> list[Piece]:
    pieces = [Piece(prefix)] if prefix else []
    for number, (part, form) in enumerate(zip(parts, chosen, strict=True)):
        text = part.forms[form]
        before = pieces[-1] if number else None
        if before is not None and before.link == part.link:
            pieces[-1] = Piece(f"{before.text}{separator}{text}", part.link)
            continue
        if number:
            pieces.append(Piece(separator))
        pieces.append(Piece(text, part.link))
    return pieces


def _length(pieces: Sequence[Piece]) -> int:
    return sum(len(piece.text) for piece in pieces)


def _cut(pieces: Sequence[Piece], room: int) -> list[Piece]:
    kept: list[Piece] = []
    for piece in pieces:
        text = piece.text[:room]
        if text:
            kept.append(Piece(text, piece.link))
        room -= len(text)
    return [*kept, Piece("…")]
