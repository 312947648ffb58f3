"""Each family of targets reaches generated source, with facts, and says what it cannot give."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.worker.conftest import captured

from tilescope_trace.gather import Gathered
from tilescope_trace.model import Kernel, Options, Snapshot
from tilescope_trace.source.plan import plan_file
from tilescope_worker import work
from tilescope_worker.wire.messages import Event, Generated, Job

KERNELS = Path(__file__).parent.parent / "kernels"
EVERYWHERE = ("lines_elementwise.py", {})
GEMM = ("staged_gemm.py", {"M": "128", "N": "128", "K": "128", "num_stages": "2"})
TARGETS = [
    *(f"cuda:sm_{number}" for number in ("70", "75", "80", "86", "89", "90a", "100a", "103a", "110a", "120a")),
    *(f"hip:{name}" for name in ("gfx90a", "gfx942", "gfx950", "gfx1100")),
    *("metal", "webgpu", "c"),
]
MATRIX = {
    "cuda:sm_75": "mma",
    "cuda:sm_90a": "wgmma",
    "hip:gfx942": "mfma",
    "hip:gfx1100": "wmma",
    "metal": "simdgroup",
}


def analysed(file: str, arguments: dict[str, str], target: str, *, record: bool = False) -> tuple[Kernel, str]:
    """A kernel as analysed for ``target``, and its generated source where it is recorded."""
    path = KERNELS / file
    snapshot = Snapshot(str(path), path.read_text())
    plan = plan_file(snapshot, Options(targets=(target,), arguments=arguments))
    gathered = Gathered(snapshot, plan)
    sources: list[str] = []

    def send(event: Event) -> None:
        gathered.take(event, 0)
        if isinstance(event, Generated):
            sources.append(event.text)

    with captured() as output:
        work.run_job(Job(str(path), snapshot.text, plan.requests, record=record), send, output)
    (kernel,) = gathered.kernels
    return kernel, "".join(sources)


@pytest.mark.parametrize("target", TARGETS)
def test_an_elementwise_kernel_reaches_source_everywhere(target: str) -> None:
    kernel, source = analysed(*EVERYWHERE, target, record=True)
    assert (kernel.status, kernel.stage, kernel.findings) == ("ok", "lowered", ())
    assert "main_kernel" in source
    assert kernel.launch is not None
    assert (kernel.launch.grid, kernel.launch.threads) == ((8,), 128)
    (parallel,) = [operation for operation in kernel.operations if operation.kind == "parallel"]
    assert parallel.lowered_to
    family = target.partition(":")[0]
    assert any(note.startswith(f"{family}: ") for note in kernel.notes) == (family != "cuda")
    known = family in ("cuda", "hip")
    assert (kernel.launch.occupancy == 1.0, kernel.launch.occupancy is not None) == (known, known)


@pytest.mark.parametrize("target", MATRIX)
def test_a_gemm_uses_the_matrix_unit_of_its_target(target: str) -> None:
    kernel, _ = analysed(*GEMM, target)
    assert (kernel.status, kernel.stage) == ("ok", "lowered")
    (gemm,) = [operation for operation in kernel.operations if operation.kind == "gemm"]
    assert MATRIX[target] in gemm.lowered_to
    assert kernel.launch is not None
    (shared,) = kernel.launch.memory
    assert shared.space == "shared"
    assert shared.bytes >= sum(buffer.bytes or 0 for buffer in kernel.buffers if buffer.scope == "shared.dyn")
