"""What a simulation or the board counted for each instruction and line: blocks of ``visualize_data.bin`` and the CSV
files ``*_instr_exe.csv`` and ``*_code_exe.csv``, added up over cores.

Lines count an instruction at every frame of its inline stack but those in the toolkit's headers, so that their sum
is more than what was spent.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from tilescope_trace.profile.model import LineSamples, Metric, Place, Samples, SampleUnit

from .blocks import Block
from .costs import Cost, samples_of
from .stacks import frames_of
from .table import Table

INSTRUCTION_COLUMNS = frozenset(("instr", "addr", "pipe", "call_count", "cycles"))
LINE_COLUMNS = frozenset(("code", "call_count", "cycles"))

_SAMPLING = "Stall Sampling(All Samples)"
_ACTIVE = "Active"
_SUMMED = {"UB Read Conflict": "", "UB Write Conflict": "", "Process Bytes": "B"}
"""Columns that are added up for each core; -1 stands where there is nothing to count."""


@dataclass
class Executed:
    """Costs by address, and of lines."""

    costs: dict[int, Cost] = field(default_factory=dict)
    lines: dict[Place, int] = field(default_factory=dict)
    unit: SampleUnit = "cycles"

    def samples(self, kernel: str, launch: int) -> Samples | None:
        """What was counted. Without instructions the total is that of the file with the largest: every instruction
        has one outermost frame, a line of the kernel's own file."""
        of_instructions = samples_of(self.costs, kernel, launch, self.unit)
        lines = tuple(LineSamples(place, amount) for place, amount in self.lines.items())
        if of_instructions is not None:
            return Samples(kernel, launch, of_instructions.total, self.unit, of_instructions.stalls,
                           of_instructions.instructions, lines, "every frame")  # fmt: skip
        if not lines:
            return None
        files: Counter[str] = Counter()
        for place, amount in self.lines.items():
            files[place.file] += amount
        return Samples(kernel, launch, max(files.values()), self.unit, lines=lines, line_rule="every frame")


def instructions_of(block: Block, into: Executed, parts: Mapping[str, dict[str, Metric]]) -> None:
    """A block of instructions: columns with a value for each core, or one for all. On the board these are samples of
    the program counter with their reasons, in a simulation cycles."""
    content = block.json(dict[str, Any])
    cores = [str(core) for core in content.get("Cores") or ()]
    sums: dict[tuple[str, str], float] = {}
    for entry in content["Instructions"]:
        address = int(str(entry["Address"]), 16)
        cost = into.costs.setdefault(
            address, Cost(str(entry["Source"]), frames_of(str(entry.get("AscendC Inner Code"))))
        )
        cost.executed += sum(_numbers(entry.get("Instructions Executed")))
        if _SAMPLING in entry:
            into.unit = "samples"
            _sampled(entry[_SAMPLING]["Details"], cost)
        else:
            cost.amount += sum(_numbers(entry.get("Cycles")))
        for column in _SUMMED:
            for core, number in zip(cores, _numbers(entry.get(column)), strict=False):
                sums[core, column] = sums.get((core, column), 0) + max(number, 0)
    for (core, column), total in sums.items():
        parts[core][column] = Metric(float(total), _SUMMED[column])


def _sampled(reasons: Mapping[str, Any], cost: Cost) -> None:
    for reason, count in reasons.items():
        cost.amount += int(count)
        if reason != _ACTIVE and int(count):
            cost.stalled(f"stall_{reason.lower()}", int(count))


def lines_of(block: Block, into: Executed) -> None:
    """A block of lines of source files."""
    for file in block.json(dict[str, Any])["Files"]:
        for line in file["Lines"]:
            amount = sum(_numbers(line.get("Cycles")))
            if amount:
                place = Place(str(file["Source"]), int(line["Line"]))
                into.lines[place] = into.lines.get(place, 0) + amount


def instruction_rows(table: Table, into: Executed) -> None:
    """``*_instr_exe.csv``: addresses are decimal there, though hexadecimal everywhere else."""
    for row in table:
        address, cycles = row.text("addr"), row.whole("cycles")
        if address is None or cycles is None:
            continue
        try:
            number = int(address, 0)
        except ValueError:
            raise row.wrong("addr", "an address") from None
        cost = into.costs.setdefault(number, Cost(row.text("instr") or "", ()))
        cost.amount += cycles
        cost.executed += row.whole("call_count") or 0


def line_rows(table: Table, into: Executed) -> None:
    """``*_code_exe.csv``."""
    for row in table:
        frames, cycles = frames_of(row.text("code") or ""), row.whole("cycles")
        if frames and cycles:
            into.lines[frames[0]] = into.lines.get(frames[0], 0) + cycles


def _numbers(value: Any) -> list[int]:
    values = value if isinstance(value, list) else [value]
    return [int(number) for number in values if isinstance(number, (int, float))]
