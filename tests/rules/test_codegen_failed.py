"""What a code generator says is told in words of the kernel where its kind is known."""

from __future__ import annotations

from pathlib import Path

import pytest

from tilescope_trace.rules.compile.codegen_failed import told

from .examples import analysed

GATE = Path(__file__).parents[2] / "examples" / "ascend" / "gate.py"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (
            "Downcast from tirx.Sub to ir.IntImm failed.",
            "the code generator of cuda:sm_80 needs a constant here, and gets an expression that is known only at run"
            " time (tirx.Sub)",
        ),
        (
            'Unresolved call ir.Op(span=None, name="tl.copy_ubuf", description="a {} b", num_inputs=11)',
            "the code generator of cuda:sm_80 has nothing for tl.copy_ubuf",
        ),
        ("Downcast from tirx.Sub to tirx.Var failed.", "Downcast from tirx.Sub to tirx.Var failed."),
    ],
)
def test_known_kinds_have_words_and_others_stay(text: str, words: str) -> None:
    assert told(text, "cuda:sm_80") == words


def test_an_operation_that_a_target_does_not_have_is_named() -> None:
    pytest.importorskip("tilelang")
    text = GATE.read_text()
    assert "target=ascend" in text
    example = analysed(GATE, text.replace("target=ascend", "target=cuda:sm_80"))
    (finding,) = (one for one in example.findings if one.code == "TS103")
    assert finding.message == "the code generator of cuda:sm_80 has nothing for tl.ascend_copy_gm_to_ubuf"
    assert finding.compiler is not None
    assert "Unresolved call" in finding.compiler
