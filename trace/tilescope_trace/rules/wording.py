"""The compiler's messages in the terms of the kernel: buffers, tiles, threads.

Each pattern answers one message of TileLang 0.1.13 to 0.1.15; what no pattern knows is passed on by its first line.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Wording:
    """``message`` for people; ``help`` what to do; ``name`` the word of the source line at fault, where one is."""

    message: str
    help: str | None = None
    name: str | None = None


WARP_THREADS = 32


@dataclass(frozen=True)
class Case:
    """A recognised message: its match, the source line it was located at ("" where it was not), the whole file."""

    found: re.Match[str]
    source_line: str
    text: str


Explain = Callable[[Case], Wording]


def word(exception: str, message: str, source_line: str, text: str) -> Wording:
    """What to tell about a failure. ``source_line`` is the line it was located at ("" where it was not), ``text``
    the whole file (for near misses of names)."""
    for pattern, explain in PATTERNS:
        found = pattern.search(message)
        if found:
            return explain(Case(found, source_line, text))
    return Wording(_first_line(message) or exception or "the compiler gave no message")


def _first_line(message: str) -> str:
    for line in message.splitlines():
        line = re.sub(r"^(\w+Error|Check failed|Fatal|Warning):\s*", "", line.strip())
        line = re.sub(r"^\[[^\]]*Semantic Check\]\s*", "", line)
        if line and not line.startswith(("Traceback", "File ", "Stack trace")):
            return line
    return ""


def _operands(source_line: str, callee: str) -> list[str]:
    """Names of the leading positional arguments of ``callee(...)`` on the line, up to the first that is no name."""
    call = re.search(rf"{callee}\s*\(([^)]*)", source_line)
    names: list[str] = []
    for part in call.group(1).split(",") if call else []:
        if not re.fullmatch(r"\s*\w+\s*", part):
            break
        names.append(part.strip())
    return names


def _undefined_name(case: Case) -> Wording:
    name = case.found.group(1)
    known = set(re.findall(r"[A-Za-z_]\w*", case.text)) - {name}
    # Case first: block_m for block_M is the usual slip, and the ratio alone may prefer another name.
    near = [word for word in sorted(known) if word.lower() == name.lower()]
    near = near or difflib.get_close_matches(name, sorted(known), n=1, cutoff=0.75)
    return Wording(f"name '{name}' is not defined", f"did you mean '{near[0]}'?" if near else None, name)


def _no_attribute(case: Case) -> Wording:
    owner, name = case.found.group(1), case.found.group(2)
    shown = "T (tilelang.language)" if owner == "tilelang.language" else owner
    return Wording(f"{shown} has no '{name}'", "check the spelling, or the TileLang version that has it", name)


def _gemm_k(case: Case) -> Wording:
    k_a, k_b = case.found.group(1), case.found.group(2)
    operands = _operands(case.source_line, "gemm")
    a, b = operands[:2] if len(operands) >= 2 else ("A", "B")
    return Wording(
        f"T.gemm: the K extents differ: {k_a} in {a}, {k_b} in {b}",
        "without transpose_A and transpose_B the shapes are (M, K) and (K, N)",
    )


def _index_rank(case: Case) -> Wording:
    name, rank, shape, given, indices = case.found.groups()
    noun = "index" if given == "1" else "indices"
    return Wording(
        f"{name} has {rank} dimensions {shape} but is given {given} {noun} {indices}",
        f"give {rank} indices or slices",
        name,
    )


def _reduce_shape(case: Case) -> Wording:
    shape, dim, out, expected = case.found.groups()
    call = re.search(r"(reduce_\w+|reduce)\s*\(", case.source_line)
    callee = call.group(1) if call else "reduce"
    operands = _operands(case.source_line, callee)
    source, result = operands[:2] if len(operands) >= 2 else ("the input", "the output")
    return Wording(
        f"T.{callee}: {result} has shape {out}, but reducing {source} {shape} along dimension {dim} gives {expected}",
        f"allocate {result} with shape {expected}",
    )


def _warp_partition(case: Case) -> Wording:
    m, n, warps, rows, columns = case.found.groups()
    threads = int(warps) * WARP_THREADS
    return Wording(
        f"T.gemm: a {m} × {n} tile cannot be split evenly over {warps} warps ({threads} threads)",
        f"each warp must own a multiple of {rows} rows and {columns} columns: change threads= or the tile",
    )


def _expression_as_bool(case: Case) -> Wording:
    builtin = re.search(r"(?<![\w.])(max|min)\s*\(", case.source_line)
    if builtin:
        name = builtin.group(1)
        return Wording(
            f"Python's {name}() cannot compare values known only when the kernel runs", f"use T.{name}", name
        )
    return Wording(
        "Python's and, or, not and chained comparisons cannot work on values known only when the kernel runs",
        "use T.And, T.Or, T.Not (or &, |, ~), or T.if_then_else",
    )


def _layout_conflict(case: Case) -> Wording:
    first, second = case.found.groups()
    return Wording(
        f"{first} and {second} meet in one T.Parallel loop but their register layouts differ",
        "the operations that fix them (T.gemm policies, reductions) must agree, or copy through shared memory",
    )


def _copy_extents(case: Case) -> Wording:
    shared, other = case.found.groups()
    return Wording(
        f"T.copy: the two regions differ in extent: {shared} on the shared side, {other} on the other",
        "give both sides regions of equal shape",
    )


def _copy_range(case: Case) -> Wording:
    dst_extent, src_extent, src, dst = case.found.groups()
    return Wording(
        f"T.copy: the two regions differ in extent: {src_extent} in {src}, {dst_extent} in {dst}",
        "give both sides regions of equal shape",
    )


def _copy_shapes(case: Case) -> Wording:
    operands = _operands(case.source_line, "copy")
    if len(operands) < 2:
        return Wording(_first_line(case.found.string))
    return Wording(
        f"T.copy: {operands[0]} and {operands[1]} have different shapes",
        "copy between buffers or regions of equal shape",
    )


def _no_layout(case: Case) -> Wording:
    return Wording(
        _first_line(case.found.string),
        "no operation fixes the layout of this fragment; use it in T.Parallel, T.copy or T.gemm",
    )


def _read_before_write(case: Case) -> Wording:
    name = case.found.group(1)
    return Wording(
        f"{name} is read before anything writes it",
        "initialise it first: T.clear, T.fill, T.copy into it, or clear_accum=True for a T.gemm",
        name,
    )


def _missing_argument(case: Case) -> Wording:
    return Wording(f"the parameter {case.found.group(1)} has no value")


PATTERNS: tuple[tuple[re.Pattern[str], Explain], ...] = (
    (re.compile(r"name '(\w+)' is not defined"), _undefined_name),
    (re.compile(r"module '([\w.]+)' has no attribute '(\w+)'"), _no_attribute),
    (re.compile(r"K shape check failed: K_A = (\S+?), K_B = (\S+)"), _gemm_k),
    (
        re.compile(
            r"Buffer (\w+) is (\d+)-dimensional \(shape=(\(.*?\))\), but (\d+) index\(es\) were provided: (\(.*?\))"
        ),
        _index_rank,
    ),
    (
        re.compile(
            r"Invalid reduce output shape, buffer shape is (\(.*?\)), dim is (\S+), output shape is (\[.*?\]), "
            r"expected shapes are (.*)"
        ),
        _reduce_shape,
    ),
    (
        re.compile(
            r"No valid warp partition for T\.gemm: M=(\d+), N=(\d+) cannot be evenly covered by (\d+) warps.*?"
            r"multiple of (\d+) rows and (\d+) columns",
            re.DOTALL,
        ),
        _warp_partition,
    ),
    (re.compile(r"Cannot use and / or / not operator to Expr"), _expression_as_bool),
    (re.compile(r"Layout infer conflict between (\w+) and (\w+) in T\.Parallel"), _layout_conflict),
    (re.compile(r"s_extent == g_extent.*?\((\d+) vs\. (\d+)\)"), _copy_extents),
    (
        re.compile(r"Selected loop range is smaller.*?extent=(\d+).*?src\(extent=(\d+).*?for src=(\w+), dst=(\w+)"),
        _copy_range,
    ),
    (re.compile(r"StructuralEqual"), _copy_shapes),
    (re.compile(r"layout can not be inferred|no layout found", re.IGNORECASE), _no_layout),
    (re.compile(r"`(\w+)` is read before anything writes it"), _read_before_write),
    (re.compile(r"missing a required argument: '(\w+)'"), _missing_argument),
    (re.compile(r"Cannot find value for constexpr variable '(\w+)'"), _missing_argument),
)
