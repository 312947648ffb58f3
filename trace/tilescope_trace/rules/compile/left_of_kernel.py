"""TS150: text stands to the left of an indented kernel."""

from __future__ import annotations

import ast
import io
import tokenize

from tilescope_trace.rules import fixes
from tilescope_trace.rules.case import Case, Wording
from tilescope_trace.rules.rule import Rule
from tilescope_trace.text_lines import lines_of
from tilescope_worker.wire.facts import Fix

RULE = Rule(
    code="TS150",
    name="left-of-kernel",
    severity="error",
    summary="Text stands to the left of an indented kernel",
    doc="""\
TileLang parses the source of a kernel again, on its own. Of a function that is indented it first cuts as many columns
from every line as the first one is indented by, whatever stands there. A comment, a continued line or the end of a
string further to the left loses its beginning.
""",
    example="""\
def scale(M=1024):
    @T.prim_func
    def main(A: T.Tensor((M,), "float16")):
        with T.Kernel(M // 128, threads=128) as bx:
# one block for each tile
            ...
""",
    why="""\
Python reads the file without complaint. What TileLang parses has `e block for each tile` in place of the comment and
stops with "invalid syntax", "unexpected indent" or "expected an indented block".
""",
    fix="Indent the line at least as far as the kernel's `def`.",
)


def explain(case: Case) -> Wording | None:
    """The line."""
    if case.failure.exception not in ("SyntaxError", "IndentationError", "TabError") or case.tree is None:
        return None
    lines = lines_of(case.text)
    for function in _around(case, case.tree):
        first = min([function.lineno, *(one.lineno for one in function.decorator_list)])
        indent = len(lines[first - 1]) - len(lines[first - 1].lstrip())
        for number in range(first, (function.end_lineno or first) + 1):
            cut = lines[number - 1][:indent]
            if cut.strip():
                return Wording(
                    f"{_name(case, number)} begins left of the kernel: TileLang cuts the first {indent} columns of "
                    f"each line of {function.name}, and parses what is left",
                    "indent it as far as the kernel's def, or further",
                    lines[number - 1].strip(),
                    number,
                    fixes=_indented(case, number),
                )
    return None


def _around(case: Case, tree: ast.Module) -> list[ast.FunctionDef]:
    """Functions that the failure may be about, the innermost first: those with its line, or the kernel's."""
    at = [line for line in (case.line, case.kernel.line if case.kernel else None) if line is not None]
    functions = [one for one in ast.walk(tree) if isinstance(one, ast.FunctionDef)]
    found = [one for one in functions if any(one.lineno <= line <= (one.end_lineno or line) for line in at)]
    return sorted(found, key=lambda one: -one.lineno)


def _comments(case: Case) -> frozenset[int]:
    try:
        tokens = list(tokenize.generate_tokens(io.StringIO(case.text).readline))
    except (tokenize.TokenError, SyntaxError):
        return frozenset()
    return frozenset(
        one.start[0] for one in tokens if one.type == tokenize.COMMENT and not one.line[: one.start[1]].strip()
    )


def _name(case: Case, line: int) -> str:
    return "this comment" if line in _comments(case) else "this line"


def _indented(case: Case, line: int) -> tuple[Fix, ...]:
    """A comment as far in as the code below it."""
    comments, lines = _comments(case), lines_of(case.text)
    if line not in comments:
        return ()
    text = lines[line - 1]
    below = next((n for n in range(line + 1, len(lines) + 1) if lines[n - 1].strip() and n not in comments), line)
    room = lines[below - 1][: len(lines[below - 1]) - len(lines[below - 1].lstrip())]
    edit = {
        "line": line,
        "column": 1,
        "end_line": line,
        "end_column": len(text) - len(text.lstrip()) + 1,
        "text": room,
    }
    return (fixes.fix("Indent the comment", edit),)
