"""A failure as the rules see it: what was said, by which statement of the kernel, about which buffers."""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass
from functools import cached_property

from tilescope_trace.parsing import parse
from tilescope_trace.text_lines import lines_of
from tilescope_worker.wire.facts import Fix, Kernel
from tilescope_worker.wire.messages import Failure, Operand


@dataclass(frozen=True)
class Wording:
    """``message`` for people; ``help`` what to do; ``name`` the word of the source line at fault, where one is;
    ``line`` that line where it is another than the failure's; ``whole_kernel`` for faults of no single statement;
    ``launch`` where the launch has part in it; ``fixes`` are sure edits."""

    message: str
    help: str | None = None
    name: str | None = None
    line: int | None = None
    whole_kernel: bool = False
    launch: bool = False
    fixes: tuple[Fix, ...] = ()


@dataclass(frozen=True)
class Case:
    """``line`` is where the failure was located, None where it was not; ``text`` the whole file; ``kernel`` what is
    known of the failing kernel, None for a failure of the whole file."""

    failure: Failure
    line: int | None
    text: str
    kernel: Kernel | None = None

    @property
    def said(self) -> str:
        """All that the compiler said."""
        return f"{self.failure.message}\n{self.failure.text}"

    @cached_property
    def tree(self) -> ast.Module | None:
        """The file's syntax tree, None where it does not parse."""
        try:
            return parse(self.text)
        except (SyntaxError, ValueError, RecursionError):
            return None

    @cached_property
    def statement(self) -> str:
        """Source of the statement at the line (of a compound one: its head), the empty string where there is none."""
        lines = lines_of(self.text)
        found = self._node
        if self.line is None or not 1 <= self.line <= len(lines):
            return ""
        if found is None:
            return lines[self.line - 1]
        body = getattr(found, "body", None)
        last = max(found.lineno, body[0].lineno - 1) if body else found.end_lineno or found.lineno
        return "\n".join(lines[found.lineno - 1 : last])

    @cached_property
    def _node(self) -> ast.stmt | None:
        if self.tree is None or self.line is None:
            return None
        at = self.line
        around = [
            s for s in ast.walk(self.tree) if isinstance(s, ast.stmt) and s.lineno <= at <= (s.end_lineno or at)
        ]
        return max(around, key=lambda statement: statement.lineno, default=None)

    def find(self, pattern: str) -> re.Match[str] | None:
        """Where ``pattern`` is in what was said."""
        return re.search(pattern, self.said, re.DOTALL)

    def operand(self, *roles: str) -> Operand | None:
        """The buffer given for the first of ``roles`` that there is."""
        by_role = {operand.role: operand for operand in self.failure.operands}
        return next((by_role[role] for role in roles if role in by_role), None)

    def names(self, callee: str, *roles: tuple[str, ...]) -> list[str]:
        """Names of the buffers in ``roles``; where they are not known, as the call of ``callee`` is written."""
        written = self._written(callee)
        found = []
        for at, role in enumerate(roles):
            operand = self.operand(*role)
            found.append(operand.name if operand else written[at] if at < len(written) else role[0])
        return found

    def _written(self, callee: str) -> list[str]:
        """Names of the leading positional arguments of ``callee(...)``, up to the first that is no name."""
        call = re.search(rf"\b{callee}\s*\(([^)]*)", self.statement)
        names: list[str] = []
        for part in call.group(1).split(",") if call else []:
            named = re.match(r"\s*(\w+)\s*(\[.*)?$", part, re.DOTALL)
            if not named:
                break
            names.append(named[1])
        return names


def shape(extents: tuple[int | str, ...]) -> str:
    """Extents as people write them: ``64 × 32``."""
    return " × ".join(map(str, extents))
