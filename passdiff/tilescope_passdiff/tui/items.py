"""Which rows of a document the text pane shows, and how: folded where nothing changed, or two beside each other."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from .document import Document

CONTEXT = 3
"""Unchanged lines kept on each side of a change."""


@dataclass(frozen=True)
class Fold:
    """Rows ``start`` up to ``end`` (exclusive), hidden behind one line."""

    start: int
    end: int


@dataclass(frozen=True)
class Pair:
    """A deleted row beside an inserted one; one of the two may be missing."""

    old: int | None
    new: int | None


Item = int | Fold | Pair
"""What one line of the pane shows: the row of that index, a fold, or two rows beside each other."""


def fold(document: Document, full: bool, opened: frozenset[int] = frozenset()) -> tuple[Item, ...]:
    """The lines to show: everything if ``full``, else changes with context. ``opened`` holds the first rows of folds
    that were unfolded one by one."""
    count = len(document.rows)
    if full or document.whole:
        return tuple(range(count))
    items: list[Item] = []
    shown = 0
    for start, end in (*document.changes, (count + CONTEXT, count)):
        hidden_from = shown + CONTEXT if shown else 0
        hidden_to = start - CONTEXT
        if hidden_to - hidden_from > 1 and hidden_from not in opened:
            items.extend(range(shown, hidden_from))
            items.append(Fold(hidden_from, hidden_to))
            items.extend(range(hidden_to, min(end, count)))
        else:
            items.extend(range(shown, min(end, count)))
        shown = end
    return tuple(items)


def beside(document: Document, items: Sequence[Item]) -> tuple[Item, ...]:
    """The same lines with deleted rows beside the inserted ones that they became."""
    result: list[Item] = []
    change: list[int] = []
    for item in items:
        if isinstance(item, int) and document.rows[item].sign != " ":
            change.append(item)
            continue
        result += _pairs(document, change)
        change = []
        result.append(item)
    return (*result, *_pairs(document, change))


def _pairs(document: Document, change: Sequence[int]) -> Iterator[Pair]:
    rows = document.rows
    gone = [index for index in change if rows[index].sign == "-"]
    come = [index for index in change if rows[index].sign == "+"]
    numbers = {rows[index].new: at for at, index in enumerate(come)}
    old_at = new_at = 0
    for at, index in enumerate(gone):
        mate = None if rows[index].moved else numbers.get(rows[index].mate)
        if mate is None or mate < new_at:
            continue
        yield from _stretch(gone[old_at:at], come[new_at:mate])
        yield Pair(index, come[mate])
        old_at, new_at = at + 1, mate + 1
    yield from _stretch(gone[old_at:], come[new_at:])


def _stretch(gone: Sequence[int], come: Sequence[int]) -> Iterator[Pair]:
    """Rows that are no halves of each other share lines, to save room."""
    for step in range(max(len(gone), len(come))):
        yield Pair(gone[step] if step < len(gone) else None, come[step] if step < len(come) else None)


def rows_of(item: Item) -> range | tuple[int, ...]:
    """All rows that an item stands for."""
    if isinstance(item, Fold):
        return range(item.start, item.end)
    if isinstance(item, Pair):
        return tuple(row for row in (item.old, item.new) if row is not None)
    return (item,)


def first_row(item: Item) -> int:
    """The row that an item is named by: the (first) one, of two beside each other the inserted one."""
    if isinstance(item, Pair):
        found = item.new if item.new is not None else item.old
        assert found is not None
        return found
    return item.start if isinstance(item, Fold) else item


def positions(items: Sequence[Item], count: int) -> list[int]:
    """The index of the item that shows or hides each of ``count`` rows."""
    result = [0] * count
    for at, item in enumerate(items):
        if isinstance(item, int):
            result[item] = at
        elif isinstance(item, Fold):
            result[item.start : item.end] = [at] * (item.end - item.start)
        else:
            for row in rows_of(item):
                result[row] = at
    return result
