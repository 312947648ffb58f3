"""Functions with several launches, and grids that no device takes."""

from __future__ import annotations

import pytest

from .conftest import Run

FILE = "runtime_shapes.py"


def test_of_two_launches_the_first_is_described_and_that_is_said(kernel_file: Run) -> None:
    kernel = kernel_file(FILE, "two_launches.main").kernel
    assert kernel.notes == ("2 launches: the first is described",)
    assert kernel.launch is not None
    assert (kernel.launch.grid, kernel.launch.threads) == ((8,), 128)
    # The launches use different amounts: neither is that of the function.
    assert kernel.launch.shared_dynamic_bytes is None


@pytest.mark.parametrize(
    ("arguments", "grid"),
    [({"M": "-1024"}, "4 × -8"), ({"M": "0"}, "4 × 0"), ({"M": str(1 << 30)}, "4 × 8388608")],
)
def test_a_grid_that_no_device_takes_is_noted(kernel_file: Run, arguments: dict[str, str], grid: str) -> None:
    kernel = kernel_file(FILE, "rows.main", **arguments).kernel
    assert kernel.notes == (f"grid {grid} is not launchable",)


def test_the_limit_is_that_of_the_target(kernel_file: Run) -> None:
    assert not kernel_file(FILE, "rows.main").kernel.notes
    notes = kernel_file(FILE, "rows.main", target="metal", M=str(1 << 30)).kernel.notes
    assert not any("launchable" in note for note in notes)
