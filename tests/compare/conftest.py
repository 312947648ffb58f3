"""Recordings of the bundled kernels for every target, made once by one worker."""

from __future__ import annotations

import asyncio
import importlib.util
import sys
from pathlib import Path

import pytest

from tilescope_trace.host import Host
from tilescope_trace.model import Options, Snapshot
from tilescope_trace.record import record

KERNELS = Path(__file__).parents[2] / "cli" / "tilescope" / "kernels"

WANTED: dict[str, tuple[str, str, dict[str, str]]] = {
    "gemm": ("gemm", "cuda:sm_90a", {}),
    "gemm again": ("gemm", "cuda:sm_90a", {}),
    "gemm of wider blocks": ("gemm", "cuda:sm_90a", {"block_K": "64"}),
    "gemm on Blackwell": ("gemm", "cuda:sm_100", {}),
    **{
        f"elementwise {target}": ("elementwise", target, {})
        for target in ("cuda:sm_80", "hip:gfx942", "metal", "c", "webgpu")
    },
    "ascend": ("ascend_vadd", "ascend", {}),
}
"""Kernel file, target and arguments of each recording."""


@pytest.fixture(scope="session")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """The recordings by name; needs tilelang."""
    if importlib.util.find_spec("tilelang") is None:
        pytest.skip("needs tilelang")
    folder = tmp_path_factory.mktemp("recorded")

    async def make() -> dict[str, Path]:
        paths = {}
        async with Host(sys.executable) as host:
            for name, (kernel, target, arguments) in WANTED.items():
                source = KERNELS / f"{kernel}.py"
                snapshot = Snapshot(str(source), source.read_text(encoding="utf-8"))
                paths[name] = folder / f"{name.replace(':', '_').replace(' ', '-')}.tscope"
                await record(snapshot, Options(targets=(target,), arguments=arguments), host, paths[name])
        return paths

    return asyncio.run(make())
