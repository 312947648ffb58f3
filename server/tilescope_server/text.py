"""Lines as the protocol and Python's tokenizer count them."""

from __future__ import annotations

import re
from functools import lru_cache

_LINE_END = re.compile(r"\r\n|\r|\n")


@lru_cache(maxsize=8)
def lines_of(text: str) -> tuple[str, ...]:
    """The lines without their ends. Unlike `str.splitlines`, form feeds and Unicode separators end no line, and a
    final line end is followed by an empty line. The few texts in use are split once each."""
    return tuple(_LINE_END.split(text) if "\r" in text else text.split("\n"))


def may_hold_kernels(text: str) -> bool:
    """False for Python files that have nothing to do with TileLang: those are left alone."""
    return "tilelang" in text or "prim_func" in text or "T.Kernel" in text
