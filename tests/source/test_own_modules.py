"""Modules of the user's own are told from those of others by where they lie."""

from __future__ import annotations

from pathlib import Path

import pytest

from tilescope_trace.source.imports import third_party
from tilescope_trace.source.tolerant import parse

TEXT = "import numpy, mine.tiles\nfrom helper import x\nfrom . import y\nimport tilelang\n"


@pytest.mark.parametrize("layout", ["", "src", "python"])
def test_packages_of_the_project_are_its_own_wherever_it_keeps_them(tmp_path: Path, layout: str) -> None:
    package = tmp_path / layout / "mine"
    (package / "kernels").mkdir(parents=True)
    kernel = package / "kernels" / "gemm.py"
    assert third_party(parse(TEXT), str(kernel), str(tmp_path)) == ("helper", "numpy")
    assert third_party(parse(TEXT), str(tmp_path / "bench" / "run.py"), str(tmp_path)) == ("helper", "numpy")
    (package / "kernels" / "helper.py").touch()
    assert third_party(parse(TEXT), str(kernel), str(tmp_path)) == ("numpy",)
