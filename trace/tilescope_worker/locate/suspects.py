"""Which statements a compiler message is about: its buffers, indices and numbers, matched against the kernel's."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from .candidates import Candidate

Candidates = Sequence[Candidate]


@dataclass(frozen=True)
class Suspects:
    """``statements`` in program order. ``certain``: the first is at fault (any other would have failed before);
    otherwise all that can be said is that it is one of them. ``named``: the message itself is about them."""

    statements: tuple[Candidate, ...]
    certain: bool = False
    named: bool = False

    @property
    def one(self) -> bool:
        """Whether they are all on one line (a macro is expanded at each of its calls)."""
        return len({candidate.where for candidate in self.statements}) == 1


def of_message(
    text: str, candidates: Candidates, *, operands: tuple[str, ...] = (), frames: Sequence[str] = ()
) -> Suspects:
    """Suspects for a failure that says ``text``. ``operands`` are the buffers of the matrix operation that was open
    when it failed; ``frames`` the names of the compiler's own functions in the traceback."""
    for pattern, find in _BY_TEXT:
        match = pattern.search(text)
        if match is not None:
            found = find(match, candidates)
            if found:
                return Suspects(tuple(found), certain=pattern in _FIRST_FAILS, named=True)
    if operands:
        found = [c for c in candidates if c.kind == "gemm" and tuple(o.name for o in c.operands[:3]) == operands]
        if found:
            # Operations on the same buffers fail alike: the compiler meets the first of them first.
            return Suspects(tuple(found), certain=True, named=True)
    return Suspects(_of_frames(frames, candidates))


def _of_frames(frames: Sequence[str], candidates: Candidates) -> tuple[Candidate, ...]:
    """Suspects by the operation that the compiler's own functions belong to, all candidates where they tell none."""
    for frame in reversed(frames):
        for sign, kinds in _KINDS_BY_FRAME:
            if sign in frame:
                found = tuple(candidate for candidate in candidates if candidate.kind in kinds)
                return found or tuple(candidates)
    return tuple(candidates)


_KINDS_BY_FRAME = (
    ("GemmNode::", ("gemm",)),
    ("GemmSPNode::", ("gemm",)),
    ("CopyNode::", ("copy",)),
    ("ReduceOpNode::", ("reduce",)),
    ("ReduceOp::", ("reduce",)),
    ("FillNode::", ("fill",)),
    ("ParallelOpNode::", ("store", "copy", "fill", "call")),
    ("AtomicAdd", ("atomic", "call")),
)


def _named_copy(match: re.Match[str], candidates: Candidates) -> list[Candidate]:
    small, large, src, dst = match.groups()
    return _faulty(
        [c for c in candidates if c.kind in ("copy", "atomic") and _sides(c) == (src, dst)], int(small), int(large)
    )


def _sized_copy(match: re.Match[str], candidates: Candidates) -> list[Candidate]:
    return _faulty([c for c in candidates if c.kind == "copy"], int(match[1]), int(match[2]))


def _faulty(copies: list[Candidate], one: int, other: int) -> list[Candidate]:
    """The first copy whose sides differ in just these extents; where that cannot be told, all copies."""
    differing = [c for c in copies if {one, other} in _differences(c)]
    return [c for c in differing if c.where == differing[0].where] or copies


def _sides(candidate: Candidate) -> tuple[str, ...]:
    return tuple(operand.name for operand in candidate.operands[:2])


def _differences(candidate: Candidate) -> list[set[int | str]]:
    """Pairs of extents in which the two sides of a copy differ. Axes of extent 1 match nothing."""
    if len(candidate.operands) < 2:
        return []
    one, other = ([size for size in operand.extents if size != 1] for operand in candidate.operands[:2])
    return [{a, b} for a, b in zip(one, other, strict=False) if a != b]


def _two_indices(match: re.Match[str], candidates: Candidates) -> list[Candidate]:
    name = match[1]
    wanted = {_indices(match[2]), _indices(match[3])}
    found = [
        (c, {a.indices for a in c.accesses if str(a.buffer.name) == name} & wanted) for c in candidates if c.parallel
    ]
    both = [candidate for candidate, indices in found if len(indices) > 1]
    return both or [candidate for candidate, indices in found if indices][-1:]


def _indices(printed: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in printed.strip("()").split(",") if part.strip())


def _operation_in_parallel(match: re.Match[str], candidates: Candidates) -> list[Candidate]:
    named = f"tl.tileop.{match[1]}"
    inside = [c for c in candidates if c.parallel and c.kind not in ("store", "call", "condition")]
    return [c for c in inside if str(c.statement.value.op.name) == named] or inside


def _local_by_parallel(match: re.Match[str], candidates: Candidates) -> list[Candidate]:
    buffer, variable = match.groups()
    return [
        c
        for c in candidates
        if any(
            str(access.buffer.name) == buffer and any(str(v.name) == variable for v in access.variables)
            for access in c.accesses
        )
        and c.parallel
    ]


def _condition(_: re.Match[str], candidates: Candidates) -> list[Candidate]:
    return [c for c in candidates if c.kind == "condition" and str(c.statement.condition.dtype) != "bool"]


def _out_of_loop(match: re.Match[str], candidates: Candidates) -> list[Candidate]:
    names = set(_indices(match[1]))
    return [
        c
        for c in candidates
        if any(
            str(variable.name) in names and not any(loop.loop_var.same_as(variable) for loop in c.loops)
            for variable in c.variables
        )
    ]


def _constant_access(match: re.Match[str], candidates: Candidates) -> list[Candidate]:
    """Outside of T.Parallel the message tells all indices, inside of it only the constant one."""
    wanted = _indices(match[1].strip("[]"))
    return [
        c
        for c in candidates
        if any(
            str(access.buffer.scope()) == "local.fragment"
            and (access.indices == wanted or (c.parallel and set(wanted) <= set(access.indices)))
            for access in c.accesses
        )
    ]


_Find = Callable[[re.Match[str], Candidates], list[Candidate]]

_BY_TEXT: tuple[tuple[re.Pattern[str], _Find], ...] = (
    (re.compile(r"base\(extent=(\d+).*?src\(extent=(\d+).*?for src=(\w+), dst=(\w+)"), _named_copy),
    (re.compile(r"base\(extent=(\d+).*?dst\(extent=(\d+).*?for src=(\w+), dst=(\w+)"), _named_copy),
    (re.compile(r"s_extent == g_extent.*?\((\d+) vs\. (\d+)\)"), _sized_copy),
    (re.compile(r"StructuralEqual.*?indices.*?: (\w+): (\(.*?\)) and (\(.*?\))\s*$", re.MULTILINE), _two_indices),
    (re.compile(r'Got a tile-op .*?name="tl\.tileop\.(\w+)"'), _operation_in_parallel),
    (re.compile(r"Local buffer `(\w+)` is indexed by T\.Parallel loop variable `(\w+)`"), _local_by_parallel),
    (re.compile(r"Expected boolean argument"), _condition),
    (re.compile(r"variables \((.*?)\) are used, but are not passed"), _out_of_loop),
    (re.compile(r"Fragment buffer access with non-zero index (\[.*?\])"), _constant_access),
)
_FIRST_FAILS = frozenset(pattern for pattern, find in _BY_TEXT if find is not _named_copy and find is not _sized_copy)
"""What these look for is always a fault: several are found in program order, and the compiler stops at the first."""
