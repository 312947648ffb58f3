"""Lines of generated source: coverage for each kernel and target, agreement under mutation, and what both cost.

Coverage is the share of the non-blank lines of kernel functions that have a Python line. For the agreement one
statement is edited at a time; it is the share of the generated lines that differ which are said to come from it.
Times are CPU times: lowering (repair of spans included), repair alone, and the table of lines with its second run of
the code generator. Run: ``python -m benchmarks.lines [KERNEL@TARGET ...]``.
"""

from __future__ import annotations

import sys

from rich.console import Console
from rich.table import Table
from tests.lines.mutations import MUTATIONS
from tests.lines.support import CASES, disagreements, generated

CUDA = ("cuda:sm_80", "cuda:sm_90a", "cuda:sm_100a")
OTHERS = {
    "gemm": ("hip:gfx942",),
    "attention": ("hip:gfx942",),
    "elementwise": ("webgpu", "c"),
    "plain-gemm": ("metal",),
    "ascend-gemm": ("ascend",),
    "ascend-vector": ("ascend",),
}
MATRIX = [
    (case, target)
    for case in CASES
    for target in (*(CUDA if not case.startswith(("ascend", "plain", "element")) else ()), *OTHERS.get(case, ()))
]


def main(arguments: list[str]) -> None:
    wanted = [tuple(argument.split("@")) for argument in arguments] or MATRIX
    table = Table("kernel", "target", "lines", "coverage", "agreement", "lower ms", "repair ms", "table ms")
    console = Console(width=120)
    for case, target in wanted:
        made = generated(case, target)
        agreed, differ = 0, 0
        for old, new in MUTATIONS[case]:
            wrong, count = disagreements(case, target, old, new)
            agreed, differ = agreed + count - len(wrong), differ + count
            for line in wrong:
                console.print(f"{case} {target}: {old!r} -> {new!r}: {line}", markup=False, highlight=False)
        table.add_row(
            case,
            target,
            str(len(made.body)),
            f"{made.coverage:.1%}",
            f"{agreed}/{differ}",
            *(f"{ms:.0f}" for ms in (made.lower_ms, made.repair_ms, made.table_ms)),
        )
    console.print(table)


if __name__ == "__main__":
    main(sys.argv[1:])
