"""What the front end is spared changes nothing that can be seen."""

from __future__ import annotations

import ast
import inspect
import types
from pathlib import Path

import pytest
from tests.worker.conftest import Run
from tilelang.language.eager import ast as rewriting

from tilescope_worker.shortcuts import Unparsed, shortcuts


def doubled(a: int) -> int:
    # Comments and blank lines

    return a * 2  # belong to it


def test_sources_are_found_as_before_and_once() -> None:
    before = inspect.getsourcelines(doubled)
    with shortcuts(), pytest.MonkeyPatch.context() as patched:
        assert inspect.getsourcelines(doubled) == before
        patched.setattr(inspect, "BlockFinder", None)
        assert inspect.getsourcelines(doubled) == before
        inspect.getsourcelines(doubled)[0].clear()
        assert inspect.getsource(doubled) == "".join(before[0])


def test_an_edited_function_is_found_anew(tmp_path: Path) -> None:
    def source_of(text: str) -> str:
        path = tmp_path / "edited.py"
        path.write_text(text, encoding="utf-8")
        module = types.ModuleType("edited")
        exec(compile(text, str(path), "exec"), vars(module))
        return inspect.getsource(module.one)

    with shortcuts():
        assert source_of("def one():\n    return 1\n") == "def one():\n    return 1\n"
        assert source_of("def one():\n    # new\n    return 1\n") == "def one():\n    # new\n    return 1\n"


def test_the_rewritten_source_is_there_for_who_looks_at_it() -> None:
    real = rewriting.mutate(doubled).source
    with shortcuts():
        late = rewriting.mutate(doubled).source
        assert isinstance(late, Unparsed)
        assert not hasattr(late, "unheard_of")
    assert late == real
    assert f"{late}" == real
    assert late.splitlines()[0] == real.splitlines()[0]
    assert late[:3] == real[:3]


def test_nothing_of_it_is_left_afterwards() -> None:
    before = inspect.getblock, rewriting.ast
    with pytest.raises(KeyError), shortcuts():
        raise KeyError
    assert (inspect.getblock, rewriting.ast) == before
    assert rewriting.ast is ast


def test_a_job_writes_no_source_that_nobody_reads(kernel_file: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    unparse, whole = ast.unparse, list[ast.AST]()

    def seen(tree: ast.AST) -> str:
        whole.extend([tree] if isinstance(tree, ast.Module) else [])
        return unparse(tree)

    monkeypatch.setattr(ast, "unparse", seen)
    assert kernel_file("staged_gemm.py", "matmul.main", num_stages="4").stages[-1] == "lowered"
    assert whole == []
