"""What a program asks of its GPU is answered for the target that is analysed, on any machine."""

from __future__ import annotations

from pathlib import Path

import pytest

from tilescope_worker import work
from tilescope_worker.wire.facts import Kernel
from tilescope_worker.wire.messages import Job, KernelRequest, KernelUpdate

from .conftest import Run, chain_of

KERNEL = """import tilelang
import tilelang.language as T
import torch
{top}

@tilelang.jit
def copy(N=1024):
    {inner}
    @T.prim_func
    def main(A: T.Tensor((N,), "float32"), B: T.Tensor((N,), "float32")):
        with T.Kernel(N // 4, threads=128) as bx:
            for i in T.Parallel(4):
                B[bx * 4 + i] = A[bx * 4 + i]

    return main
"""


def compiled(run: Run, path: Path, top: str = "", inner: str = "pass", target: str = "cuda:sm_90a") -> Kernel:
    answers = run(path, KERNEL.format(top=top, inner=inner), "copy.main", target=target)
    assert (answers.failures, answers.done.status) == ([], "ok")
    return answers.kernel


@pytest.mark.parametrize(
    ("target", "asked"),
    [
        ("cuda:sm_80", "torch.cuda.get_device_capability() == (8, 0)"),
        ("cuda:sm_90a", "torch.cuda.get_device_capability(torch.cuda.current_device())[0] == 9"),
        ("cuda:sm_100a", "torch.cuda.get_device_properties(0).major == 10"),
        ("cuda:sm_89", "torch.cuda.get_device_properties('cuda').shared_memory_per_multiprocessor == 100 * 1024"),
        ("cuda:sm_90a", "torch.cuda.get_device_name().startswith('NVIDIA H100')"),
        ("cuda:sm_90a", "torch.version.hip is None and torch.cuda.is_available()"),
        ("hip:gfx942", "torch.version.hip and torch.cuda.get_device_properties(0).gcnArchName == 'gfx942'"),
        ("hip:gfx942", "torch.cuda.get_device_properties(0).warp_size == 64"),
        ("cuda:sm_80", "tilelang.carver.arch.driver.get_num_sms() == 108"),
        ("cuda:sm_90a", "__import__('tilelang.contrib.nvcc').contrib.nvcc.get_target_compute_version() == '9.0'"),
        ("cuda:sm_80", "torch.randn(1024, 1 << 20, device='cuda').shape[1] == 1 << 20"),
        ("cuda:sm_80", "torch.empty(4).cuda().shape[0] == 4"),
        (
            "cuda:sm_80",
            "(torch.empty(4).to('cuda:0') @ torch.empty((4, 2), device=torch.device('cuda'))).shape == (2,)",
        ),
        ("metal", "not torch.cuda.is_available()"),
    ],
)
def test_answers_at_import_and_in_the_factory(run: Run, tmp_path: Path, target: str, asked: str) -> None:
    text = f"import tilelang.carver.arch.driver\nassert {asked}"
    compiled(run, tmp_path / "user.py", top=text, target=target)
    compiled(run, tmp_path / "user.py", inner=f"assert {asked}", target=target)


def test_whose_figures_they_are_is_said(run: Run, tmp_path: Path) -> None:
    kernel = compiled(
        run, tmp_path / "user.py", inner="N = torch.cuda.get_device_properties(0).multi_processor_count"
    )
    assert kernel.launch is not None
    assert kernel.launch.grid == (33,)
    assert any("H100" in note and "132 SMs" in note for note in kernel.notes)
    assert not any("device queries" in note for note in compiled(run, tmp_path / "user.py").notes)


def test_a_file_that_asks_is_executed_for_each_target(tmp_path: Path) -> None:
    text = KERNEL.format(top="MAJOR, _ = torch.cuda.get_device_capability()", inner="N = 128 * MAJOR")
    chain = chain_of(text, "copy.main")
    targets = ("cuda:sm_80", "cuda:sm_90a", "cuda:sm_80")
    found: dict[int, Kernel] = {}
    requests = tuple(KernelRequest(chain, target, "default") for target in targets)
    work.run_job(
        Job(str(tmp_path / "user.py"), text, requests),
        lambda event: found.update({event.request: event.kernel}) if isinstance(event, KernelUpdate) else None,
    )
    grids = [kernel.launch.grid for kernel in found.values() if kernel.launch is not None]
    assert grids == [(256,), (288,), (256,)]


def test_torch_is_itself_again(run: Run, tmp_path: Path) -> None:
    import torch

    before = (torch.cuda.is_available, torch.version.hip, torch.compile, torch.cuda.Stream)
    compiled(run, tmp_path / "user.py", top="x = torch.ones(2, device='cuda')")
    assert (torch.cuda.is_available, torch.version.hip, torch.compile, torch.cuda.Stream) == before
    assert torch.ones(2).device.type == "cpu"
