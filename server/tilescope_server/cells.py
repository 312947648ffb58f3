"""What is known of a notebook as one text, as it looks from one of its cells."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, fields, is_dataclass, replace
from typing import Any

from tilescope_trace.model import Fix, Kernel, Snapshot, Specialization

from .analysis import Analysis, Compiled

_LINES = ("line", "end_line")
_SENTENCES = frozenset({"reason", "message", "help"})
_LINE_SAID = re.compile(r"\bline (\d+)\b(?! of )")


@dataclass(frozen=True)
class CellView:
    """One cell: ``start`` is the line of the notebook's text, which has the name ``path``, at which it begins,
    ``count`` the number of its lines; ``elsewhere`` gives the document and the line there of any line of the text."""

    path: str
    snapshot: Snapshot
    start: int
    count: int
    elsewhere: Callable[[int], tuple[str, int]]

    def line(self, line: int) -> int | None:
        """A line of the notebook's text as one of the cell's, None where it is in another cell."""
        here = line - self.start + 1
        return here if 1 <= here <= self.count else None

    def words(self, text: str) -> str:
        """A sentence about lines of the notebook's text as one about those of the cell."""
        return _LINE_SAID.sub(self._said, text)

    def _said(self, found: re.Match[str]) -> str:
        line = int(found[1])
        here = self.line(line)
        return f"line {here}" if here is not None else f"line {self.elsewhere(line)[1]} of another cell"


def seen_from(cell: CellView, whole: Analysis) -> Analysis:
    """The analysis of a cell: kernels that have something in it, at its lines. Places in other cells are named by
    their documents where a fact can say so, and left out where it cannot."""
    last = whole.last
    facts = whole.facts
    return Analysis(
        cell.snapshot,
        facts
        and replace(
            facts,
            file=cell.snapshot.path,
            kernels=_kernels(cell, facts.kernels),
            findings=_findings(cell, facts.findings),
        ),
        # Versions of a notebook and of its cells are counted apart.
        last and Compiled(None, _kernels(cell, last.kernels), _findings(cell, last.findings)),
        whole.problem,
        part_of_broken=not whole.parses,
    )


def _kernels(cell: CellView, kernels: tuple[Kernel, ...]) -> tuple[Kernel, ...]:
    return tuple(_shifted(cell, kernel) for kernel in kernels if _reaches(cell, kernel))


def _reaches(cell: CellView, kernel: Kernel) -> bool:
    lines = [kernel.line, *(one.line for one in kernel.buffers), *(one.line for one in kernel.operations)]
    lines.extend(one.line for one in kernel.findings if one.file == cell.path)
    return any(line is not None and cell.line(line) is not None for line in lines)


def _findings(cell: CellView, findings: tuple[Any, ...]) -> tuple[Any, ...]:
    return tuple(_shifted(cell, one) for one in findings if one.file == cell.path and cell.line(one.line) is not None)


def _shifted(cell: CellView, value: Any) -> Any:
    """A fact, or a tuple of them, at the lines of the cell."""
    if isinstance(value, tuple):
        return tuple(_shifted(cell, item) for item in value)
    if not is_dataclass(value) or isinstance(value, type):
        return value
    if isinstance(value, Fix):
        return replace(value, edits=tuple(_edit(cell, edit) for edit in value.edits))
    named = {field.name: getattr(value, field.name) for field in fields(value)}
    new: dict[str, Any] = {}
    if "file" in named:
        if named["file"] not in (None, cell.path):
            return value
        new = _located(cell, named)
    else:
        new = {name: _own(cell, value, named[name]) for name in _LINES if named.get(name) is not None}
    for name, item in named.items():
        if name in _SENTENCES and isinstance(item, str):
            new[name] = cell.words(item)
        elif name == "notes":
            new[name] = tuple(cell.words(note) for note in item)
        elif name == "called_from":
            new[name] = tuple(line for line in map(cell.line, item) if line is not None)
        elif name == "findings":
            new[name] = _findings(cell, item)
        elif isinstance(item, Specialization):
            new[name] = replace(item, args={key: _shifted(cell, one) for key, one in item.args.items()})
        elif isinstance(item, tuple) or is_dataclass(item):
            new[name] = _shifted(cell, item)
    return replace(value, **new) if new else value


def _own(cell: CellView, value: Any, line: int) -> int | None:
    """The line of something that names no file. A kernel has one always: one in another cell has a line outside."""
    return line - cell.start + 1 if isinstance(value, Kernel) else cell.line(line)


def _located(cell: CellView, named: dict[str, Any]) -> dict[str, Any]:
    """File and lines of a place in the notebook; an argument without a file comes from the kernel's own."""
    if named.get("line") is None:
        return {}
    file, line = cell.elsewhere(named["line"])
    offset = line - named["line"]
    lines = {name: named[name] + offset for name in _LINES if named.get(name) is not None}
    own = named["file"] is None and file == cell.snapshot.path
    return lines if own else {"file": file, **lines}


def _edit(cell: CellView, edit: dict[str, Any]) -> dict[str, Any]:
    return {**edit, **{name: edit[name] - cell.start + 1 for name in _LINES if name in edit}}
