"""Labels of passes: the name, and for a name that repeats its number as well."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence


def labels(names: Sequence[str]) -> list[str]:
    """``tl.Simplify#1``, ``tl.Simplify#2`` for a name that occurs again, the bare name for one that does not."""
    totals = Counter(names)
    seen: Counter[str] = Counter()
    result = []
    for name in names:
        seen[name] += 1
        result.append(f"{name}#{seen[name]}" if totals[name] > 1 else name)
    return result
