"""`tilescope facts --compare`: only what differs between variants of a kernel."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from click.testing import CliRunner
from rich.console import Console

from tilescope.main import cli
from tilescope.options import alternatives
from tilescope.schemas import SCHEMAS
from tilescope.text.differences import comparison_blocks
from tilescope_trace.differences import compared, comparisons
from tilescope_trace.errors import UsageError
from tilescope_trace.model import Argument, Buffer, Kernel, Launch, Layout, LayoutMap, Operation, Specialization
from tilescope_trace.model.public import to_public

GEMM = Path(__file__).parent.parent / "kernels" / "layouts" / "gemm.py"


def variant(target: str, block: int, thread: str = "i", lowered_to: str = "wgmma", threads: int = 128) -> Kernel:
    layout = Layout("fragment", "64 registers/thread", map=LayoutMap((64, 64), (64,), ("j",), thread))
    return Kernel(
        name="main",
        qualname="gemm.main",
        line=2,
        form="lazy",
        target=target,
        target_origin="command-line",
        stage="lowered",
        status="ok",
        specialization=Specialization(
            f"{block:012d}", "command-line", {"block": Argument(block, "command-line"), "M": Argument(64, "default")}
        ),
        launch=Launch(grid=(4,), threads=128, threads_lowered=threads, line=3),
        buffers=(Buffer("C_local", 4, 1, (64, 64), "float32", "local.fragment", layout=layout),),
        operations=(Operation("gemm", 5, lowered_to=(lowered_to,)), Operation("gemm", 5, lowered_to=("mma",))),
    )


def facts(*kernels: Kernel) -> dict[tuple[str, str], tuple[Any, ...]]:
    return {(one.subject, one.fact): one.values for one in compared("gemm.py", kernels).differences}


def test_equal_variants_have_no_differences() -> None:
    assert facts(variant("cuda:sm_80", 1), variant("cuda:sm_90a", 1)) == {}


def test_each_fact_that_differs_is_named_once() -> None:
    one, other = variant("cuda:sm_90a", 64, threads=256), variant("cuda:sm_80", 64, lowered_to="mma")
    assert facts(one, other) == {
        ("launch", "threads_lowered"): (256, 128),
        ("gemm", "lowered to"): (["wgmma"], ["mma"]),
    }


def test_what_is_not_there_has_no_value() -> None:
    one = variant("cuda:sm_90a", 64)
    found = facts(one, replace(one, buffers=(), launch=None))
    assert found["C_local", "dtype"] == ("float32", None)
    assert found["launch", "grid"] == ([4], None)


def test_layouts_of_one_summary_may_differ() -> None:
    comparison = compared("gemm.py", [variant("a", 1), variant("b", 2, thread="j")])
    console = Console(width=100, no_color=True)
    with console.capture() as capture:
        console.print(*comparison_blocks(comparison))
    told = capture.get()
    assert told.splitlines()[2].split() == ["C_local", "4", "layout", "one", "formula", "another", "formula"]
    assert "another formula: as many registers and threads, but elements lie in other ones" in told
    assert "tilescope layout gemm.py --buffer C_local --target b --set block=2" in told


def test_bounds_are_told_as_bounds_and_shares_in_percent() -> None:
    def with_launch(target: str, share: float, blocks: int, registers: int | None) -> Kernel:
        one = variant(target, 64)
        assert one.launch is not None
        launch = replace(one.launch, occupancy=share, blocks_per_sm=blocks, registers=registers)
        return replace(one, launch=launch)

    comparison = compared("gemm.py", [with_launch("a", 0.125, 1, None), with_launch("b", 0.1875, 3, 168)])
    console = Console(width=100, no_color=True)
    with console.capture() as capture:
        console.print(*comparison_blocks(comparison))
    rows = {" ".join(line.split()) for line in capture.get().splitlines()}
    assert {"occupancy at most 12.5% 18.75%", "blocks per sm at most 1 3"} <= rows
    found = {one["fact"]: one for one in to_public(comparison)["differences"]}
    assert found["occupancy"] == {"subject": "launch", "line": 3, "fact": "occupancy", "values": [0.125, 0.1875]}


def test_variants_are_told_by_target_and_differing_arguments() -> None:
    comparison = compared("gemm.py", [variant("cuda:sm_80", 32), variant("cuda:sm_80", 64)])
    assert [one.args for one in comparison.variants] == [{"block": 32}, {"block": 64}]


def test_only_variants_of_one_kernel_are_compared() -> None:
    one = variant("cuda:sm_80", 32)
    assert comparisons("gemm.py", [one, replace(one, qualname="other.main")]) == ()


def test_targets_and_values_are_compared_on_the_command_line() -> None:
    arguments = [
        "facts",
        str(GEMM),
        "--compare",
        "--target",
        "cuda:sm_90a",
        "--set",
        "block_K=64",
        "--set",
        "block_K=32",
    ]
    done = CliRunner().invoke(cli, [*arguments, "--format", "json"], standalone_mode=False)
    document = json.loads(done.stdout)
    jsonschema.validate(document, SCHEMAS["differences"]())
    (comparison,) = document["comparisons"]
    found = {(one["subject"], one["fact"]): one["values"] for one in comparison["differences"]}
    assert [one["args"] for one in comparison["variants"]] == [{"block_K": 64}, {"block_K": 32}]
    assert found["A_shared", "bytes"] == [16384, 8192]
    assert [text.split()[1] for text in found["A_shared", "layout"]] == ["128B", "64B"]
    assert done.return_value == 1


@pytest.mark.parametrize("options", [[], ["--target", "cuda:sm_90a"]])
def test_one_variant_is_nothing_to_compare(options: list[str]) -> None:
    with pytest.raises(UsageError, match="nothing to compare"):
        CliRunner().invoke(cli, ["facts", str(GEMM), "--static", "--compare", *options], catch_exceptions=False)


def test_other_commands_take_one_value_of_a_parameter() -> None:
    arguments = ["trace", str(GEMM), "--set", "block_K=64", "--set", "block_K=32"]
    with pytest.raises(UsageError, match="--set block_K: given more than once"):
        CliRunner().invoke(cli, arguments, catch_exceptions=False)


def test_more_combinations_than_anybody_reads_are_refused() -> None:
    with pytest.raises(UsageError, match="64000 combinations"):
        alternatives([f"{name}={value}" for name in ("M", "N", "K") for value in range(1, 41)])
