"""Short ways from a text to what the source rooms say about it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from textwrap import dedent

import pytest

from tilescope_trace.model import Options, Snapshot
from tilescope_trace.source.plan import FilePlan, plan_file

KERNELS = Path(__file__).parent.parent / "kernels"

Plan = Callable[..., FilePlan]


@pytest.fixture
def plan() -> Plan:
    """``plan(text, kernel=..., arguments=...)``: the plan of an indented text."""

    def make(text: str, **options: object) -> FilePlan:
        return plan_file(Snapshot("kernel.py", dedent(text)), Options(**options))  # type: ignore[arg-type]

    return make


@pytest.fixture
def kernel_text() -> Callable[[str], str]:
    """The text of a kernel file kept for tests."""
    return lambda name: (KERNELS / name).read_text("utf-8")
