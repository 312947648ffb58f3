"""What tutorials show is what the commands print: each quoted line, of commands that need a compiler only."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tilescope.main import main

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
COMMANDS = [
    ("tutorials/slow-kernel.md", "lint gemm.py"),
    ("tutorials/slow-kernel.md", "facts gemm.py --compare --set K=4096 --set K=4100"),
    ("tutorials/layout-conflict.md", "facts half_attention.py"),
    ("tutorials/layout-conflict.md", "facts half_attention.py --set M=128"),
]


def outputs(page: str) -> list[str]:
    """The blocks of a page that are no code of some language."""
    return [text for language, text in BLOCK.findall((DOCS / page).read_text(encoding="utf-8")) if not language]


def quoted(page: str, command: str) -> list[str]:
    """The lines below a command, up to the next one, but for those that stand for others."""
    for block in outputs(page):
        if block.startswith(f"$ tilescope {command}\n"):
            return [line for line in block.split("\n")[1:] if line.strip(" .")]
    raise AssertionError(f"{page} has no block of {command}")


@pytest.mark.parametrize(("page", "command"), COMMANDS, ids=[command for _, command in COMMANDS])
def test_quoted_output_is_printed(
    page: str, command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("tilelang")
    gemm = (ROOT / "examples/gpu/gemm.py").read_text(encoding="utf-8")
    (tmp_path / "gemm.py").write_text(gemm.replace("K=4096\n", "K=4100\n"), encoding="utf-8")
    attention = (ROOT / "tests/kernels/half_attention.py").read_text(encoding="utf-8")
    if "M=128" in command:
        attention = attention.replace("FullCol", "FullRow")
    (tmp_path / "half_attention.py").write_text(attention, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    main(command.split())
    printed = {line.rstrip() for line in capsys.readouterr().out.split("\n")}
    lines = quoted(page, command)
    assert lines
    assert [line for line in lines if line.rstrip() not in printed] == []


@pytest.mark.parametrize("name", ["slow-kernel.md", "layout-conflict.md"])
def test_translations_show_the_same_output(name: str) -> None:
    original = outputs(f"tutorials/{name}")
    assert original
    assert outputs(f"zh/{name}") == original
