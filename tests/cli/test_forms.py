"""Kernels in the forms people write them in, from the file to lowered facts, with nothing given."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from tilescope.main import cli

NESTED = Path(__file__).parent.parent / "kernels" / "forms" / "nested.py"


@pytest.fixture(scope="module")
def kernels() -> dict[str, Any]:
    done = CliRunner().invoke(cli, ["facts", str(NESTED), "--format", "json"], standalone_mode=False)
    (file,) = json.loads(done.stdout)["files"]
    return {kernel["qualname"]: kernel for kernel in file["kernels"]}


def test_a_cached_factory_of_a_jit_factory_is_called_from_a_constructor(kernels: dict[str, Any]) -> None:
    kernel = kernels["outer.inner.main"]
    assert (kernel["stage"], kernel["status"], kernel["findings"]) == ("lowered", "ok", [])
    values = {name: (one["value"], one["origin"]) for name, one in kernel["specialization"]["args"].items()}
    assert values == {
        "M": (512, "call"),
        "N": (64, "call"),
        "threads": (256, "call"),
        "dtype": ("float16", "default"),
    }
    assert kernel["launch"]["grid"] == [8]


def test_of_two_definitions_of_one_name_the_one_in_force_is_told(kernels: dict[str, Any]) -> None:
    kernel = kernels["pick.main"]
    assert kernel["line"] == next(
        number for number, line in enumerate(NESTED.read_text().splitlines(), 1) if "(128,)" in line
    )
    assert kernel["buffers"][0]["shape"] == [128]


def test_a_kernel_may_be_an_attribute_of_a_class(kernels: dict[str, Any]) -> None:
    kernel = kernels["Module.copy"]
    assert (kernel["stage"], kernel["status"]) == ("lowered", "ok")
    assert [buffer["name"] for buffer in kernel["buffers"]] == ["A", "B"]
