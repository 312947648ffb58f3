"""The statements of one lowering, each asked only once what it is and what is inside it.

Passes share what they leave alone, and each look at a statement costs calls across the foreign interface.
"""

from __future__ import annotations

from dataclasses import dataclass

from .facts.ir import Location, Statement, children


@dataclass(eq=False, slots=True)
class Seen:
    """A statement; each has one of these, which makes a cheap key. ``kind`` is the name of its class; ``inner`` are
    the statements directly inside it, last first, None while nobody has asked; ``where`` is the line that it came
    from, where that is known for good."""

    statement: Statement
    kind: str
    inner: list[Seen] | None = None
    where: Location | None = None


class Statements:
    """The statements that were seen, which it keeps alive."""

    def __init__(self) -> None:
        self._seen: dict[Statement, Seen] = {}

    def of(self, statement: Statement) -> Seen:
        """The entry of a statement."""
        seen = self._seen.get(statement)
        if seen is None:
            seen = self._seen[statement] = Seen(statement, type(statement).__name__)
        return seen

    def inner(self, seen: Seen) -> list[Seen]:
        """The statements directly inside one, last first."""
        inner = seen.inner
        if inner is None:
            inner = seen.inner = [self.of(child) for child in reversed(children(seen.statement))]
        return inner

    def walk(self, root: Statement) -> list[Seen]:
        """``root`` and all statements inside it, outer before inner, in program order."""
        found, stack = [], [self.of(root)]
        while stack:
            seen = stack.pop()
            found.append(seen)
            stack += seen.inner if seen.inner is not None else self.inner(seen)
        return found
