"""The statements of generated CUDA, as far as placing something between two of them needs: TileLang writes one a
line, with braces at the ends of lines."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

_DEFINITION = re.compile(r"^(.*__global__\s+void\s+(?:__\w+__\([^)]*\)\s+)*)(\w+)\((.*)\)\s*\{$")
_CONTINUES = re.compile(r"\}\s*else\b.*\{$")


class UnknownFormError(ValueError):
    """Source that is not laid out as TileLang's code generator does it; the message names the line."""


@dataclass(frozen=True)
class Statement:
    """One statement: lines ``first`` (of the pragmas in front of it, if any) to ``last``, 1-based and inclusive.
    ``header`` is its own first line, ``arms`` the statements between its braces, one sequence for each branch."""

    first: int
    last: int
    header: str
    arms: tuple[tuple[Statement, ...], ...] = ()
    unrolled: bool = False


@dataclass(frozen=True)
class Function:
    """A kernel: the lines of its definition and of its closing brace, and what is between. ``head`` is what stands in
    front of its name, ``parameters`` what between the parentheses behind it."""

    symbol: str
    head: str
    parameters: str
    opened: int
    closed: int
    body: tuple[Statement, ...]


def functions(source: str) -> tuple[Function, ...]:
    """The kernels that a source defines. Raises UnknownFormError."""
    lines = source.split("\n")
    found = []
    number = 1
    while number <= len(lines):
        match = _DEFINITION.search(lines[number - 1].rstrip())
        if match is None:
            number += 1
            continue
        body, end = _block(lines, number + 1)
        if lines[end - 1].strip() != "}":
            raise UnknownFormError(f"line {end}: a lone closing brace was expected")
        found.append(Function(match[2], match[1], match[3], number, end, body))
        number = end + 1
    return tuple(found)


def _block(lines: Sequence[str], start: int) -> tuple[tuple[Statement, ...], int]:
    """The statements from line ``start`` up to the line that closes their block, and that line."""
    statements: list[Statement] = []
    number, pending = start, 0
    while number <= len(lines):
        text = lines[number - 1].strip()
        if text.startswith("}"):
            return tuple(statements), number
        if text.startswith("#pragma"):
            pending = pending or number
        elif text and not text.startswith(("#", "//")):
            first = pending or number
            unrolled = bool(pending) and any("unroll" in line for line in lines[pending - 1 : number - 1])
            statement = _statement(lines, first, number, unrolled=unrolled)
            statements.append(statement)
            number, pending = statement.last, 0
        number += 1
    raise UnknownFormError(f"line {start}: the block that begins here is not closed")


def _statement(lines: Sequence[str], first: int, number: int, *, unrolled: bool) -> Statement:
    header = lines[number - 1].strip()
    end = number
    while not lines[end - 1].rstrip().endswith((";", "{", "}")):
        end += 1
        if end > len(lines):
            raise UnknownFormError(f"line {number}: the statement that begins here does not end")
    if not lines[end - 1].rstrip().endswith("{"):
        return Statement(first, end, header, unrolled=unrolled)
    arms = []
    while True:
        arm, end = _block(lines, end + 1)
        arms.append(arm)
        if not _CONTINUES.match(lines[end - 1].strip()):
            return Statement(first, end, header, tuple(arms), unrolled)
