"""Edits that a rule is sure of, as data: {line, column, end_line, end_column, text}, 1-based, ends exclusive."""

from __future__ import annotations

import ast
from collections.abc import Iterable

from tilescope_trace.text_lines import line_starts
from tilescope_worker.wire.facts import Fix, Json

from .place import line_text

Edit = dict[str, Json]


def replaced(line: int, column: int, end_column: int, text: str) -> Edit:
    """The edit that puts ``text`` in the place of some characters of one line."""
    return {"line": line, "column": column, "end_line": line, "end_column": end_column, "text": text}


def node_replaced(source: str, node: ast.AST, text: str) -> Edit:
    """The edit that puts ``text`` in the place of ``node``, a node with a position in the tree of ``source``."""
    line, end_line = getattr(node, "lineno", 1), getattr(node, "end_lineno", 1)
    return {
        "line": line,
        "column": _characters(source, line, getattr(node, "col_offset", 0)) + 1,
        "end_line": end_line,
        "end_column": _characters(source, end_line, getattr(node, "end_col_offset", 0)) + 1,
        "text": text,
    }


def line_after(source: str, line: int, code: str) -> Edit:
    """The edit that puts ``code`` on a line of its own after ``line``, as deep as that is."""
    return _inserted(line + 1, f"{_indentation(source, line)}{code}\n")


def calls(tree: ast.Module | None, line: int, *names: str) -> list[ast.Call]:
    """Calls of functions named so (whatever stands before the last dot) that span ``line``, outermost first."""
    found = [
        node
        for node in ast.walk(tree or ast.Module([], []))
        if isinstance(node, ast.Call) and node.lineno <= line <= (node.end_lineno or node.lineno)
    ]
    return [node for node in found if callee(node) in names]


def callee(call: ast.Call) -> str:
    """The last part of the name of the function called; empty where it is no name."""
    function = call.func
    return function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")


def module_of(call: ast.Call) -> str:
    """What stands before the last dot of the function called (``T``); empty where that is no name."""
    function = call.func
    return getattr(function.value, "id", "") if isinstance(function, ast.Attribute) else ""


def keyword(call: ast.Call, name: str) -> ast.expr | None:
    """The value of a keyword of a call, None where it is not given."""
    return next((one.value for one in call.keywords if one.arg == name), None)


def without_keyword(source: str, call: ast.Call, name: str) -> Edit | None:
    """The edit that takes ``name=...`` out of a call, with the comma before it; None where it is not there, or the
    first of all arguments."""
    one = next((keyword for keyword in call.keywords if keyword.arg == name), None)
    if one is None:
        return None
    before = [node for node in (*call.args, *call.keywords) if _end(node) <= (one.lineno, one.col_offset)]
    if not before:
        return None
    last = max(before, key=_end)
    start = {**node_replaced(source, last, ""), "text": ""}
    end = node_replaced(source, one, "")
    return {**end, "line": start["end_line"], "column": start["end_column"]}


def _end(node: ast.AST) -> tuple[int, int]:
    return getattr(node, "end_lineno", 0) or 0, getattr(node, "end_col_offset", 0) or 0


def is_constant(node: ast.expr) -> bool:
    """Whether a value is written where it stands, not named or computed."""
    return isinstance(node, ast.Constant) or (isinstance(node, ast.UnaryOp) and is_constant(node.operand))


def applied(source: str, edits: Iterable[Edit]) -> str:
    """``source`` after ``edits``, which may not overlap."""
    starts = [*line_starts(source), len(source)]

    def offset(line: int, column: int) -> int:
        return min(starts[min(line, len(starts)) - 1] + column - 1, len(source))

    text = source
    for edit in sorted(edits, key=lambda edit: (edit["line"], edit["column"]), reverse=True):
        start, end = offset(edit["line"], edit["column"]), offset(edit["end_line"], edit["end_column"])
        text = text[:start] + edit["text"] + text[end:]
    return text


def fix(title: str, *edits: Edit) -> Fix:
    """A sure fix; the title begins with a verb and has no full stop."""
    return Fix(title, edits)


def _inserted(line: int, text: str) -> Edit:
    return {"line": line, "column": 1, "end_line": line, "end_column": 1, "text": text}


def _indentation(source: str, line: int) -> str:
    content = line_text(source, line)
    return content[: len(content) - len(content.lstrip())]


def _characters(source: str, line: int, offset: int) -> int:
    return len(line_text(source, line).encode()[:offset].decode(errors="replace"))
