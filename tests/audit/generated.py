"""Generated source as text: its lines with the loops around them, the memory they touch, and the value of an index
for every thread. Nothing here asks the compiler or the facts."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

TYPES = {
    "half_t": 2, "half": 2, "bfloat16_t": 2, "float": 4, "int": 4, "uint": 4, "uint64_t": 8, "uchar": 1, "uint8_t": 1,
    "float2": 8, "float4": 16, "half2": 4, "uint1": 4, "uint2": 8, "uint4": 16,
}  # fmt: skip
"""Bytes of the types that generated source declares and casts to."""
_LOOP = re.compile(r"for \((?:int|int32_t) (\w+) = 0; \1 < (\d+); \+\+\1\)")
_DECLARED = re.compile(r"^\s*(?:(threadgroup|__shared__)\s+(?:__align__\(\d+\)\s+)?)?(\w+) (\w+)\[(\d+)\];")
_PARAMETER = re.compile(r"(?:const )?(?:device )?(?:__gm__ )?(\w+)\s?\*\s?(?:__restrict(?:__)? )?(\w+)\s*(?=[,)\[])")
_C = (
    (r"\(int(?:32_t)?\)(?:threadIdx\.(\w))", r"t\1"),
    (r"\(int(?:32_t)?\)(?:blockIdx\.(\w))", r"b\1"),
    (r"\(int32_t\)block_idx", "bx"),
    (r"\(int\)__simd_group_id", "(tx // 32)"),
    (r"(?<!/)/(?!/)", "//"),
)


@dataclass(frozen=True)
class Line:
    """``origins`` are the Python lines it came from; ``loops`` (variable, count) are around it, outermost first."""

    number: int
    text: str
    origins: frozenset[int]
    loops: tuple[tuple[str, int], ...]


@dataclass(frozen=True)
class Touch:
    """A place where a line names an element of ``buffer``: ``index`` in elements of ``size`` bytes as C text;
    ``width`` bytes are moved for each thread (None where a function call has the address)."""

    line: Line
    buffer: str
    mode: str
    index: str
    size: int
    width: int | None


@dataclass(frozen=True)
class Source:
    text: str
    lines: tuple[Line, ...]
    arrays: dict[str, tuple[str, int, str]]
    """Arrays by name: type, elements, and qualifier (``__shared__``, ``threadgroup``, or empty for one thread's)."""
    pointers: dict[str, str]
    """Element types of the kernel's parameters and of pointers into merged memory."""

    def of(self, lines: Iterable[int]) -> list[Line]:
        """The generated lines that come from any of the Python lines."""
        wanted = set(lines)
        return [line for line in self.lines if line.origins & wanted]

    def declared(self, lines: Iterable[int]) -> str:
        return "\n".join(line.text for line in self.of(lines))


def read(text: str, origins: Mapping[int, frozenset[int]]) -> Source:
    lines: list[Line] = []
    stack: list[tuple[str, int] | None] = []
    for number, line in enumerate(text.splitlines(), start=1):
        stripped = line.strip()
        if stripped.startswith("}") and stack:
            stack.pop()
        loops = tuple(loop for loop in stack if loop is not None)
        lines.append(Line(number, line, origins.get(number, frozenset()), loops))
        if stripped.endswith("{"):
            found = _LOOP.search(stripped)
            stack.append((found[1], int(found[2])) if found else None)
    arrays = {
        found[3]: (found[2], int(found[4]), found[1] or "")
        for found in (_DECLARED.match(line.text) for line in lines if line.origins)
        if found is not None and "extern" not in found[0]
    }
    kernel = (
        text[text.find("main_kernel(") :] if text.count("main_kernel(") == 1 else text[text.rfind("main_kernel(") :]
    )
    pointers = {name: kind for kind, name in _PARAMETER.findall(kernel[: kernel.find("{")])}
    pointers |= {name: kind for kind, name in re.findall(r"threadgroup (\w+)\* (\w+) =", text)}
    return Source(text, tuple(lines), arrays, pointers)


def touches(source: Source, lines: Iterable[Line], buffer: str) -> Iterator[Touch]:
    """Every element of ``buffer`` that the lines name."""
    for line in lines:
        code = line.text
        equals = code.find(" = ")
        for found in re.finditer(rf"(?<![\w.]){re.escape(buffer)}(?!\w)", code):
            before, at = code[: found.start()], found.end()
            cast = re.search(r"\(\((?:\w+ )?(\w+)\s?\*\)$", before)
            kind = cast[1] if cast else source.pointers.get(buffer) or source.arrays.get(buffer, ("half_t",))[0]
            if cast:
                at += 1
                before = before[: cast.start()]
            size = TYPES.get(kind)
            if size is None:
                continue
            mode = "write" if equals >= 0 and found.start() < equals else "read"
            if code[at : at + 1] == "[":
                called = before.endswith("(&(")
                width = None if called else size
                yield Touch(line, buffer, mode, _inside(code, at), size, width)
            elif code[at : at + 3] == " + ":
                vector = re.search(r"\*\((?:\w+ )?(\w+)\s?\*\)\($", before)
                if vector and vector[1] in TYPES:
                    yield Touch(line, buffer, mode, _rest(code, at + 3), size, TYPES[vector[1]])


def _inside(code: str, at: int) -> str:
    """What is between the bracket at ``at`` and its partner."""
    depth = 0
    for end in range(at, len(code)):
        depth += {"[": 1, "]": -1}.get(code[end], 0)
        if not depth:
            return code[at + 1 : end]
    raise AssertionError(f"no end of {code[at:]}")


def _rest(code: str, at: int) -> str:
    """What is left up to the parenthesis that closes the one around ``at``."""
    depth = 1
    for end in range(at, len(code)):
        depth += {"(": 1, ")": -1}.get(code[end], 0)
        if not depth:
            return code[at:end]
    raise AssertionError(f"no end of {code[at:]}")


def values(index: str, variables: Mapping[str, Any]) -> Any:
    """The value of a C index for ``variables``, which may be arrays: ``tx``, ``bx`` ... and those of loops."""
    python = index
    for pattern, new in _C:
        python = re.sub(pattern, new, python)
    return eval(python, {"__builtins__": {}}, dict(variables)) + np.zeros((), dtype=np.int64)
