"""Nsight Compute's source page as CSV: samples and stall reasons of each SASS instruction, or of each line."""

from __future__ import annotations

from collections.abc import Iterator
from typing import IO

from tilescope_trace.profile.build import ProfileBuilder
from tilescope_trace.profile.database import whole
from tilescope_trace.profile.errors import ProfileError
from tilescope_trace.profile.model import InstructionSamples, Launch, LineSamples, Place, Profile, Samples
from tilescope_trace.profile.nsight_csv import cells, first_row, number_of, rows, split
from tilescope_trace.profile.source import Source
from tilescope_trace.profile.stalls import is_stall, stall_name

NAME = "Nsight Compute source page"

_HOW = "ncu --import REPORT --page source --csv --print-source sass"
_BLOCKS = ("Kernel Name", "File Path", "Function Name", "File Name")


def recognise(source: Source) -> bool:
    """The first row names a kernel or a file."""
    row = first_row(source)
    return len(row) == 2 and row[0] in _BLOCKS


def load(source: Source) -> Profile:
    """Samples of instructions (``--print-source sass``), and of lines (``cuda,sass``), where an instruction stands
    under every line of its inline stack: it is counted once. The page ``cuda`` has source texts only."""
    page = _Page(source)
    with source.open() as stream:
        page.read(stream)
    return page.finish()


class _Kernel:
    def __init__(self) -> None:
        self.instructions: dict[int, InstructionSamples] = {}
        self.lines: list[LineSamples] = []


class _Page:
    def __init__(self, source: Source) -> None:
        self._source = source
        self._build = ProfileBuilder(source.path, NAME)
        self._kernels: dict[str, _Kernel] = {}
        self._kernel, self._file = "", ""
        self._header: _Header | None = None
        self._counts = False

    def read(self, stream: IO[bytes]) -> None:
        for number, row in rows(self._source, stream):
            start = split(row)
            if start[0] in _BLOCKS:
                self._block(start)
            elif start[0] in ("Address", "Line No"):
                self._header = _Header(start)
                self._counts = self._counts or self._header.samples is not None
            elif self._header is None:
                raise ProfileError(self._source.path, "a row comes before any header", "a header", f"line {number}")
            else:
                self._row(self._header, row, f"line {number}")

    def _block(self, start: list[str]) -> None:
        value = start[1] if len(start) > 1 else ""
        if start[0] in ("Kernel Name", "Function Name"):
            self._kernel = value
        else:
            self._file = value
        self._header = None

    def _row(self, header: _Header, row: str, where: str) -> None:
        found = cells(row, header.columns, header.text)
        if len(found) < header.columns:
            raise ProfileError(
                self._source.path, f"the row has {len(found)} cells", f"{header.columns} as in the header", where
            )
        if header.address is None:
            line = self._build.sources.get(self._file, "")
            self._build.sources[self._file] = f"{line}{found[header.text]}\n"
        elif found[header.address] not in ("-", "..."):
            self._instruction(header, found, where)
        elif header.line is not None and found[header.line]:
            self._line(header, found, where)

    def _instruction(self, header: _Header, found: list[str], where: str) -> None:
        try:
            address = int(found[header.address or 0], 16)
        except ValueError:
            raise ProfileError(
                self._source.path, f'"{found[header.address or 0]:.30}" is no address', "0x...", where
            ) from None
        instructions = self._kernels.setdefault(self._kernel, _Kernel()).instructions
        if address not in instructions:
            executed = number_of(found[header.executed]) if header.executed is not None else None
            instructions[address] = InstructionSamples(
                address=address,
                text=found[header.instruction].strip(),
                samples=header.count(found),
                stalls=header.stalls_of(found),
                executed=None if executed is None else int(executed),
            )

    def _line(self, header: _Header, found: list[str], where: str) -> None:
        line = whole(found[header.line or 0])
        if line is None:
            raise ProfileError(
                self._source.path, f'"{found[header.line or 0]:.30}" is no line number', "a number", where
            )
        self._kernels.setdefault(self._kernel, _Kernel()).lines.append(
            LineSamples(Place(self._file, line), header.count(found), header.stalls_of(found), found[header.text])
        )

    def finish(self) -> Profile:
        build = self._build
        for name, kernel in self._kernels.items() if self._counts else ():
            instructions = tuple(_from_start(kernel.instructions))
            stalls: dict[str, int] = {}
            for one in instructions:
                for reason, count in one.stalls.items():
                    stalls[reason] = stalls.get(reason, 0) + count
            total = sum(one.samples for one in instructions)
            launch = build.launch(Launch(name))
            lines = tuple(kernel.lines)
            build.samples.append(
                Samples(
                    name,
                    launch,
                    total,
                    "samples",
                    stalls,
                    instructions,
                    lines,
                    "every frame" if lines else "as given",
                )
            )
        if self._kernels and not self._counts:
            return build.finish(
                f"the report has no samples: collect it with ncu --section SourceCounters, then {_HOW}"
            )
        return build.finish(f"the page has source texts but no metrics: export it with {_HOW}")


def _from_start(instructions: dict[int, InstructionSamples]) -> Iterator[InstructionSamples]:
    """With offsets from the first instruction instead of addresses."""
    first = min(instructions, default=0)
    for address in sorted(instructions):
        one = instructions[address]
        yield InstructionSamples(address - first, one.text, one.samples, one.stalls, one.executed)


class _Header:
    """Where columns of a table stand: the text of a line or instruction is the one that may hold quotes."""

    def __init__(self, names: list[str]) -> None:
        self.columns = len(names)
        self.line = 0 if names[0] == "Line No" else None
        self.text = 1
        self.address = names.index("Address") if "Address" in names else None
        self.instruction = 1 if self.line is None else 3
        self.samples = names.index("# Samples") if "# Samples" in names else None
        self.executed = names.index("Instructions Executed") if "Instructions Executed" in names else None
        self._stalls = [(at, stall_name(name)) for at, name in enumerate(names) if is_stall(name)]

    def count(self, found: list[str]) -> int:
        return int(number_of(found[self.samples]) or 0) if self.samples is not None else 0

    def stalls_of(self, found: list[str]) -> dict[str, int]:
        counts = ((name, int(number_of(found[at]) or 0)) for at, name in self._stalls)
        return {name: count for name, count in counts if count}
