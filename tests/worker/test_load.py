"""The text is executed as the file it will be: unsaved, among its siblings, with its own faults."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from .conftest import Run

COPY = """import tilelang
import tilelang.language as T
{imports}

@tilelang.jit
def copy(N=1024):
    @T.prim_func
    def main(A: T.Tensor((N,), "float32"), B: T.Tensor((N,), "float32")):
        with T.Kernel(T.ceildiv(N, {block}), threads=128) as bx:
            for i in T.Parallel({block}):
                B[bx * {block} + i] = A[bx * {block} + i]

    return main
{end}"""


def copy_kernel(imports: str = "", block: str = "128", end: str = "") -> str:
    return COPY.format(imports=imports, block=block, end=end)


def test_text_wins_over_the_file_and_the_file_need_not_exist(run: Run, tmp_path: Path) -> None:
    saved = tmp_path / "saved.py"
    saved.write_text("raise RuntimeError('the file on disk was executed')")
    for path in (saved, tmp_path / "nowhere" / "unsaved.py"):
        kernel = run(path, copy_kernel(), "copy.main", target="c").kernel
        assert (kernel.status, kernel.line) == ("ok", 8)
        assert {op.line for op in kernel.operations} == {10}


def test_each_execution_starts_afresh(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "edited.py"
    grids = []
    for block in ("128", "256"):
        launch = run(path, copy_kernel(block=block), "copy.main", target="c").kernel.launch
        assert launch is not None
        grids.append(launch.grid)
    assert grids == [(8,), (4,)]
    assert "BLOCK" not in vars(sys.modules["edited"])


def test_siblings_are_importable_and_reported(run: Run, tmp_path: Path) -> None:
    (tmp_path / "block_sizes.py").write_text("BLOCK = 256\n")
    before = list(sys.path)
    answers = run(
        tmp_path / "user.py", copy_kernel("from block_sizes import BLOCK", "BLOCK"), "copy.main", target="c"
    )
    assert answers.kernel.launch is not None
    assert answers.kernel.launch.grid == (4,)
    assert answers.job_done.modules == (str(tmp_path / "block_sizes.py"),)
    assert sys.path == before


def test_module_of_a_package_imports_relatively(run: Run, tmp_path: Path) -> None:
    package = tmp_path / "relative_kernels"
    package.mkdir()
    (package / "__init__.py").write_text("")
    (package / "sizes.py").write_text("BLOCK = 256\n")
    answers = run(
        package / "user.py",
        copy_kernel("from .sizes import BLOCK", "BLOCK"),
        "copy.main",
        target="c",
        workspace=str(tmp_path),
    )
    assert answers.kernel.status == "ok"
    assert str(package / "sizes.py") in answers.job_done.modules


def test_package_that_fails_at_import_is_taken_as_empty_and_said(run: Run, tmp_path: Path) -> None:
    package = tmp_path / "broken_kernels"
    package.mkdir()
    (package / "__init__.py").write_text("import a_module_that_is_not_installed")
    (package / "sizes.py").write_text("BLOCK = 256\n")
    kernel = run(
        package / "user.py", copy_kernel("from .sizes import BLOCK", "BLOCK"), "copy.main", target="c"
    ).kernel
    assert kernel.status == "ok"
    assert any("a_module_that_is_not_installed" in note for note in kernel.notes)


def test_file_named_like_an_installed_module(run: Run, tmp_path: Path) -> None:
    import json

    for name in ("json", "tilelang", "not-a-name"):
        assert run(tmp_path / f"{name}.py", copy_kernel(), "copy.main", target="c").kernel.status == "ok"
    assert sys.modules["json"] is json


def test_main_block_does_not_run(run: Run, tmp_path: Path) -> None:
    end = '\nif __name__ == "__main__":\n    raise SystemExit(3)\n'
    assert run(tmp_path / "script.py", copy_kernel(end=end), "copy.main", target="c").failures == []


def test_byte_order_mark(run: Run, tmp_path: Path) -> None:
    assert run(tmp_path / "bom.py", "\ufeff" + copy_kernel(), chains=((("copy", 6), ("main", 8)),)).failures == []


def test_syntax_error_has_its_place(run: Run, tmp_path: Path) -> None:
    text = copy_kernel().replace("for i in T.Parallel(128):", "for i in T.Parallel(128:")
    answers = run(tmp_path / "broken.py", text, chains=((("copy", 6), ("main", 8)),))
    failure = answers.failure
    assert (failure.request, failure.phase, failure.exception, failure.line) == (None, "syntax", "SyntaxError", 10)
    assert failure.column is not None
    assert answers.done.status == "failed"


@pytest.mark.parametrize("text", ["a\0b = 1\n", "(" * 5000 + ")" * 5000, "x = '\ud800'\n", "\tx = 1\n y = 2\n"])
def test_text_that_no_compiler_takes(run: Run, tmp_path: Path, text: str) -> None:
    answers = run(tmp_path / "odd.py", text, chains=((("copy", 1),),))
    assert answers.done.status == "failed"
    assert answers.failures


@pytest.mark.parametrize(
    ("statement", "exception", "message"),
    [
        ("undefined_name", "NameError", "name 'undefined_name' is not defined"),
        ("raise SystemExit(2)", "SystemExit", "2"),
        ("raise KeyboardInterrupt", "KeyboardInterrupt", "KeyboardInterrupt"),
        ("import tilelang.a_module_that_is_not_there", "ModuleNotFoundError", "a_module_that_is_not_there"),
        ("class E(Exception):\n    def __str__(self): raise ValueError\nraise E", "E", "E"),
    ],
)
def test_exception_at_import(run: Run, tmp_path: Path, statement: str, exception: str, message: str) -> None:
    text = statement + "\n" + copy_kernel()
    answers = run(tmp_path / "failing.py", text, chains=((("copy", 7), ("main", 9)),))
    failure = answers.failure
    assert (failure.request, failure.phase, failure.severity, failure.exception) == (
        None,
        "module",
        "error",
        exception,
    )
    assert message in failure.message
    assert failure.file == str(tmp_path / "failing.py")
    assert failure.line == statement.count("\n") + 1
    # What stands below is executed all the same, and it is said that something lacks.
    assert answers.kernel.status == "ok"
    assert any(exception in note for note in answers.kernel.notes)


def test_kernels_above_the_failing_line_are_still_answered(run: Run, tmp_path: Path) -> None:
    answers = run(tmp_path / "late.py", copy_kernel(end="\nundefined_name\n"), "copy.main", target="c")
    assert (answers.failure.phase, answers.failure.severity) == ("module", "error")
    assert answers.kernel.status == "ok"


def test_script_that_goes_on_to_use_a_device_is_no_error(run: Run, tmp_path: Path) -> None:
    end = "\nraise RuntimeError('no CUDA GPUs')\n"
    answers = run(tmp_path / "script.py", copy_kernel(end=end), "copy.main", target="c")
    assert (answers.failure.phase, answers.failure.severity) == ("module", "info")
    assert answers.kernel.status == "ok"


def test_kernel_compiled_at_import_builds_nothing(run: Run, tmp_path: Path) -> None:
    end = "\nkernel = copy(2048)\nprint(kernel.get_kernel_source())\nother = tilelang.compile(copy.get_tir())\n"
    assert run(tmp_path / "script.py", copy_kernel(end=end), "copy.main", target="c").failures == []
