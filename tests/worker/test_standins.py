"""A file that imports what is not installed is analysed all the same, it is said, and nothing of it stays."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tilescope_worker.wire.facts import Kernel

from .conftest import Answers, Run

COPY = """import tilelang
import tilelang.language as T
{top}

@tilelang.jit
def copy(N=1024):
    {inner}
    @T.prim_func
    def main(A: T.Tensor((N,), "float32"), B: T.Tensor((N,), "float32")):
        with T.Kernel(T.ceildiv(N, 128), threads=128) as bx:
            for i in T.Parallel(128):
                B[bx * 128 + i] = A[bx * 128 + i]

    return main
{end}"""
ABSENT = "a_module_that_is_not_installed"


def analysed(run: Run, path: Path, top: str = "", inner: str = "pass", end: str = "", target: str = "c") -> Answers:
    return run(path, COPY.format(top=top, inner=inner, end=end), "copy.main", target=target)


def compiled(answers: Answers) -> Kernel:
    """The kernel, which must have been lowered."""
    assert (answers.kernel.status, answers.kernel.stage) == ("ok", "lowered"), answers.failures
    return answers.kernel


@pytest.mark.parametrize(
    "top",
    [
        f"import {ABSENT}",
        f"import {ABSENT}.inner.most as deep",
        f"from {ABSENT} import *\nfrom {ABSENT}.ops import kernel, Thing",
        f"import {ABSENT} as x\n@x.jit\ndef used(a: x.Tensor | None, b: x.List[int]) -> x.Tensor: return a",
        f"import {ABSENT} as x\n@x.autotune(configs=[x.Config({{}})], key=['M'])\n@x.jit\ndef used(a): return a",
        f"import {ABSENT} as x\n@x.mark.parametrize('a, b', [(1, 2)])\ndef test_used(a, b): assert a < b",
        f"from {ABSENT} import B, C\nclass Thing(B, C, key=1):\n    def __init__(self): super().__init__(3)\nThing()",
        f"import {ABSENT}\nif {ABSENT}.__version__ >= '99': raise RuntimeError",
        f"import {ABSENT} as x\nwith x.context() as y: y.z = x.f(1)[2].g\nassert not isinstance(3, x.Thing)",
        f"try:\n    import {ABSENT}\nexcept ImportError as error:\n    raise SystemExit('install it') from error",
    ],
)
def test_what_is_not_installed_is_stood_in_for(run: Run, tmp_path: Path, top: str) -> None:
    answers = analysed(run, tmp_path / "user.py", top)
    kernel = compiled(answers)
    assert f"not installed, stood in for: {ABSENT}" in kernel.notes
    (told,) = answers.failures
    assert (told.severity, told.phase, told.request) == ("info", "module", None)
    assert ABSENT in told.message
    assert ABSENT in answers.text.splitlines()[(told.line or 0) - 1]


def test_an_optional_import_is_left_to_the_file(run: Run, tmp_path: Path) -> None:
    top = f"try:\n    import {ABSENT}\nexcept ImportError:\n    {ABSENT} = None\nassert {ABSENT} is None"
    answers = analysed(run, tmp_path / "user.py", top)
    assert answers.failures == []
    assert not any("stood in" in note for note in compiled(answers).notes)


def test_import_inside_a_factory(run: Run, tmp_path: Path) -> None:
    kernel = compiled(analysed(run, tmp_path / "user.py", inner=f"from {ABSENT} import rearrange"))
    assert any(ABSENT in note for note in kernel.notes)


def test_functions_of_sizes_give_them(run: Run, tmp_path: Path) -> None:
    kernel = compiled(analysed(run, tmp_path / "user.py", "import triton", "N = triton.cdiv(N, 3) * 4"))
    assert kernel.launch is not None
    assert kernel.launch.grid == (11,)


def test_a_kernel_that_needs_a_value_of_a_stand_in_fails(run: Run, tmp_path: Path) -> None:
    answers = analysed(run, tmp_path / "user.py", f"import {ABSENT}", f"N = N + {ABSENT}.SIZE")
    assert answers.done.status == "failed"
    assert any(failure.severity == "error" for failure in answers.failures)


@pytest.mark.parametrize(
    "top",
    ["import tilelang.languages", "from . import sibling", "import sys.nothing", "from tilelang import nothing"],
)
def test_mistakes_are_still_errors(run: Run, tmp_path: Path, top: str) -> None:
    answers = analysed(run, tmp_path / "user.py", top)
    assert [failure.severity for failure in answers.failures] == ["error"]
    assert not any("stood in" in note for note in answers.kernel.notes)


def test_nothing_of_it_stays_behind(run: Run, tmp_path: Path) -> None:
    (tmp_path / "helper_of_standins.py").write_text(f"import {ABSENT}\nSIZE = 128\n")
    before, finders, path = set(sys.modules), list(sys.meta_path), list(sys.path)
    top = "from helper_of_standins import SIZE"
    for _ in range(2):
        answers = analysed(run, tmp_path / "user.py", top)
        assert any(ABSENT in note for note in compiled(answers).notes)
        assert str(tmp_path / "helper_of_standins.py") in answers.job_done.modules
    assert {name for name in set(sys.modules) - before if ABSENT in name or "helper" in name} == set()
    assert (sys.meta_path, sys.path) == (finders, path)


def test_a_module_that_tilelang_has_moved(run: Run, tmp_path: Path) -> None:
    top = "from tilelang.utils.target import determine_target, target_is_cuda"
    inner = "assert target_is_cuda(determine_target('auto', return_object=True))"
    answers = analysed(run, tmp_path / "user.py", top, inner, target="cuda:sm_80")
    kernel = compiled(answers)
    if answers.failures:
        assert [failure.severity for failure in answers.failures] == ["warning"]
        assert any("tilelang.utils.target" in note for note in kernel.notes)


def test_a_moved_module_is_a_warning_where_a_statement_of_the_file_leads_to_it(run: Run, tmp_path: Path) -> None:
    package = tmp_path / "package_of_moved"
    package.mkdir()
    (package / "common.py").write_text("from tilelang.utils.target import determine_target\n")
    (package / "__init__.py").write_text("")
    top = "from package_of_moved.common import determine_target"
    answers = analysed(run, tmp_path / "user.py", top)
    assert {failure.severity for failure in answers.failures} <= {"warning"}
    (package / "__init__.py").write_text("from . import common\n")
    answers = analysed(run, package / "kernel.py")
    assert {failure.severity for failure in answers.failures} <= {"info"}
    assert compiled(answers).status == "ok"


def test_a_stand_in_given_to_the_compiler_is_no_fault_of_the_kernel(run: Run, tmp_path: Path) -> None:
    text = COPY.format(top=f"from {ABSENT} import SOURCE", inner="pass", end="")
    text = text.replace("threads=128)", "threads=128, prelude=SOURCE)")
    answers = run(tmp_path / "user.py", text, "copy.main", target="cuda:sm_90a")
    told = [failure for failure in answers.failures if failure.phase != "module"]
    assert [failure.severity for failure in told] == ["info"]
    assert ABSENT in told[0].message
