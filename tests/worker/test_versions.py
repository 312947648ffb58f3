"""Other versions of TileLang, and forks of it: they give the facts they can give, and say which they cannot.

``make compat`` puts them into environments of their own and runs these tests with their interpreters; elsewhere
TILESCOPE_COMPAT names the interpreters, separated as in PATH.
"""

from __future__ import annotations

import os
from collections.abc import AsyncGenerator
from pathlib import Path

import pytest
import pytest_asyncio

from tilescope_trace.analyse import analyse
from tilescope_trace.host import Host
from tilescope_trace.model import FileFacts, Options, Snapshot

BUNDLED = Path(__file__).parents[2] / "cli" / "tilescope" / "kernels"
INTERPRETERS = [one for one in os.environ.get("TILESCOPE_COMPAT", "").split(os.pathsep) if one]
pytestmark = [
    pytest.mark.asyncio(loop_scope="module"),
    pytest.mark.skipif(not INTERPRETERS, reason="no other TileLang is here: `make compat` installs them"),
]


@pytest_asyncio.fixture(scope="module", loop_scope="module", params=INTERPRETERS or [None])
async def host(request: pytest.FixtureRequest) -> AsyncGenerator[Host, None]:
    async with Host(request.param) as running:
        yield running


async def facts(host: Host, name: str, target: str | None = None) -> FileFacts:
    path = BUNDLED / f"{name}.py"
    options = Options(targets=(target,) if target else ())
    return [one async for one in analyse(Snapshot(str(path), path.read_text()), options, host)][-1]


@pytest.mark.parametrize("target", ["cuda:sm_80", "cuda:sm_90a"])
@pytest.mark.parametrize("name", ["gemm", "attention", "elementwise"])
async def test_cuda_kernels_are_lowered_with_layouts_and_launch(host: Host, name: str, target: str) -> None:
    (kernel,) = (await facts(host, name, target)).kernels
    assert (kernel.stage, kernel.status) == ("lowered", "ok")
    assert all(buffer.bytes for buffer in kernel.buffers)
    if name == "gemm":
        assert kernel.launch is not None
        assert kernel.launch.threads_lowered
        assert all(buffer.layout for buffer in kernel.buffers if buffer.scope != "global")


async def test_instructions_are_right_or_not_told(host: Host) -> None:
    hello = await host.hello()
    (kernel,) = (await facts(host, "gemm", "cuda:sm_90a")).kernels
    told = {operation.kind: operation.lowered_to for operation in kernel.operations}
    if "instruction-spans" in hello.capabilities:
        assert (told["gemm"], told["copy"]) == (("wgmma",), ("vector_st",))
    else:
        assert {told[kind] for kind in ("gemm", "copy", "fill")} == {()}
        assert any("instructions are not told" in note for note in kernel.notes)


async def test_a_back_end_that_is_not_there_is_named(host: Host) -> None:
    if "ascend" in (await host.hello()).capabilities:
        pytest.skip("this TileLang has the Ascend back end")
    found = await facts(host, "ascend_gemm")
    (kernel,) = found.kernels
    assert kernel.status == "failed"
    assert any("has no ascend back end" in finding.message for finding in kernel.findings)
    assert kernel.buffers, "what the source says is there all the same"
