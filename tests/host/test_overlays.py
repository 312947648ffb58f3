"""Modules that a kernel imports are those of the editor, saved or not, and never those of a moment ago."""

from __future__ import annotations

import sys
from collections.abc import AsyncGenerator, Mapping
from pathlib import Path

import pytest
import pytest_asyncio

from tilescope_trace.analyse import analyse
from tilescope_trace.host import Host, Policy
from tilescope_trace.model import FileFacts, Options, Snapshot
from tilescope_worker.overlays import imported_from

pytestmark = pytest.mark.asyncio(loop_scope="module")
KERNEL = """\
import tilelang.language as T
from tiles import M


@T.prim_func
def main(A: T.Tensor((M,), "float32")):
    with T.Kernel(1, threads=32):
        A_local = T.alloc_fragment((M,), "float32")
        T.copy(A, A_local)
"""


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def host() -> AsyncGenerator[Host, None]:
    async with Host(sys.executable) as running:
        yield running


async def facts(host: Host, kernel: Path, overlays: Mapping[str, str] | None = None) -> FileFacts:
    snapshot = Snapshot(str(kernel), KERNEL)
    return [one async for one in analyse(snapshot, Options(), host, overlays)][-1]


def extent(found: FileFacts) -> object:
    (kernel,) = found.kernels
    return next((buffer.shape[0] for buffer in kernel.buffers if buffer.name == "A_local"), None)


async def test_a_module_is_taken_from_the_editor_while_it_differs_there(host: Host, tmp_path: Path) -> None:
    kernel, tiles = tmp_path / "kernel.py", tmp_path / "tiles.py"
    real = str(tiles.resolve())
    tiles.write_text("M = 32\n")
    assert extent(await facts(host, kernel)) == 32
    assert host.modules(str(kernel)) == (real,)
    assert extent(await facts(host, kernel, {real: "M = 64\n"})) == 64
    assert extent(await facts(host, kernel, {real: "M = 96\n"})) == 96
    assert extent(await facts(host, kernel)) == 32
    tiles.write_text("M = 128\n")
    assert extent(await facts(host, kernel)) == 128


async def test_a_module_that_fails_or_is_not_saved_yet_is_known_by_its_place(host: Host, tmp_path: Path) -> None:
    kernel, tiles = tmp_path / "kernel.py", tmp_path / "tiles.py"
    real = str(tiles.resolve())
    assert extent(await facts(host, kernel, {real: "M = 64\n"})) == 64
    failed = await facts(host, kernel, {real: "import none_such\nM = 64\n"})
    assert any("none_such" in finding.message for finding in failed.findings)
    assert real in host.modules(str(kernel))
    assert extent(await facts(host, kernel, {real: "M = 32\n"})) == 32


async def test_without_fork_documents_share_a_process_and_no_modules(tmp_path: Path) -> None:
    async with Host(sys.executable, Policy(fork=False)) as host:
        for number, name in enumerate(("a", "b", "a"), start=1):
            (tmp_path / name).mkdir(exist_ok=True)
            (tmp_path / name / "tiles.py").write_text(f"M = {32 * number}\n")
            assert extent(await facts(host, tmp_path / name / "kernel.py")) == 32 * number


async def test_python_finds_everything_else_itself(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package = tmp_path / "overlaid_package"
    package.mkdir()
    (package / "__init__.py").write_text("VALUE = 1\n")
    (package / "other.py").write_text("from . import VALUE\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    before = list(sys.meta_path)
    text = "\ufeffVALUE = 'é'\ndef f():\n    return VALUE\n"
    with imported_from({str((package / "__init__.py").resolve()): text}, str(tmp_path)) as seen:
        import overlaid_package.other  # type: ignore[import-not-found]
    assert sys.meta_path == before
    assert overlaid_package.other.VALUE == "é"
    assert seen == {str((package / name).resolve()) for name in ("__init__.py", "other.py")}
    import inspect

    assert inspect.getsource(overlaid_package.f) == "def f():\n    return VALUE\n"
    for name in ("overlaid_package", "overlaid_package.other"):
        sys.modules.pop(name)


async def test_the_file_itself_is_none_of_its_modules(host: Host, tmp_path: Path) -> None:
    (tmp_path / "tiles.py").write_text("M = 32\n")
    kernel = tmp_path / "gemm.py"
    for end in ("", "# saved\n"):
        kernel.write_text(KERNEL + end)
        assert extent(await facts(host, kernel)) == 32
        assert set(host.modules(str(kernel))) == {str((tmp_path / "tiles.py").resolve())}
