"""Facts that know only their line get their columns from the text."""

from __future__ import annotations

from dataclasses import replace

from tilescope_trace.model import Operation
from tilescope_trace.source.columns import locate


def lines_only(kernel):
    """The kernel as a compiler would describe it: lines, no columns."""
    return replace(
        kernel,
        buffers=tuple(replace(b, column=None, end_column=None) for b in kernel.buffers),
        operations=tuple(replace(o, column=None, end_column=None) for o in kernel.operations),
        launch=replace(kernel.launch, column=None, end_column=None),
    )


def test_columns_come_back(plan, kernel_text):
    made = plan(kernel_text("annotated_gemm.py"))
    kernel = made.statics[0]
    assert locate(lines_only(kernel), made.parsed) == kernel


def test_several_operations_on_one_line_and_statements_over_several(plan):
    made = plan(
        """
        import tilelang.language as T

        @T.prim_func
        def main(
            A: T.Tensor((8,), "int8"),
            B: T.Tensor((8,), "int8"),
        ):
            with T.Kernel(
                1,
                threads=32,
            ):
                s = T.alloc_shared((8,), "int8"); T.copy(A, s); T.clear(s); T.copy(s, B)
                for i in range(8): T.copy(
                    A, s)
                T.copy(
                    s,
                    B,
                )
        """
    )
    kernel = made.statics[0]
    kernel = replace(
        lines_only(kernel),
        buffers=tuple(replace(b, line=4) for b in lines_only(kernel).buffers[:2]),
        operations=(
            Operation("copy", 13),
            Operation("fill", 13),
            Operation("copy", 13),
            Operation("copy", 13),
            Operation("loop", 14),
            Operation("copy", 14),
            Operation("copy", 17),
            Operation("gemm", 13),
            Operation("copy", None),
        ),
        launch=replace(kernel.launch, line=11, column=None, end_column=None),
    )
    found = locate(kernel, made.parsed)

    def at(line: int, text: str) -> tuple[int, int]:
        return line, made.parsed.lines[line - 1].index(text) + 1

    assert [(b.name, b.line, b.column, b.end_column) for b in found.buffers] == [("A", 6, 5, 6), ("B", 7, 5, 6)]
    assert [(o.line, o.column) for o in found.operations] == [
        at(13, "T.copy(A"),
        at(13, "T.clear"),
        at(13, "T.copy(s"),
        at(13, "T.copy(s"),
        at(14, "range"),
        at(14, "T.copy"),
        at(16, "T.copy"),
        (13, None),
        (None, None),
    ]
    assert (found.launch.line, found.launch.column) == at(9, "T.Kernel")
    assert found.operations[5].end_column == len(made.parsed.lines[13]) + 1
