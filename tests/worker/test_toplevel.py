"""What a file does for its effect is left out; what defines something, or is needed for that, runs."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tilescope_worker import load
from tilescope_worker.toplevel import chosen

from .conftest import Run

HEAD = """import tilelang
import tilelang.language as T
import sys, torch

@tilelang.jit
def copy(N=1024):
    @T.prim_func
    def main(A: T.Tensor((N,), "float32"), B: T.Tensor((N,), "float32")):
        with T.Kernel(N // 128, threads=128) as bx:
            for i in T.Parallel(128):
                B[bx * 128 + i] = A[bx * 128 + i]

    return main

def main():
    raise AssertionError("an effect was run")

class Bench:
    def __init__(self): raise AssertionError("an effect was run")

def register(kernel): KNOWN.append(kernel)
KNOWN = []
SIZES = {}
"""


def left_out(text: str) -> list[str]:
    """The lines of the end of the file that do not run."""
    whole = HEAD + text
    lines = whole.splitlines()
    return [lines[number - 1].strip() for number in chosen(ast.parse(whole)).left_out]


@pytest.mark.parametrize(
    "line",
    [
        "main()",
        "kernel = copy(2048)",
        "Bench().run()",
        "print(copy)",
        "sys.exit(0)",
        "torch.testing.assert_close(1, 2)",
        "latency = do_bench(lambda: 1)",
        "for size in range(4): main()",
        "while True: print(1)",
        "out: int = copy(1)",
    ],
)
def test_effects_do_not_run(line: str) -> None:
    assert left_out(line + "\n") == [line]


@pytest.mark.parametrize(
    "line",
    [
        "sys.path.append('.')",
        "SIZES['a'] = 1",
        "SIZES.update(b=2)",
        "torch.manual_seed(0)",
        "N = torch.ones(2).numel()",
        "for size in (1, 2): SIZES[size] = size",
        "assert SIZES == {}",
        "kernel = tilelang.jit(copy)",
        "if SIZES: SIZES['c'] = 3",
        "del KNOWN",
        "'a text'",
    ],
)
def test_what_defines_something_runs(line: str) -> None:
    assert left_out(line + "\n") == []


def test_what_a_definition_reads_runs() -> None:
    assert left_out("BIG = copy(1)\nSMALL = BIG.half()\ndef use(): return SMALL\n") == []
    assert left_out("BIG = copy(1)\nSMALL = BIG.half()\ndef use(): return BIG\n") == ["SMALL = BIG.half()"]
    assert left_out("@copy(1)\ndef use(): pass\n") == []


def test_bodies_of_compound_statements() -> None:
    text = (
        "try:\n    import json\n    print(json)\nexcept ImportError:\n    main()\nwith open('x') as f:\n    main()\n"
    )
    assert left_out(text) == ["print(json)", "main()", "main()"]
    assert left_out("if SIZES:\n    main()\nelse:\n    X = 1\n") == ["main()"]
    assert left_out("if __name__ == '__main__':\n    main()\n") == []


def test_they_are_named_and_the_kernel_is_compiled(run: Run, tmp_path: Path) -> None:
    answers = run(tmp_path / "script.py", HEAD + "main()\nkernel = copy(4)\nkernel(1)\n", "copy.main", target="c")
    assert (answers.failures, answers.done.status) == ([], "ok")
    first = len(HEAD.splitlines()) + 1
    assert any(f"lines {first}, {first + 1}, {first + 2}" in note for note in answers.kernel.notes)


def test_annotations_stay_text_where_the_file_says_so(run: Run, tmp_path: Path) -> None:
    text = (
        "'''What it is.'''\nfrom __future__ import annotations\nx: Nothing = 1\nundefined\ny: Nothing = 2\nprint(1)\n"
    )
    loaded = load.execute(str(tmp_path / "user.py"), text)
    assert isinstance(loaded.error, NameError)
    assert loaded.namespace["__doc__"] == "What it is."
    assert loaded.namespace["__annotations__"] == {"x": "Nothing", "y": "Nothing"}


STATEMENTS = st.sampled_from(
    ["a = f()", "b = a", "c = b + 1", "print(c)", "def f(): return g", "def g(): return a", "f()", "import math",
     "if b:\n    f()\nelse:\n    d = f()", "for i in range(2):\n    f()", "class C:\n    x = d", "d = 1"]
)  # fmt: skip


@given(st.lists(STATEMENTS, max_size=12))
def test_every_name_that_what_runs_reads_is_bound_where_it_was(lines: list[str]) -> None:
    tree = ast.parse("\n".join(lines))
    kept = chosen(tree).module
    compile(kept, "some.py", "exec")
    assert bound(kept) >= bound(tree) & read(kept)


def bound(tree: ast.AST) -> set[str]:
    names = {n.id for n in ast.walk(tree) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
    return names | {n.name for n in ast.walk(tree) if isinstance(n, (ast.FunctionDef, ast.ClassDef))}


def read(tree: ast.AST) -> set[str]:
    return {n.id for n in ast.walk(tree) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load)}
