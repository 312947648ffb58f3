"""What a TileLang cannot do is named; nothing is faked."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
import tilelang

from tilescope_worker import compat, load, work
from tilescope_worker.compat import probe
from tilescope_worker.facts import collect
from tilescope_worker.spans import repair

from .conftest import KERNELS, Run

ELEMENTWISE = """\
import tilelang.language as T


@T.prim_func
def add_one(A: T.Tensor((1024,), "float32"), B: T.Tensor((1024,), "float32")):
    with T.Kernel(4, threads=128) as bx:
        for i in T.Parallel(256):
            B[bx * 256 + i] = A[bx * 256 + i] + 1.0
"""


@pytest.fixture
def fresh_probes() -> Iterator[None]:
    """Let the probes look again, before and after the test."""
    compat.capabilities.cache_clear()
    yield
    compat.capabilities.cache_clear()


@pytest.mark.usefixtures("fresh_probes")
def test_capabilities_follow_what_is_there(monkeypatch: pytest.MonkeyPatch, run: Run, tmp_path: object) -> None:
    assert "cuda" in compat.capabilities()
    compat.capabilities.cache_clear()
    monkeypatch.setattr(probe, "has_phases", lambda: False)
    assert "phases" not in compat.capabilities()
    assert any("phase" in note for note in compat.notes())
    text = "import tilelang.language as T\n\n@T.prim_func\ndef copy(A: T.Tensor((8,), 'float32')):\n    A[0] = 1.0\n"
    assert any("phase" in note for note in run(f"{tmp_path}/noted.py", text, "copy", target="c").kernel.notes)


def test_pass_config_keys_may_be_members_names_or_strings() -> None:
    member = tilelang.PassConfigKey.TL_DISABLE_WGMMA
    assert {compat.pass_config_key(key) for key in (member, "TL_DISABLE_WGMMA", member.value)} == {member.value}
    assert compat.pass_config_key("of.no.version") == "of.no.version"


def test_the_compilers_own_files_are_nobodys_sources() -> None:
    assert load.is_installed(tilelang.__file__)
    assert load.is_installed(work.__file__)
    assert load.is_installed("<string>")
    assert not load.is_installed(__file__)


def test_warming_leaves_nothing_behind() -> None:
    import sys

    before = set(sys.modules), list(sys.path)
    work.warm(("cuda:sm_90a", "vulkan"))
    assert "tilescope_warmup" not in sys.modules
    assert before[1] == sys.path


def test_where_lines_of_instructions_are_lost_none_is_told(
    monkeypatch: pytest.MonkeyPatch, tmp_path: object, run: Run
) -> None:
    for module in (probe, collect, repair):
        monkeypatch.setattr(module, "keeps_spans_in_tile_ops", lambda: False)
    compat.capabilities.cache_clear()
    try:
        text = (KERNELS / "staged_gemm.py").read_text()
        kernel = run(f"{tmp_path}/gemm.py", text, "matmul.main").kernel
        tiles = [operation for operation in kernel.operations if operation.kind in ("copy", "gemm", "fill")]
        assert tiles
        assert {operation.lowered_to for operation in tiles} == {()}
        assert kernel.warp_accesses == ()
        assert any("their instructions are not told" in note for note in kernel.notes)
        assert {buffer.name for buffer in kernel.buffers if buffer.layout is not None} >= {"A_shared", "B_shared"}
        assert kernel.launch is not None
        assert kernel.launch.threads_lowered
        plain = run(f"{tmp_path}/plain.py", ELEMENTWISE, "add_one").kernel
        (loop,) = [operation for operation in plain.operations if operation.kind == "parallel"]
        assert loop.lowered_to, "without tile operations nothing is lost"
    finally:
        compat.capabilities.cache_clear()
