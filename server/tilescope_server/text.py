"""Lines as the protocol and Python's tokenizer count them."""

from __future__ import annotations

import re

_LINE_END = re.compile(r"\r\n|\r|\n")


def lines_of(text: str) -> list[str]:
    """The lines without their ends. Unlike `str.splitlines`, form feeds and Unicode separators end no line, and a
    final line end is followed by an empty line."""
    return _LINE_END.split(text)


def may_hold_kernels(text: str) -> bool:
    """False for Python files that have nothing to do with TileLang: those are left alone."""
    return "tilelang" in text or "prim_func" in text or "T.Kernel" in text
