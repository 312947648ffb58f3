"""Which site is meant by a place in the text."""

from __future__ import annotations

import re
from collections.abc import Sequence

from .sites import Site

_WORD = re.compile(r"[^\W\d]\w*")


def site_at(
    sites: Sequence[Site], lines: Sequence[str], line: int, column: int
) -> tuple[Site, tuple[int, int]] | None:
    """The site at a 1-based place and the columns of the text that names it: a buffer's name wherever the kernel
    uses it, else a kernel's ``def`` line, a launch or an operation."""
    if not 1 <= line <= len(lines):
        return None
    text = lines[line - 1]
    here = [site for site in sites if site.line == line]
    word = next((m for m in _WORD.finditer(text) if m.start() < column <= m.end() + 1), None)
    if word is not None and (buffer := _buffer(sites, word.group(), line)) is not None:
        return buffer, (word.start() + 1, word.end() + 1)
    spots = [(site, _extent(site, text)) for site in here if site.kind != "buffer"]
    hit = [(site, extent) for site, extent in spots if extent[0] <= column <= extent[1]]
    # The narrowest wins: a copy inside the one-line body of a loop is not the loop.
    return min(hit, key=lambda item: item[1][1] - item[1][0], default=None)


def _buffer(sites: Sequence[Site], name: str, line: int) -> Site | None:
    """The nearest definition of the name at or above the line, inside a kernel that reaches so far."""
    defined = [site for site in sites if site.kind == "buffer" and site.name == name and site.line <= line]
    for site in reversed(defined):
        kernels = {variant.kernel.qualname for variant in site.variants}
        starts = [other for other in sites if other.kind == "kernel" and site.line < other.line <= line]
        if not any(other.name not in kernels for other in starts):
            return site
    return None


def _extent(site: Site, text: str) -> tuple[int, int]:
    code = text.rstrip()
    start = len(code) - len(code.lstrip()) + 1
    if site.kind == "kernel" or site.column is None:
        return start, len(code) + 1
    return site.column, site.end_column or len(code) + 1
