"""Facts taken over from an earlier text are those of a fresh analysis, whatever was edited."""

from __future__ import annotations

import ast
from unittest.mock import patch

from hypothesis import example, given, settings
from hypothesis import strategies as st

from tilescope_server.parameters import parameters
from tilescope_trace.model import Options, Snapshot
from tilescope_trace.rules.portability import removed_api
from tilescope_trace.source import constructs as constructs_of
from tilescope_trace.source import tolerant
from tilescope_trace.source.constructs import constructs
from tilescope_trace.source.plan import FilePlan, plan_file
from tilescope_trace.source.reparse import Parser

TEXT = """\
import tilelang
import tilelang.language as T

BLOCK = 64
SIZES = [BLOCK, 32]
STAGES = 2
OPTIONS = {"threads": 128}


def rounded(value, to=BLOCK):
    return (value + to - 1) // to * to


@T.macro
def load(source, target):
    extra = T.alloc_fragment((BLOCK, 8), "float32")
    T.copy(source, target)


@tilelang.jit(pass_configs={"tir.disable_vectorize": True})
def first(M=100, dtype="float16"):
    padded = rounded(M)

    @T.prim_func
    def main(A: T.Tensor((padded, BLOCK), dtype)):
        with T.Kernel(T.ceildiv(padded, BLOCK), threads=128) as bx:
            tile = T.alloc_shared((BLOCK, SIZES[1]), dtype)
            for k in T.Pipelined(padded // 32, num_stages=STAGES):
                load(A[k, 0], tile)
                if k in (0, 1):
                    T.clear(tile)

    return main


@tilelang.jit
def second(N=256):
    @T.prim_func
    def main(A: T.Tensor((N,), "float32")):
        with T.Kernel(N // BLOCK, threads=OPTIONS["threads"]) as bx:
            part = T.alloc_fragment((SIZES[0],), "float32")
            T.copy(A[bx * BLOCK], part)

    return main


first(rounded(1000))
"""
SWAPS = [
    *(
        ("64", "128"),
        ("64", "100"),
        ("32]", "16]"),
        ("to - 1", "to"),
        ("STAGES = 2", "STAGES = 3"),
        ('"threads": 128', '"threads": 64'),
        ("8)", "9)"),
    ),
    *(("import tilelang.language as T", "import tilelang.language as L"), ("1000", "2000"), ("N=256", "N=512")),
    *(("BLOCK = 64", "if True:\n    BLOCK = 64"), ("value, to", "value, *, to"), ("@T.macro\n", ""), ("part", "one")),
    *(
        ("\ndef rounded", "\n\ndef rounded"),
        ("SIZES[0]", "len(SIZES)"),
        ("return main\n\n\nfirst", "pass\n\n\nfirst"),
    ),
]
LINES = st.tuples(st.integers(0, 48), st.integers(0, 48))
PIECES = [
    "",
    "# more",
    "    # more",
    "X = 1",
    "def f(x):\n    return x\n",
    "        T.copy(A[",
    "x = (",
    "x = '''",
    "  )",
]
ADDED = st.tuples(st.integers(0, 48), st.sampled_from(PIECES))
EDITS = st.lists(st.one_of(st.sampled_from(SWAPS), LINES, ADDED), min_size=1, max_size=5)


def planned(text: str) -> FilePlan:
    return plan_file(Snapshot("/tmp/kernel.py", text), Options())


def told(text: str) -> tuple[object, ...]:
    """All that is told of a text."""
    plan = planned(text)
    rules = [constructs(text, kernel.line) for kernel in plan.statics]
    removed = removed_api.findings(text, "/tmp/kernel.py", None)
    places = [parameters(text).get(kernel.qualname) for kernel in plan.statics]
    tree = ast.dump(plan.parsed.tree, include_attributes=True)
    return plan.statics, plan.requests, plan.findings, rules, removed, places, tree


def fresh(text: str) -> tuple[object, ...]:
    """What is told of a text before which none was read."""
    forget()
    with patch.object(tolerant, "_tree", Parser(ast.parse)):
        found = told(text)
    forget()
    return found


def forget() -> None:
    for kept in (tolerant.parse, tolerant.read, constructs_of._by_kernel, removed_api._found, parameters):
        kept.cache_clear()


def edited(text: str, edit: tuple[str, str] | tuple[int, int] | tuple[int, str]) -> str:
    """A swap of texts, there or back; a line copied to another place; or lines put in, which moves what is below."""
    if isinstance(edit[0], str):
        old, new = edit
        return text.replace(old, new, 1) if old in text else text.replace(new, old, 1)
    lines = text.split("\n")
    if isinstance(edit[1], str):
        at = edit[0] % len(lines)
        return "\n".join([*lines[:at], edit[1], *lines[at:]])
    lines[edit[1] % len(lines)] = lines[edit[0] % len(lines)]
    return "\n".join(lines)


@settings(max_examples=60, deadline=None)
@given(EDITS)
@example([("64", "128")])
@example([(32, "        T.copy(A["), (32, "        T.copy(A[ "), (0, "# more"), (40, "x = (")])
@example([(0, "# more"), ("32]", "16]"), (9, ""), ("8)", "9)"), ("1000", "2000")])
@example([(30, "    # more"), ("(N,)", "(N + 1,)"), (0, "X = 1")])
@example([("8)", "9)"), ("1000", "2000")])
@example([("@T.macro\n", ""), ("import tilelang.language as T", "import tilelang.language as L"), (1, "X = 1")])
@example([("STAGES = 2", "STAGES = 3")])
@example([('"threads": 128', '"threads": 64')])
def test_facts_after_edits_are_those_of_a_fresh_analysis(edits):
    text = TEXT
    told(text)
    for edit in edits:
        text = edited(text, edit)
        found = told(text)
        assert found == fresh(text)


def test_facts_of_other_kernels_are_the_same_objects():
    forget()
    before = planned(TEXT)
    after = planned(TEXT.replace("N // BLOCK", "N // 2"))
    assert after.statics[0].buffers[0] is before.statics[0].buffers[0]
    assert after.statics[1].launch != before.statics[1].launch
