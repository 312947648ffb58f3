"""Hovers and tooltips: full facts, and for what they hold."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from tilescope_server.analysis import Analysis
from tilescope_server.describe import code, site_markdown
from tilescope_server.lookup import site_at
from tilescope_server.sites import Site, sites_of
from tilescope_trace.model import FileFacts, Kernel, Snapshot
from tilescope_trace.text_lines import lines_of

Facts = Callable[..., FileFacts]
Shot = Callable[[str, int], Snapshot]


def at(analysis: Analysis, line: int, word: str) -> Site | None:
    """The site under the first character of ``word`` on a line."""
    lines = lines_of(analysis.snapshot.text)
    found = site_at(sites_of(analysis), lines, line, lines[line - 1].index(word) + 1)
    return found[0] if found is not None else None


@pytest.fixture
def compiled(snapshot: Shot, facts: Facts, compiled_kernel: Kernel, gemm_text: str) -> Analysis:
    return Analysis(snapshot(gemm_text, 7)).informed(facts(compiled_kernel))


def test_a_buffer_in_full(compiled: Analysis) -> None:
    site = at(compiled, 10, "A_shared")
    assert site is not None
    assert site_markdown(site) == (
        "**`A_shared`** `[128, 32] float16` · `shared.dyn` · 3 stages · 24,576 bytes (24 KiB)\n\n"
        "- layout: shared, `Sw<2,4,3>`\n"
        "- swizzle: 64B\n"
        "- because operand of the gemm (`tl.LayoutInference`)\n\n"
        "kernel `matmul.main` · target `cuda:sm_90a` (default) · lowered  \n"
        "specialization `0123456789ab`: `M=1024` (default line 6)"
    )


def test_a_gemm_in_four_lines(snapshot: Shot, facts: Facts, compiled_kernel: Kernel, gemm_text: str) -> None:
    pipeline, copy, gemm = compiled_kernel.operations
    detail = {
        "A": "A_shared",
        "A_scope": "shared.dyn",
        "A_dtype": "float16",
        "B": "B_shared",
        "B_scope": "shared.dyn",
        "B_dtype": "float16",
        "C": "C_local",
        "C_scope": "local.fragment",
        "C_dtype": "float32",
        "M": 128,
        "N": 128,
        "K": 32,
        "transpose_A": False,
        "transpose_B": True,
        "policy": "Square",
        "clear_accum": False,
        "instruction": "wgmma m64n128k16",
    }
    kernel = replace(compiled_kernel, operations=(pipeline, copy, replace(gemm, detail=detail)))
    site = at(Analysis(snapshot(gemm_text, 1)).informed(facts(kernel)), 17, "T.gemm")
    assert site is not None
    assert site_markdown(site).partition("\n\nkernel")[0] == (
        "**gemm** → `wgmma`\n\n"
        "- `C_local` += `A_shared` × `B_shared`ᵀ, 128 × 128 × 32\n"
        "- `A_shared` `shared.dyn` `float16` · `B_shared` `shared.dyn` `float16`"
        " · `C_local` `local.fragment` `float32`\n"
        "- policy: `Square` · clear accum: no · instruction: `wgmma m64n128k16`"
    )


@pytest.mark.parametrize(
    ("line", "word", "name"),
    [
        (17, "A_shared", "A_shared"),
        (17, "T.gemm", "gemm"),
        (14, "T.Pipelined", "pipeline"),
        (9, "T.Kernel", "T.Kernel"),
        (8, "def", "matmul.main"),
        (17, "C_local", "C_local"),
    ],
)
def test_what_is_under_the_cursor(compiled: Analysis, line: int, word: str, name: str) -> None:
    site = at(compiled, line, word)
    assert site is not None
    assert site.name == name


def test_nothing_is_under_the_cursor_elsewhere(compiled: Analysis) -> None:
    assert at(compiled, 1, "import") is None
    assert at(compiled, 14, "for") is None


def test_reservations_are_said_in_words(
    snapshot: Shot, facts: Facts, compiled_kernel: Kernel, gemm_text: str
) -> None:
    assumed = replace(
        compiled_kernel,
        status="partial",
        specialization=replace(compiled_kernel.specialization, origin="assumed"),
        notes=("copies are not known on this version",),
    )
    text = site_markdown(sites_of(Analysis(snapshot(gemm_text, 1)).informed(facts(assumed)))[0])
    assert "**assumed**" in text
    assert "**partial**" in text
    assert "copies are not known on this version" in text


def test_variants_that_differ_are_all_told(
    snapshot: Shot, facts: Facts, compiled_kernel: Kernel, gemm_text: str
) -> None:
    a, c = compiled_kernel.buffers
    ampere = replace(compiled_kernel, target="cuda:sm_80", buffers=(replace(a, stages=2, bytes=16384), c))
    analysis = Analysis(snapshot(gemm_text, 1)).informed(facts(compiled_kernel, ampere))
    different, same = at(analysis, 10, "A_shared"), at(analysis, 12, "C_local")
    assert different is not None
    assert same is not None
    assert site_markdown(different).count("**`A_shared`**") == 2
    assert site_markdown(same).count("**`C_local`**") == 1
    assert all("cuda:sm_80" in site_markdown(site) for site in (different, same))


def test_code_spans_hold_any_text() -> None:
    assert code("a`b\n c") == "`` a`b c ``"
