"""TS123: an annotated layout is for a tile of another shape."""

from __future__ import annotations

import ast

from tilescope_trace.rules.case import Case, Wording
from tilescope_trace.rules.rule import Rule

RULE = Rule(
    code="TS123",
    name="layout-shape",
    severity="error",
    summary="An annotated layout is for a tile of another shape",
    doc="""\
A layout given by `T.annotate_layout` says where each element of a tile lies, so it is made for one shape: that of
the buffer.
""",
    example="""\
A_s = T.alloc_shared((128, 128), "float16")
T.annotate_layout({A_s: make_swizzled_layout(B_s)})  # B_s is 64 × 64
""",
    why="""\
The layout has places for 64 × 64 = 4096 elements, and `A_s` has 16384. The compiler stops with both shapes, and names
neither the buffer nor the line.
""",
    fix="""\
Make the layout from the buffer itself: `T.annotate_layout({A_s: make_swizzled_layout(A_s)})`. Where two buffers are
meant to be alike, give them one shape.
""",
)


def explain(case: Case) -> Wording | None:
    """Both shapes. The message names no buffer: the place is the kernel's only annotation, where it has one."""
    found = case.find(r"InputShape\(\) = \((.*?)\) shape = \((.*?)\)")
    if found is None:
        return None
    return Wording(
        f"a layout made for ({found[1]}) is given to a buffer of shape ({found[2]})",
        "make the layout from the buffer that it is for",
        line=_only_annotation(case),
    )


def _only_annotation(case: Case) -> int | None:
    if case.tree is None or case.kernel is None:
        return None
    at = case.kernel.line
    functions = (node for node in ast.walk(case.tree) if isinstance(node, ast.FunctionDef))
    kernel = next((node for node in functions if node.lineno == at), None)
    calls = [node for node in ast.walk(kernel) if isinstance(node, ast.Call)] if kernel is not None else []
    lines = {
        call.lineno for call in calls if isinstance(call.func, ast.Attribute) and call.func.attr == "annotate_layout"
    }
    return lines.pop() if len(lines) == 1 else None
