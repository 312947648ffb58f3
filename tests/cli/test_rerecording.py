"""Recording one kernel again and again with one worker."""

from __future__ import annotations

import asyncio
import importlib.util
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from tests.recordings import REAL_GEMM

from tilescope.commands.view import _record
from tilescope.rerecording import Rerecorder
from tilescope_trace.errors import UsageError
from tilescope_trace.model import Options
from tilescope_trace.store.read import open_recording


@pytest.mark.skipif(importlib.util.find_spec("tilelang") is None, reason="needs tilelang")
def test_the_same_kernel_is_recorded_as_the_file_is_now(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    kernel = tmp_path / "gemm.py"
    kernel.write_text(REAL_GEMM)
    status, path, chosen = asyncio.run(_record(kernel, Options(targets=("c",)), None))
    again = Rerecorder(kernel, chosen, None, path)
    try:
        kernel.write_text(REAL_GEMM + "\n# new\n")
        assert again.record() == path
        with open_recording(path) as recording:
            assert recording.sources()[0].text.endswith("# new\n")
            assert recording.info.kernel.target == "c"
        new = path.with_name(f".{path.name}.new")
        with ThreadPoolExecutor(2) as threads:
            overtaken = threads.submit(again.record)
            while not new.exists() and not overtaken.done():
                time.sleep(0.001)
            kernel.write_text(REAL_GEMM + "\n# newest\n")
            assert threads.submit(again.record).result() == path
            assert overtaken.result() is None, "saved again while it was recorded"
        with open_recording(path) as recording:
            assert recording.sources()[0].text.endswith("# newest\n")
            assert recording.passes, "whole"
        kernel.write_text("x = (\n")
        with pytest.raises(UsageError, match=r"gemm\.py"):
            again.record()
        with open_recording(path) as recording:
            assert recording.info.status == ("ok" if status == 0 else "failed"), "the last one stays"
        assert [name.name for name in path.parent.iterdir() if name.name.endswith(".new")] == []
    finally:
        again.close()
