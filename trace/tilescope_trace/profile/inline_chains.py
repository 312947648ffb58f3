"""Inline stacks of machine instructions, from what ``nvdisasm -gi -c`` prints of a cubin."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from .model import Frames, Place

_SECTION = re.compile(r"\s*\.section\s+\.text\.([^,\s]+)")
_PLACE = re.compile(r'\s*//## File "([^"]*)", line (\d+)')
_INSTRUCTION = re.compile(r"\s*/\*([0-9a-f]{4,})\*/\s+(.*?);?\s*(?:/\*.*)?$")


@dataclass(frozen=True, slots=True)
class Instruction:
    """A machine instruction and the lines it was made from, innermost first; none where the compiler gave none."""

    text: str
    frames: Frames

    @property
    def operation(self) -> str:
        """The operation without predicate and operands: ``HGMMA.64x128x16.F32``."""
        return operation(self.text)


def operation(text: str) -> str:
    """The operation of an instruction as a disassembler or a profiler prints it."""
    words = text.split()
    if words and words[0].startswith("@"):
        words = words[1:]
    return words[0] if words else ""


Chains = dict[int, Instruction]
"""By the offset in bytes from the kernel's first instruction."""


def inline_chains(lines: Iterable[str]) -> dict[str, Chains]:
    """The instructions of each kernel, by its symbol. A text without sections is of one kernel, called ``""``."""
    found: dict[str, Chains] = {}
    symbol, after = "", False
    frames: list[Place] = []
    for line in lines:
        if section := _SECTION.match(line):
            symbol, frames, after = section[1], [], False
        elif place := _PLACE.match(line):
            if after:
                frames = []
            frames.append(Place(place[1], int(place[2])))
            after = False
        elif instruction := _INSTRUCTION.match(line):
            chains = found.setdefault(symbol, {})
            chains[int(instruction[1], 16)] = Instruction(instruction[2].strip(), tuple(frames))
            after = True
    return found
