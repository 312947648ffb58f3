"""Comments above a kernel that give it arguments and targets.

``# tilescope: M=1024, N=1024 target=cuda:sm_90a`` and the older ``# <typecheck> M=1024``. Lines add up until one
repeats a name, which begins a further specialization. Targets beside arguments are those of their specialization;
targets on a line of their own are for every specialization that names none.
"""

from __future__ import annotations

import ast
import difflib
import re
from collections.abc import Iterator
from dataclasses import dataclass

from tilescope_trace.errors import UsageError
from tilescope_trace.model import Finding

from .discover import KernelSource
from .given import Given, Row
from .literals import literal_text, parse_literal
from .signature import FunctionNode
from .syntax import statements
from .targets import normalise
from .tolerant import Parsed
from .values import UNKNOWN, Value

CODE = "TS006"
_DIRECTIVE = re.compile(r"\s*#\s*(?:tilescope:|<typecheck>)\s*(.*)")
_OTHERS = re.compile(r"ignore\b")
"""Directives that are not ours: suppressions belong to the linter."""
_NAME = re.compile(r"[\s,]*([^\W\d]\w*)\s*=\s*")
_TARGET = re.compile(r"[^\s,]+")
_HELP = "write it as `# tilescope: M=1024, dtype=float16 target=cuda:sm_90a` above the kernel"


@dataclass(frozen=True)
class Directives:
    """What stands above one kernel: its specializations, and the targets of those that name none."""

    specializations: tuple[Row, ...] = ()
    targets: tuple[str, ...] = ()


@dataclass(frozen=True)
class _Line:
    line: int
    arguments: tuple[tuple[str, Value], ...]
    targets: tuple[str, ...]


class DirectiveReader:
    """The directives of a file. ``findings`` names what is wrong with any of them, also those above no kernel; it is
    complete when ``of`` has been asked for each kernel."""

    def __init__(self, parsed: Parsed, path: str) -> None:
        self._parsed = parsed
        self._path = path
        self._lines: dict[int, _Line] = {}
        self._used: set[int] = set()
        self._wrong: list[Finding] = []
        candidates = [
            (n, m) for n, line in enumerate(parsed.lines, 1) if "#" in line and (m := _DIRECTIVE.match(line))
        ]
        inside = _string_lines(parsed) if candidates else set()
        for number, match in candidates:
            if number not in inside and not _OTHERS.match(match[1]):
                self._read(number, match)

    @property
    def findings(self) -> tuple[Finding, ...]:
        stray = [
            self._finding(number, "this directive stands above no kernel", 1)
            for number in sorted(self._lines.keys() - self._used)
        ]
        return tuple(sorted([*self._wrong, *stray], key=lambda finding: finding.line))

    def of(self, kernel: KernelSource) -> Directives:
        """The directives above any of the definitions that make up a kernel, outermost first."""
        groups: list[dict[str, Given]] = []
        own: list[dict[str, None]] = []
        targets: dict[str, None] = {}
        accepted = {parameter.name for parameter in kernel.parameters}
        for number in (n for function in kernel.functions for n in self._above(function)):
            self._used.add(number)
            line = self._lines[number]
            if not line.arguments:
                targets.update(dict.fromkeys(line.targets))
                continue
            if not groups or any(name in groups[-1] for name, _ in line.arguments):
                groups.append({})
                own.append({})
            own[-1].update(dict.fromkeys(line.targets))
            for name, value in line.arguments:
                if name in accepted:
                    groups[-1][name] = Given(value, number)
                else:
                    self._unknown_name(number, name, kernel)
        rows = [Row(group, tuple(names)) for group, names in zip(groups, own, strict=True) if group or names]
        return Directives(tuple(rows), tuple(targets))

    def _above(self, function: FunctionNode) -> Iterator[int]:
        """Directive lines in the comments directly above a definition, or between its decorators."""
        if not self._lines:
            return
        line = self._parsed.line
        first = min(line(node.lineno) for node in (function, *function.decorator_list))
        start = first
        while start > 1 and (not (text := self._parsed.lines[start - 2].strip()) or text.startswith("#")):
            start -= 1
        yield from (number for number in range(start, line(function.lineno)) if number in self._lines)

    def _read(self, number: int, match: re.Match[str]) -> None:
        text, position = match[1], 0
        arguments: list[tuple[str, Value]] = []
        targets: list[str] = []
        while text[position:].strip(" \t,"):
            name = _NAME.match(text, position)
            if name is None:
                rest = text[position:].strip(" \t,")
                self._report(number, f"{rest!r} is not of the form NAME=VALUE", match.start(1) + position)
                break
            position = name.end()
            if name[1] == "target":
                target = _TARGET.match(text, position)
                position = target.end() if target else position
                try:
                    targets.append(normalise(target[0].strip("\"'") if target else ""))
                except UsageError as error:
                    self._report(number, str(error), match.start(1) + name.end())
                continue
            end = _value_end(text, position)
            value = parse_literal(text[position:end])
            if value is UNKNOWN or literal_text(value) is None:
                wrong = f"value of {name[1]!r} is neither a Python literal nor a dtype name: {text[position:end]!r}"
                self._report(number, wrong, match.start(1) + position)
            elif any(name[1] == known for known, _ in arguments):
                wrong = f"{name[1]!r} is given twice; write another specialization on a line of its own"
                self._report(number, wrong, match.start(1) + name.start(1))
            else:
                arguments.append((name[1], value))
            position = end
        self._lines[number] = _Line(number, tuple(arguments), tuple(targets))
        if not text.strip():
            self._report(number, "this directive says nothing", match.start(1))

    def _unknown_name(self, number: int, name: str, kernel: KernelSource) -> None:
        names = [parameter.name for parameter in kernel.parameters]
        close = difflib.get_close_matches(name, [*names, "target"], n=1)
        advice = f"did you mean {close[0]}? " if close else ""
        column = self._parsed.lines[number - 1].find(name)
        known = ", ".join(names) or "none"
        self._report(number, f"{kernel.qualname} has no parameter {name!r}; {advice}its parameters: {known}", column)

    def _report(self, number: int, message: str, start: int) -> None:
        finding = self._finding(number, message, start + 1)
        if finding not in self._wrong:
            self._wrong.append(finding)

    def _finding(self, number: int, message: str, column: int) -> Finding:
        end = len(self._parsed.lines[number - 1].rstrip()) + 1
        column = min(column, max(end - 1, 1))
        return Finding(CODE, "warning", self._path, number, column, number, max(end, column + 1), message, help=_HELP)


def _value_end(text: str, start: int) -> int:
    """The end of a value: the next blank or comma outside brackets and quotes."""
    depth, quote = 0, ""
    for position in range(start, len(text)):
        character = text[position]
        if quote:
            quote = "" if character == quote else quote
        elif character in "\"'":
            quote = character
        elif character in "([{":
            depth += 1
        elif character in ")]}":
            depth -= 1
        elif depth <= 0 and character in ", \t":
            return position
    return len(text)


def _string_lines(parsed: Parsed) -> set[int]:
    """Lines inside multi-line strings that stand as statements or are assigned, such as docstrings and sources."""
    inside: set[int] = set()
    for statement in statements(parsed.tree.body):
        value = getattr(statement, "value", None)
        if isinstance(value, ast.Constant) and isinstance(value.value, str) and value.end_lineno:
            inside.update(range(parsed.line(value.lineno), parsed.line(value.end_lineno) + 1))
    return inside
