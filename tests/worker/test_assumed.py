"""Arguments that nothing gives are assumed: values that the kernel takes, said to be so, weaker than found ones."""

from __future__ import annotations

import ast
import inspect
from pathlib import Path

import pytest

from tilescope_worker.assume import is_certain
from tilescope_worker.candidates import Facts, candidates
from tilescope_worker.dependence import depends

from .conftest import Answers, Run

KERNEL = """import dataclasses, enum, math, typing
import torch
import tilelang
import tilelang.language as T

class Mode(enum.Enum):
    ROW = 1

@dataclasses.dataclass(frozen=True)
class Config:
    width: int
    scaled: bool = False

@tilelang.jit
def copy({parameters}):
    {body}
    @T.prim_func
    def main(A: T.Tensor((1024,), "float32"), B: T.Tensor((1024,), "float32")):
        with T.Kernel(8, threads=128) as bx:
            for i in T.Parallel(128):
                B[bx * 128 + i] = A[bx * 128 + i]

    return main
"""


def analysed(run: Run, folder: Path, parameters: str, body: str, **given: str) -> Answers:
    return run(folder / "user.py", KERNEL.format(parameters=parameters, body=body), "copy.main", target="c", **given)


@pytest.mark.parametrize(
    ("parameters", "body"),
    [
        ("M, N, K, block_M, threads, num_stages", "assert M % block_M == 0 and threads >= 32 and num_stages >= 0"),
        ("heads, groups, dim", "assert heads % groups == 0\n    assert dim in (32, 512)"),
        ("seq_len, chunk_size", "if seq_len % (chunk_size * 3): raise ValueError('no whole number of chunks')"),
        ("dim, heads", "hidden = dim * heads\n    assert hidden == 1024, 'wrong hidden size'"),
        ("dtype, accum_dtype='float32'", "assert T.dtype(dtype).bits == 8"),
        ("in_dtype: torch.dtype, out_dtype: T.dtype", "assert in_dtype.itemsize == 2 and out_dtype.bits == 16"),
        ("is_causal, return_lse", "assert is_causal and not return_lse"),
        ("n: int, flag: bool, eps: float, scale", "assert n % 4 == 0 and isinstance(flag, bool) and 0 < eps < scale"),
        ("policy", "assert policy in ('row', 'column')"),
        ("kind: typing.Literal['a', 'b'], mode: Mode", "assert kind == 'b' and mode is Mode.ROW"),
        ("config: Config, maybe: typing.Optional[int]", "assert config.scaled and config.width > 0"),
        ("sizes", "assert len(sizes) == 3 and sum(sizes) > 0"),
        ("shape: typing.Tuple[int, int]", "rows, columns = shape"),
    ],
)
def test_values_satisfy_what_the_kernel_asserts(run: Run, tmp_path: Path, parameters: str, body: str) -> None:
    answers = analysed(run, tmp_path, parameters, body)
    assert (answers.failures, answers.done.status) == ([], "ok")
    kernel = answers.kernel
    assert kernel.specialization.origin == "assumed"
    origins = {name: one.origin for name, one in kernel.specialization.args.items()}
    assert {origin for name, origin in origins.items() if name != "accum_dtype"} == {"assumed"}
    (note,) = [note for note in kernel.notes if "assumed" in note]
    assert all(f"{name}=" in note for name, origin in origins.items() if origin == "assumed")


def test_found_values_stay_and_only_the_others_are_assumed(run: Run, tmp_path: Path) -> None:
    answers = analysed(run, tmp_path, "M, N", "assert M == 3 * N", M="384")
    args = answers.kernel.specialization.args
    assert (args["M"].value, args["M"].origin, args["N"].value, args["N"].origin) == (
        384,
        "command-line",
        128,
        "assumed",
    )
    answers = analysed(run, tmp_path, "M, N", "assert M == 3 * N", M="384", N="128")
    assert answers.kernel.specialization.origin == "command-line"
    assert not any("assumed" in note for note in answers.kernel.notes)


def test_where_no_value_is_taken_the_kernel_is_unresolved_and_the_reason_told(run: Run, tmp_path: Path) -> None:
    answers = analysed(run, tmp_path, "M", "assert M * M == 12345, 'only this one'")
    assert (answers.done.status, answers.kernel.missing) == ("unresolved", ("M",))
    assert answers.failure.severity == "info"
    assert "only this one" in answers.failure.text


def test_a_fault_that_no_value_is_to_blame_for_is_told_as_one(run: Run, tmp_path: Path) -> None:
    answers = analysed(run, tmp_path, "M", "undefined_helper(M)")
    assert answers.done.status == "partial"
    assert (answers.failures[0].exception, answers.failures[0].severity) == ("NameError", "error")


def test_the_search_is_over_in_time(run: Run, tmp_path: Path) -> None:
    answers = analysed(run, tmp_path, "M, N, K", "while True: pass")
    assert (answers.done.status, answers.kernel.missing) == ("unresolved", ("M", "N", "K"))


def test_other_values_where_the_compiler_refuses_the_first(run: Run, tmp_path: Path) -> None:
    text = KERNEL.format(parameters="threads_per_tile", body="pass").replace(
        "threads=128", "threads=threads_per_tile"
    )
    text = text.replace("for i in", "F = T.alloc_fragment((16 * threads_per_tile,), 'float32')\n            for i in")
    answers = run(tmp_path / "user.py", text, "copy.main", target="cuda:sm_90a")
    assert answers.kernel.specialization.origin == "assumed"
    assert not [failure for failure in answers.failures if failure.severity == "error"]


def test_parameters_that_a_tuner_fills_in_are_not_left_at_none(run: Run, tmp_path: Path) -> None:
    text = KERNEL.format(parameters="blocks=None, extra=None", body="extra = 1 if extra is None else extra")
    answers = run(tmp_path / "user.py", text.replace("T.Kernel(8,", "T.Kernel(blocks,"), "copy.main", target="c")
    args = answers.kernel.specialization.args
    assert (answers.done.status, args["blocks"].origin, args["extra"].origin) == ("ok", "assumed", "default")


@pytest.mark.parametrize(
    "body",
    [
        "blocks = chosen(blocks)",
        "blocks, extra = (chosen(blocks), extra)",
        "if None in (blocks, extra): blocks = 8",
        "blocks = 8 if not blocks else blocks",
    ],
)
def test_a_default_of_none_that_the_factory_replaces_stays(run: Run, tmp_path: Path, body: str) -> None:
    text = KERNEL.format(parameters="blocks=None, extra=None", body=body).replace("T.Kernel(8,", "T.Kernel(blocks,")
    text = f"def chosen(given):\n    return 8 if given is None else given\n\n{text}"
    answers = run(tmp_path / "user.py", text, "copy.main", target="c")
    args = answers.kernel.specialization.args
    assert (answers.done.status, answers.kernel.launch.grid) == ("ok", (8,))
    assert (args["blocks"].value, args["blocks"].origin) == (None, "default")


def test_none_is_no_candidate_for_a_size() -> None:
    found = candidates("block_size_q", inspect.Parameter.empty, Facts(()))
    assert None not in found
    assert len(found) == len(set(found))


def test_certain_faults() -> None:
    assert is_certain(NameError("name 'x' is not defined"))
    assert is_certain(AttributeError("module 'tilelang.language' has no attribute 'gone'"))
    assert not is_certain(UnboundLocalError("x"))
    assert not is_certain(AttributeError("'str' object has no attribute 'bits'"))
    assert not is_certain(AssertionError())


def test_no_more_threads_are_assumed_than_a_block_can_have(run: Run, tmp_path: Path) -> None:
    text = KERNEL.format(parameters="rows, lanes", body="assert rows >= 2").replace(
        "threads=128", "threads=rows * lanes"
    )
    kernel = run(tmp_path / "user.py", text, "copy.main", target="c").kernel
    assert kernel.specialization.origin == "assumed"
    assert kernel.launch is not None
    assert isinstance(kernel.launch.threads, int)
    assert kernel.launch.threads <= 1024


def test_a_kernel_that_no_value_makes_launchable_is_told_as_it_is(run: Run, tmp_path: Path) -> None:
    text = KERNEL.format(parameters="rows", body="").replace("threads=128", "threads=4096 + rows * 0")
    kernel = run(tmp_path / "user.py", text, "copy.main", target="c").kernel
    assert kernel.launch is not None
    assert kernel.launch.threads == 4096


GEMM = """import tilelang
import tilelang.language as T

@tilelang.jit
def gemm(M, N, K, bM=64, bN=32, bK=128):
    @T.prim_func
    def main(A: T.Tensor((M, K), "float16"), B: T.Tensor((K, N), "float16"), C: T.Tensor((M, N), "float16")):
        with T.Kernel(T.ceildiv(N, bN), T.ceildiv(M, bM), threads=128) as (bx, by):
            A_s = T.alloc_shared((bM, bK), "float16")
            B_s = T.alloc_shared((bN, {rows}), "float16")
            C_l = T.alloc_fragment((bM, bN), "float32")
            T.gemm(A_s, B_s, C_l)
            T.copy(C_l, C[by * bM, bx * bN])

    return main
"""


def test_what_fails_alike_with_all_values_and_depends_on_none_is_an_error(run: Run, tmp_path: Path) -> None:
    first = run(tmp_path / "user.py", GEMM.format(rows="bK"), "gemm.main", target="c").failures[0]
    assert (first.severity, first.line) == ("error", 12)
    assert first.tried == "M=1024, N=1024, K=1024"
    answers = run(tmp_path / "user.py", GEMM.format(rows="K * 7"), "gemm.main", target="c")
    assert (answers.done.status, answers.failure.severity) == ("unresolved", "info")
    (place,) = answers.failure.related
    assert place.line == 12
    assert "the values that were tried fail here" in place.message


@pytest.mark.parametrize(
    ("source", "dependent"),
    [
        ("a = tile", False),
        ("a = size + 1", True),
        ("a = [tile]; a.append(size)", True),
        ("a = [0]; a[0] = size", True),
        ("a = self.size", True),
        ("for a in range(size): pass", True),
        ("b = size; a = b * tile", True),
        ("def a(): return size", True),
    ],
)
def test_what_a_statement_depends_on(source: str, dependent: bool) -> None:
    lines = "\n".join(f"    {one}" for one in source.split("; "))
    node = ast.parse(f"def f(size, tile=4):\n{lines}\n    use(a)").body[0]
    assert isinstance(node, ast.FunctionDef)
    assert depends([node], {node.body[-1].lineno}, {"size"}) == dependent
    assert depends([node], {99}, {"size"})
