"""What the analysis makes of a captured file: one more source of arguments, below what somebody wrote down."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tilescope_trace.captured.files import write
from tilescope_trace.captured.keep import as_captured
from tilescope_trace.captured.model import FILE, Captured
from tilescope_trace.captured.parts import Sight
from tilescope_trace.model import Kernel, Options, Snapshot
from tilescope_trace.source.plan import FilePlan, plan_file

KERNEL = """\
import torch as th
import tilelang
import tilelang.language as T

@tilelang.jit
def copy(M, N=64, dtype="float16", pipelined=False):
    @T.prim_func
    def main(A: T.Tensor((M, N), dtype), B: T.Tensor((M, N), dtype)):
        with T.Kernel(M // 64, threads=128) as bx:
            s = T.alloc_shared((64, N), dtype)
            T.copy(A[bx * 64, 0], s)
            T.copy(s, B[bx * 64, 0])
    return main

copy(4096, N=256)
"""


@pytest.fixture
def plan(tmp_path: Path) -> Any:
    """``plan(*entries, text=..., **options)``: the plan of a file with these captured entries of ``copy.main``."""
    (tmp_path / "setup.py").touch()

    def made(*entries: Captured, text: str = KERNEL, kernel: str = "copy.main", **options: Any) -> FilePlan:
        if entries:
            write(tmp_path / FILE, {"k.py": {kernel: entries}})
        return plan_file(Snapshot(str(tmp_path / "k.py"), text), Options(**options))

    return made


def arguments(kernel: Kernel) -> dict[str, tuple[Any, str]]:
    return {name: (one.value, one.origin) for name, one in kernel.specialization.args.items()}


def test_captured_arguments_are_stronger_than_calls_and_name_their_line(plan: Any) -> None:
    (kernel,) = plan(Captured({"M": 128, "N": 32})).statics
    assert arguments(kernel) == {
        "M": (128, "captured"),
        "N": (32, "captured"),
        "dtype": ("float16", "default"),
        "pipelined": (False, "default"),
    }
    origin = kernel.specialization.args["M"]
    assert origin.file is not None
    assert '"M": 128' in Path(origin.file).read_text().split("\n")[(origin.line or 0) - 1]


def test_what_the_run_did_not_give_had_its_default_whatever_other_calls_say(plan: Any) -> None:
    (kernel,) = plan(Captured({"M": 128})).statics
    assert arguments(kernel)["N"] == (64, "default")


def test_what_a_run_cannot_tell_comes_from_a_call(plan: Any) -> None:
    (kernel,) = plan(Captured({"M": {"described": "tensor int64 []"}, "N": 32})).statics
    assert arguments(kernel)["M"] == (4096, "call")
    assert arguments(kernel)["N"] == (32, "captured")
    assert any("M was tensor int64 [] when captured" in note for note in kernel.notes)


def test_a_directive_and_the_command_line_are_stronger(plan: Any) -> None:
    entry = Captured({"M": 128, "N": 32, "dtype": {"dtype": "torch.bfloat16"}})
    text = KERNEL.replace("@tilelang.jit", "# tilescope: N=16\n@tilelang.jit", 1)
    (kernel,) = plan(entry, text=text, arguments={"pipelined": "True"}).statics
    assert arguments(kernel) == {
        "M": (128, "captured"),
        "N": (16, "directive"),
        "dtype": ("bfloat16", "captured"),
        "pipelined": (True, "command-line"),
    }


def test_data_types_reach_the_worker_as_the_objects_they_were(plan: Any) -> None:
    for captured, text in (("torch.bfloat16", "th.bfloat16"), ("bfloat16", "T.bfloat16")):
        (request,) = plan(Captured({"M": 128, "dtype": {"dtype": captured}})).requests
        assert request.arguments["dtype"].text == text


def test_one_specialization_unless_all_are_asked_for(plan: Any) -> None:
    entries = (Captured({"M": 256}), Captured({"M": 64}), Captured({"M": 1024}, tuned="winner"))
    (first,) = plan(*entries).statics
    assert arguments(first)["M"] == (1024, "captured")
    assert "first of 3 captured specializations" in first.notes
    every = plan(*entries, all_captured=True).statics
    assert [arguments(kernel)["M"][0] for kernel in every] == [1024, 64, 256]
    chosen = every[1].specialization.id
    (kernel,) = plan(*entries, specialization=chosen).statics
    assert kernel.specialization.id == chosen


def test_what_the_autotuner_only_tried_counts_when_there_is_nothing_else(plan: Any) -> None:
    tried = (Captured({"M": 64}, tuned="tried"), Captured({"M": 128}, tuned="tried"))
    (kernel,) = plan(*tried, all_captured=True).statics
    assert arguments(kernel)["M"] == (64, "captured")
    assert any("the autotuner tried" in note for note in kernel.notes)
    (kernel,) = plan(*tried, Captured({"M": 256}), all_captured=True).statics
    assert arguments(kernel)["M"] == (256, "captured")


def test_the_target_of_the_run_where_nothing_names_one(plan: Any) -> None:
    (kernel,) = plan(Captured({"M": 128}, target="cuda:sm_80")).statics
    assert (kernel.target, kernel.target_origin) == ("cuda:sm_80", "captured")
    (kernel,) = plan(Captured({"M": 128}, target="cuda:sm_80"), targets=("metal",)).statics
    assert (kernel.target, kernel.target_origin) == ("metal", "command-line")
    text = KERNEL.replace("@tilelang.jit", '@tilelang.jit(target={"kind": "hip", "mcpu": "gfx942"})')
    (kernel,) = plan(Captured({"M": 128}, target="cuda:sm_80"), text=text).statics
    assert (kernel.target, kernel.target_origin) == ("hip:gfx942", "source")


def test_entries_that_differ_in_their_target_are_one_specialization_for_each(plan: Any) -> None:
    entries = (Captured({"M": 128}, target="cuda:sm_80"), Captured({"M": 128}, target="cuda:sm_90a"))
    kernels = plan(*entries, all_captured=True).statics
    assert [kernel.target for kernel in kernels] == ["cuda:sm_80", "cuda:sm_90a"]
    assert len({kernel.specialization.id for kernel in kernels}) == 1


def test_pass_configs_and_flags_of_the_compile_are_applied(plan: Any) -> None:
    entry = Captured({"M": 128}, pass_configs={"tl.disable_tma_lower": True}, compile_flags=("-g",))
    (request,) = plan(entry).requests
    assert request.pass_configs == {"tl.disable_tma_lower": True, "tl.device_compile_flags": ["-g"]}
    (request,) = plan(entry, pass_configs={"tl.disable_tma_lower": False}).requests
    assert request.pass_configs["tl.disable_tma_lower"] is False


def test_a_parameter_that_was_renamed_makes_an_entry_stale_which_is_said(plan: Any) -> None:
    (kernel,) = plan(Captured({"rows": 128})).statics
    assert arguments(kernel)["M"] == (4096, "call")
    assert any("rows" in note and "not used" in note and f"{FILE}:6" in note for note in kernel.notes)


def test_what_is_only_known_by_its_factory_is_used(plan: Any) -> None:
    found = plan(Captured({"M": 128}), kernel="copy")
    assert arguments(found.statics[0])["M"] == (128, "captured")
    assert found.notes == ()


def test_a_kernel_that_is_gone_is_said(plan: Any) -> None:
    found = plan(Captured({"M": 1}), kernel="transpose.main")
    assert arguments(found.statics[0])["M"] == (4096, "call")
    assert any("transpose.main" in note for note in found.notes)


def test_a_broken_file_is_said_and_left_out(plan: Any, tmp_path: Path) -> None:
    (tmp_path / FILE).write_text("{")
    found = plan()
    assert arguments(found.statics[0])["M"] == (4096, "call")
    (note,) = found.notes
    assert f"{FILE}:1: not JSON" in note


def test_a_file_that_changes_is_read_again(plan: Any) -> None:
    assert arguments(plan(Captured({"M": 128})).statics[0])["M"] == (128, "captured")
    assert arguments(plan(Captured({"M": 4096})).statics[0])["M"] == (4096, "captured")


def test_a_recording_of_a_run_is_just_what_was_compiled(plan: Any, tmp_path: Path) -> None:
    text = KERNEL.replace("@tilelang.jit", "# tilescope: N=16 target=metal\n@tilelang.jit", 1)
    seen = Sight(
        str(tmp_path / "k.py"), "copy.main", {"M": 128}, "cuda:sm_80", (str(tmp_path / "run.py"), 7), {}, (), None,
        ("compiled",), 1, None,
    )  # fmt: skip
    (kernel,) = plan(Captured({"M": 1}), text=text, captured=as_captured(seen)).statics
    assert arguments(kernel)["M"] == (128, "captured")
    assert arguments(kernel)["N"] == (64, "default")
    assert kernel.target == "cuda:sm_80"
    origin = kernel.specialization.args["M"]
    assert (origin.file, origin.line) == (str(tmp_path / "run.py"), 7)
