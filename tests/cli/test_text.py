"""Facts as text: words for operations, tables that fit the terminal they are on."""

from __future__ import annotations

import io
import os
from pathlib import Path

import pytest
from rich.console import Console, RenderableType

from tilescope.checks.check import Check
from tilescope.commands.doctor import WIDTHS, _rows
from tilescope.pass_configs import known_names, refuse_misspelt
from tilescope.text.facts import kernel_blocks
from tilescope.text.paths import own_command
from tilescope.text.tables import labelled
from tilescope_passdiff.wording.operations import operation_text
from tilescope_trace.errors import UsageError
from tilescope_trace.model import Argument, Buffer, DecidedBy, Kernel, Launch, Layout, Operation, Specialization

REASON = "T.gemm on line 25 accumulates into it as operand C (wgmma)"
KERNEL = Kernel(
    name="main",
    qualname="matmul.main",
    line=11,
    form="lazy",
    target="cuda:sm_90a",
    target_origin="default",
    stage="lowered",
    status="ok",
    specialization=Specialization(
        "0123456789ab", "default", {f"block_{n}": Argument(128, "default") for n in "ABCDEFGH"}
    ),
    launch=Launch((8, 8), 128, 256, 49152, 48),
    buffers=(
        Buffer("A", 12, 9, (1024, 1024), "float16", "global", bytes=2097152),
        Buffer(
            "C_local",
            19,
            9,
            (128, 128),
            "float32",
            "local.fragment",
            bytes=65536,
            layout=Layout(
                "fragment",
                "mma",
                registers_per_thread=128,
                threads=128,
                decided_by=DecidedBy("tl.LayoutInference", 25, REASON),
            ),
        ),
    ),
    operations=(
        Operation(
            "gemm",
            25,
            lowered_to=("wgmma",),
            detail={
                "A": "A_shared",
                "B": "B_shared",
                "C": "C_local",
                "M": 128,
                "N": 128,
                "K": 32,
                "policy": "Square",
                "instruction": "wgmma m64n128k16",
            },
        ),
    ),
)


def printed(width: int, *parts: RenderableType) -> list[str]:
    out = io.StringIO()
    console = Console(file=out, width=width)
    for part in parts:
        console.print(part)
    return [line.rstrip() for line in out.getvalue().splitlines()]


def test_facts_fit_eighty_columns_and_no_number_or_name_is_broken() -> None:
    lines = printed(80, *kernel_blocks(KERNEL))
    assert all(len(line) <= 80 for line in lines)
    assert "  A          12  [1024, 1024]  float16  global               1  2097152" in lines
    assert "  C_local  128 registers/thread over 128 threads, because T.gemm on line 25" in lines
    assert "           accumulates into it as operand C (wgmma)" in lines
    assert lines[2].startswith(" " * 16), "arguments go on under themselves"
    assert any(line.endswith("  wgmma") and "C_local += A_shared × B_shared" in line for line in lines)


def test_where_there_is_no_room_for_a_table_nothing_is_left_out() -> None:
    lines = printed(50, *kernel_blocks(KERNEL))
    assert all(len(line) <= 50 for line in lines)
    shown = " ".join(" ".join(lines).split())
    for buffer in KERNEL.buffers:
        assert f"{buffer.name} [{', '.join(map(str, buffer.shape))}] {buffer.dtype}, {buffer.scope}," in shown


def test_with_room_layouts_stand_beside_their_buffers() -> None:
    lines = printed(120, *kernel_blocks(KERNEL))
    assert any(line.endswith("65536  128 registers/thread over 128 threads") for line in lines)
    assert f"  C_local    {REASON}" in lines


def test_what_doctor_says_goes_on_under_itself() -> None:
    check = Check("interpreter", "broken", "words " * 20, "much " * 20, "do this")
    first, *others = printed(80, labelled(_rows(check), *WIDTHS))
    assert first.startswith("broken  interpreter  words")
    assert all(line.startswith(" " * 21) for line in others)


@pytest.mark.parametrize(
    ("operation", "words"),
    [
        (Operation("loop", 1, detail={"loop": "serial", "extent": 4}), "serial, 4 iterations"),
        (Operation("atomic", 1, detail={"atomic": "add", "dst": "C"}), "add to C"),
        (Operation("pipeline", 1, detail={"num_stages": 3, "extent": 32}), "3 stages, 32 iterations"),
    ],
)
def test_operations_in_words(operation: Operation, words: str) -> None:
    assert operation_text(operation) == words


def test_misspelt_pass_configs_are_told_and_unknown_ones_left_to_the_compiler(tmp_path) -> None:
    (tmp_path / "transform").mkdir()
    (tmp_path / "transform" / "pass_config.py").write_text(
        'from enum import Enum\nclass PassConfigKey(str, Enum):\n    A = "tl.disable_tma_lower"\n    """Words."""\n'
    )
    assert known_names(str(tmp_path)) == ("tl.disable_tma_lower",)
    with pytest.raises(UsageError, match=r"tl\.disable_tma_lowr: .*did you mean tl\.disable_tma_lower\?"):
        refuse_misspelt(["tl.disable_tma_lowr"], str(tmp_path))
    refuse_misspelt(["tl.disable_tma_lower", "tirx.UnrollLoop"], str(tmp_path))
    refuse_misspelt(["tl.disable_tma_lowr"], None)


def test_the_command_is_named_as_it_is_typed_here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    script = tmp_path / "bin" / "tilescope"
    script.parent.mkdir()
    script.write_text("#!/bin/sh\n")
    script.chmod(0o755)
    monkeypatch.setattr("sys.argv", [str(script), "demo"])
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PATH", os.devnull)
    assert own_command() == "bin/tilescope"
    monkeypatch.setenv("PATH", str(script.parent))
    assert own_command() == "tilescope"
    monkeypatch.setattr("sys.argv", ["/usr/lib/pytest/__main__.py"])
    assert own_command() == "tilescope"
