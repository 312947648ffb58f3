"""Files that say too much, say what cannot be printed, or change what the worker stands on."""

from __future__ import annotations

import builtins
import json
import sys
from pathlib import Path

import pytest

from tilescope_trace.rules.failures import finding_of
from tilescope_worker.wire.codec import decode, encode

from .conftest import Run, run_text

FILE, KERNEL = "runtime_shapes.py", "rows.main"


@pytest.fixture
def text(kernel_file: Run) -> str:
    return kernel_file(FILE, KERNEL).text


@pytest.fixture(autouse=True)
def unharmed(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a file changes is undone after each test."""
    for owner, name in ((sys, "stdout"), (sys, "stderr"), (sys, "excepthook"), (json, "dumps"), (json, "loads")):
        monkeypatch.setattr(owner, name, getattr(owner, name))


def test_an_endless_message_is_cut(text: str, tmp_path: Path) -> None:
    text = text.replace(
        "def rows(M=1024, N=256):\n", 'def rows(M=1024, N=256):\n    raise ValueError("a" + "z" * 5_000_000 + "b")\n'
    )
    failure = run_text(tmp_path / "k.py", text, KERNEL).failure
    assert len(failure.message) <= 1 << 10
    assert len(failure.text) < 20_000
    assert (failure.text[:3], failure.text[-3:]) == ("azz", "zzb")
    assert "characters left out" in failure.text


@pytest.mark.parametrize(
    ("said", "message"),
    [
        (r"\x1b[31mred\x07\x00 \ud800", r"red\x07\x00 \ud800"),
        (r"left\rright", r"left\rright"),
        (r"\u202egnihton", r"\u202egnihton"),
    ],
)
def test_what_cannot_be_printed_is_escaped(text: str, tmp_path: Path, said: str, message: str) -> None:
    text = text.replace(
        "def rows(M=1024, N=256):\n", f'def rows(M=1024, N=256):\n    raise ValueError("{said}\\nmore\\tof it")\n'
    )
    failure = run_text(tmp_path / "k.py", text, KERNEL).failure
    assert failure.text == f"{message}\nmore\tof it"
    assert failure.text.splitlines()[0] == message
    assert failure.message.isprintable()
    assert decode(encode(failure)[4:]) == failure


def test_lone_surrogates_do_not_cross_the_wire(text: str, tmp_path: Path) -> None:
    answers = run_text(tmp_path / "k.py", text.replace("N=256):", 'N=256, tag="\\ud800"):'), KERNEL)
    for event in answers.events:
        repr(decode(encode(event)[4:])).encode("utf-8")


@pytest.mark.parametrize(
    "change",
    [
        "import sys\ndel sys.stdout, sys.stderr\nsys.excepthook = None",
        "import json\njson.dumps = json.loads = lambda *_, **__: 1 / 0",
        "import builtins\nbuiltins.len = builtins.vars = builtins.getattr = lambda *_: 1 / 0\ndel builtins.open",
    ],
)
def test_a_file_that_breaks_the_interpreter_is_compiled(text: str, tmp_path: Path, change: str) -> None:
    answers = run_text(tmp_path / "k.py", f"{text}\n{change}\n", KERNEL)
    assert answers.done.status == "ok", answers.failures
    for event in answers.events:
        assert encode(event)


def test_replaced_builtins_are_put_back_and_said(text: str, tmp_path: Path) -> None:
    before = len
    answers = run_text(tmp_path / "k.py", f"{text}\nimport builtins\nbuiltins.len = None\n", KERNEL)
    assert builtins.len is before
    assert answers.kernel.notes == ("builtins that the file replaces are put back: len",)


@pytest.mark.parametrize(
    ("statement", "told"),
    [
        ("import sys; sys.exit(0)", "SystemExit: 0"),
        ("raise KeyError('block')", "KeyError: 'block'"),
        ("raise ValueError('block is too large')", "block is too large"),
    ],
)
def test_the_exception_is_named_where_its_message_says_little(
    text: str, tmp_path: Path, statement: str, told: str
) -> None:
    text = text.replace("def rows(M=1024, N=256):\n", f"def rows(M=1024, N=256):\n    {statement}\n")
    answers = run_text(tmp_path / "k.py", text, KERNEL)
    assert finding_of(answers.failure, None, text, answers.path).message == told
