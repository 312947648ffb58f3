"""500 facts about the bundled kernels, drawn by a fixed seed, each got at by another road: all agree.

The roads: the text of the generated source (declared arrays, calls on the lines that come from an operation,
addresses evaluated for every thread), the numbers that the host code launches a kernel and makes TMA descriptors
with, the compiler's layout objects element by element, the syntax tree evaluated and enumerated by Python alone,
attributes that an H200 told, and what the assembler and its binary say (``TILESCOPE_AUDIT=full`` and nvcc only, as
are kernels that take seconds to lower; all facts are looked at then).

Facts without another road are left out: the compiler's own estimates of cycles, the plan of a pipeline (``order``,
``stage``), warp policies, and which operation decided a layout, which has tests of its own. The registers that arrays
need at once are held between bounds only.
"""

from __future__ import annotations

import dataclasses
import os
import random
from collections import Counter, defaultdict
from collections.abc import Iterable

import pytest

from . import accesses, assembler, buffers, launches, operations, warps
from .claims import Between, Claim
from .compiled import DEAR, SMALL, Compiled, compiled

FACTS = 500
SEED = 5
FULL = os.environ.get("TILESCOPE_AUDIT") == "full"
"""Also kernels that are dear to lower, the assembler, and every fact instead of a sample."""
ROOMS = (launches, buffers, operations, accesses, warps)


@pytest.fixture(scope="module")
def kernels() -> list[Compiled]:
    return [compiled(*kernel) for kernel in (*SMALL, *(DEAR if FULL else ()))]


@pytest.fixture(scope="module")
def everything(kernels: list[Compiled]) -> list[Claim]:
    return [claim for kernel in kernels for room in ROOMS for claim in room.claims(kernel)]


def sample(claims: Iterable[Claim], count: int, seed: int) -> list[Claim]:
    """``count`` claims: in turn one of each kind, so that kinds of few facts are in it too."""
    by_kind: dict[str, list[Claim]] = defaultdict(list)
    for claim in claims:
        by_kind[claim.kind].append(claim)
    pick = random.Random(seed)
    for own in by_kind.values():
        pick.shuffle(own)
    chosen: list[Claim] = []
    while len(chosen) < count and by_kind:
        for kind in list(by_kind):
            chosen.append(by_kind[kind].pop())
            if not by_kind[kind]:
                del by_kind[kind]
    return chosen[:count]


def test_sampled_facts_agree(everything: list[Claim], capsys: pytest.CaptureFixture[str]) -> None:
    chosen = everything if FULL else sample(everything, FACTS, SEED)
    assert len(chosen) >= FACTS
    wrong = []
    for claim in chosen:
        derived = claim.derived()
        if claim.told != derived:
            wrong.append(f"{claim.kind}, {claim.about}: told {claim.told}, derived {derived}")
    counted = Counter(claim.kind for claim in chosen)
    bounded = sum(isinstance(claim.derived(), Between) for claim in chosen if claim.kind.endswith("_registers"))
    with capsys.disabled():
        kinds = ", ".join(f"{kind} {number}" for kind, number in sorted(counted.items()))
        print(f"\n{len(chosen) - len(wrong)} of {len(chosen)} facts agree ({bounded} within bounds only): {kinds}")
    assert not wrong, "\n".join(wrong)


def test_other_facts_would_not_agree(kernels: list[Compiled]) -> None:
    """The roads tell kernels apart: facts of one kernel held against the source of another disagree."""
    gemm = next(one for one in kernels if (one.name, one.target) == ("gemm", "cuda:sm_90a"))
    older = next(one for one in kernels if (one.name, one.target) == ("gemm", "cuda:sm_80"))
    mixed = dataclasses.replace(older, facts=gemm.facts)
    kinds = set()
    for room in (launches, buffers, operations, warps):
        for claim in room.claims(mixed):
            try:
                agrees = claim.told == claim.derived()
            except (AssertionError, AttributeError, KeyError, ValueError):
                agrees = False
            if not agrees:
                kinds.add(claim.kind)
    assert kinds >= {
        "launch.threads_lowered",
        "launch.barriers",
        "launch.warp_groups",
        "buffer.layout.map",
        "operation.lowered_to",
        "operation.instruction",
    }


@pytest.mark.skipif(not FULL, reason="TILESCOPE_AUDIT=full runs it")
@pytest.mark.skipif(not assembler.is_present(), reason="there is no nvcc")
def test_assembler_agrees(kernels: list[Compiled]) -> None:
    checked = [claim for kernel in kernels for claim in assembler.claims(kernel)]
    assert checked
    for claim in checked:
        assert claim.told == claim.derived(), claim
