"""``msprof op simulator``: cycles of instructions (``*_instr_exe.csv``) or lines (``*_code_exe.csv``) of one core."""

from __future__ import annotations

from tilescope_trace.profile.ascend.executed import (
    INSTRUCTION_COLUMNS,
    LINE_COLUMNS,
    Executed,
    instruction_rows,
    line_rows,
)
from tilescope_trace.profile.ascend.table import headers_of, opened
from tilescope_trace.profile.build import ProfileBuilder
from tilescope_trace.profile.model import Launch, Profile
from tilescope_trace.profile.source import Source

NAME = "msprof op simulator table"

NOTHING = "the table has no row with cycles: the core ran nothing, or the kernel was compiled without -g"


def recognise(source: Source) -> bool:
    """A table with the columns of one of the two."""
    headers = set(headers_of(source))
    return headers >= INSTRUCTION_COLUMNS or headers >= LINE_COLUMNS


def load(source: Source) -> Profile:
    """One launch without times: the table has sums only."""
    builder, executed = ProfileBuilder(source.path, NAME), Executed()
    read_table(source, builder, executed)
    samples = executed.samples("", 0)
    if samples is not None:
        builder.launch(Launch("", kind="simulated"))
        builder.samples.append(samples)
        builder.note("the table does not name the kernel, and is of one core")
    return builder.finish(NOTHING)


def read_table(source: Source, builder: ProfileBuilder, executed: Executed) -> None:
    """Add the rows of one table to ``executed``."""
    with opened(source) as table:
        if set(table.headers) >= INSTRUCTION_COLUMNS:
            instruction_rows(table, executed)
        else:
            line_rows(table, executed)
        damage = table.damage()
        if damage:
            builder.note(damage)
