"""What a text tells before it is parsed."""

from __future__ import annotations


def may_hold_kernels(text: str) -> bool:
    """False for Python files that have nothing to do with TileLang: those are left alone."""
    return "tilelang" in text or "prim_func" in text or "T.Kernel" in text
