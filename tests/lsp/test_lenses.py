"""Titles above kernels."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tilescope_server.lenses import lenses_of
from tilescope_trace.model import Argument, ArgumentOrigin, Kernel


@pytest.mark.parametrize(
    ("origins", "told"),
    [
        (("default", "default"), "M=0 N=1 (default)"),
        (("directive", "default"), "M=0 N=1 (directive, default)"),
        (("call", "assumed"), "M=0 N=1 (call, assumed)"),
        (("editor", "call"), "M=0 N=1 (chosen here)"),
    ],
)
def test_arguments_are_told_with_all_their_origins(
    static_kernel: Kernel, gemm_text: str, origins: tuple[ArgumentOrigin, ...], told: str
) -> None:
    values = {name: Argument(value, origins[value], None, None) for value, name in enumerate("MN")}
    kernel = replace(static_kernel, specialization=replace(static_kernel.specialization, args=values))
    first = lenses_of([kernel], gemm_text.splitlines(), executes=False)[0]
    assert first.title == told
