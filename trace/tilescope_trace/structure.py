"""What stands in a printed IR, counted: loops, calls, launch threads, conditions, functions, attributes.

The printer writes one statement a line, and only its own forms are read here; what is not known counts as nothing.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Literal

LoopKind = Literal["serial", "parallel", "unrolled", "vectorized", "thread"]

_KINDS: dict[str, LoopKind] = {
    "range": "serial",
    "T.serial": "serial",
    "T.grid": "serial",
    "T.parallel": "parallel",
    "T.unroll": "unrolled",
    "T.vectorized": "vectorized",
    "T.thread_binding": "thread",
}
_LOOP = re.compile(r"for ([\w, ]+) in ([\w.]+)\((.*)\):$")
_LAUNCH = re.compile(r'= T\.launch_thread\("([\w.]+)", (.+)\)$')
_BINDING = re.compile(r'^(.+), thread="([\w.]+)"')
_CALL = re.compile(r"\bT\.([A-Za-z_]\w*)\(")
_FUNCTION = re.compile(r"def (\w+)\(")
_TARGET = re.compile(r"T\.target\(\{.*?\}\)")
_KEY = re.compile(r'"([\w.]+)": ')
_ATTRIBUTE = re.compile(r'T\.attr\(.*, "([\w.]+)", ')
_KEYWORDS = frozenset({"if", "elif", "else", "for", "while", "with", "assert", "def", "return", "pass", "class"})


@dataclass(frozen=True)
class Loop:
    """A loop in text lines ``line`` to ``end`` (1-based, end exclusive). ``extent`` is None where it is no number."""

    name: str
    kind: LoopKind
    extent: int | None
    line: int
    end: int


@dataclass(frozen=True)
class Structure:
    """Counts of one text. ``calls`` are all operations by name, without ``T.``; ``threads`` are launch dimensions
    with their extents (text where symbolic); ``attributes`` are keys, of functions, blocks, loops and statements."""

    lines: int
    functions: tuple[str, ...] = ()
    calls: Counter[str] = field(default_factory=Counter)
    loops: tuple[Loop, ...] = ()
    threads: dict[str, int | str] = field(default_factory=dict)
    attributes: frozenset[str] = frozenset()
    conditions: int = 0
    blocks: int = 0
    assertions: int = 0


def structure_of(text: str) -> Structure:
    """The structure of a printed module."""
    lines = text.split("\n")
    calls: Counter[str] = Counter()
    functions: list[str] = []
    threads: dict[str, int | str] = {}
    attributes: set[str] = set()
    counted: Counter[str] = Counter()
    for raw in lines:
        line = raw.strip()
        if not line or line.startswith("#"):
            continue
        word = line.partition(" ")[0].partition(":")[0]
        counted[word if word in _KEYWORDS else ""] += 1
        calls.update(calls_in(line))
        if word == "def" and (named := _FUNCTION.match(line)):
            functions.append(named[1])
        elif word == "with":
            counted["block"] += line.startswith("with T.sblock(")
        elif launch := _LAUNCH.search(line):
            threads[launch[1]] = _number(launch[2])
        attributes.update(_attributes(line))
    loops = tuple(_loops(lines))
    threads |= dict(_bound(lines))
    return Structure(
        lines=len(lines),
        functions=tuple(functions),
        calls=calls,
        loops=loops,
        threads=threads,
        attributes=frozenset(attributes),
        conditions=counted["if"] + counted["elif"],
        blocks=counted["block"],
        assertions=counted["assert"],
    )


def calls_in(line: str) -> Iterator[str]:
    """The names of the operations in a line, in order; those inside string literals too."""
    return (found[1] for found in _CALL.finditer(line))


def _loops(lines: Sequence[str]) -> Iterator[Loop]:
    """The loops in the order of their first lines. One line may open several (``T.grid``)."""
    for number, raw in enumerate(lines, start=1):
        line = raw.lstrip()
        found = _LOOP.match(line) if line.startswith("for ") else None
        kind = _KINDS.get(found[2]) if found else None
        if found is None or kind is None:
            continue
        names = [name.strip() for name in found[1].split(",")]
        given = _arguments(found[3])
        # With several loops each argument is one's extent; with one it may follow a start.
        values = given[: len(names)] if len(names) > 1 else [given[1] if _starts(found[2], given) else given[0]]
        end = _end(lines, number, len(raw) - len(line))
        for name, value in zip(names, values, strict=False):
            extent = _number(value)
            yield Loop(name, kind, extent if isinstance(extent, int) else None, number, end)


def _starts(form: str, given: Sequence[str]) -> bool:
    """Whether the first argument is a start; the second is then the end, the extent where the start is 0."""
    return form != "T.grid" and len(given) > 1 and "=" not in given[1].partition("(")[0] and given[0] == "0"


def _end(lines: Sequence[str], number: int, indent: int) -> int:
    for at in range(number, len(lines)):
        line = lines[at]
        if line.strip() and len(line) - len(line.lstrip()) <= indent:
            return at + 1
    return len(lines) + 1


def _bound(lines: Sequence[str]) -> Iterator[tuple[str, int | str]]:
    for raw in lines:
        found = _LOOP.match(raw.strip())
        if found and found[2] == "T.thread_binding" and (binding := _BINDING.match(found[3])):
            yield binding[2], _number(binding[1])


def _arguments(text: str) -> list[str]:
    """The arguments of a call, split at commas outside of brackets."""
    parts, depth, start = [], 0, 0
    for at, character in enumerate(text):
        if character in "([{":
            depth += 1
        elif character in ")]}":
            depth -= 1
        elif character == "," and not depth:
            parts.append(text[start:at].strip())
            start = at + 1
    return [*parts, text[start:].strip()]


def _attributes(line: str) -> Iterator[str]:
    if '": ' in line:
        yield from _KEY.findall(_TARGET.sub("", line))
    if line.startswith("T.attr(") and (found := _ATTRIBUTE.match(line)):
        yield found[1]


def _number(text: str) -> int | str:
    return int(text) if text.isdecimal() else text
