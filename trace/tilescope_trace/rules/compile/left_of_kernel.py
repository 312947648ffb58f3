"""TS150: text stands to the left of an indented kernel, and stops the compiler or changes what it reads."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tilescope_trace.rules.case import Case, Wording
from tilescope_trace.rules.check import Fault, Subject
from tilescope_trace.rules.cut import Cut, indented, is_comment
from tilescope_trace.rules.macros import is_macro
from tilescope_trace.rules.rule import Rule
from tilescope_trace.source.nodes import nodes

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
stops with "invalid syntax", "unexpected indent" or "expected an indented block". Of a continued line `  1024)` it
reads `24)`, and compiles another kernel than the one that is written.
""",
    fix="Indent the line at least as far as the kernel's `def`; put a long text into a variable outside of it.",
)


def explain(case: Case) -> Wording | None:
    """The first line without whose beginning the function does not parse."""
    if case.failure.exception not in ("SyntaxError", "IndentationError", "TabError") or case.tree is None:
        return None
    for function in _around(case, case.tree):
        cut = Cut(case.text, function)
        broken = cut.breaking()
        if broken:
            edits = indented(cut, broken)
            return Wording(
                _told(cut, broken[0]),
                _HELP,
                cut.written(broken[0]).strip(),
                broken[0],
                fixes=edits,
            )
    return None


def check(subject: Subject) -> Iterator[Fault]:
    """Lines without whose beginning the kernel, or a macro that it calls, parses and is another one."""
    # What is only read is cut by nobody.
    if subject.kernel.stage == "static" or subject.tree is None:
        return
    for function in _built(subject, subject.tree):
        cut = Cut(subject.text, function)
        if not cut.left or cut.breaking():
            continue
        changed = cut.changing()
        for line in changed:
            text = cut.written(line)
            column = len(text) - len(text.lstrip()) + 1
            yield Fault(
                _told(cut, line),
                line,
                column=column,
                end_column=len(text.rstrip()) + 1,
                help=_HELP,
                fixes=indented(cut, changed),
                related=((function.lineno, f"{function.name} begins here"),),
                certain=True,
            )


_HELP = "indent it as far as the kernel's def, or further"


def _told(cut: Cut, line: int) -> str:
    what = "this comment" if is_comment(cut.text, line) else "this line"
    columns = "the first column" if cut.indent == 1 else f"the first {cut.indent} columns"
    rest = cut.rest(line).strip()
    reads = f"reads `{rest}` here" if rest else "reads nothing here"
    return (
        f"{what} begins left of the kernel: TileLang cuts {columns} of each line of {cut.function.name}, and {reads}"
    )


def _around(case: Case, tree: ast.Module) -> list[ast.FunctionDef]:
    """Functions that the failure may be about, the innermost first: those with its line, or the kernel's."""
    at = [line for line in (case.line, case.kernel.line if case.kernel else None) if line is not None]
    found = [
        one
        for one in nodes(tree, ast.FunctionDef)
        if any(
            min([one.lineno, *(d.lineno for d in one.decorator_list)]) <= line <= (one.end_lineno or line)
            for line in at
        )
    ]
    return sorted(found, key=lambda one: -one.lineno)


def _built(subject: Subject, tree: ast.Module) -> Iterator[ast.FunctionDef]:
    """The kernel, and the macros of the file that are called by name in it or in each other."""
    functions = nodes(tree, ast.FunctionDef)
    waiting = [one for one in functions if one.lineno == subject.kernel.line]
    others = [one for one in functions if one.col_offset and one not in waiting]
    while waiting:
        function = waiting.pop()
        yield function
        called = {
            node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            for node in (ast.walk(function) if others else ())
            if isinstance(node, ast.Call)
        }
        # By name first: this runs with each stage of a kernel, and to read decorators takes long.
        waiting += [one for one in others if one.name in called and is_macro(one)]
        others = [one for one in others if one.name not in called]
