"""What a hover tells of a place beside its facts."""

from __future__ import annotations

from collections.abc import Iterable

from tilescope_server.sites import Variant
from tilescope_trace.model import Buffer, Operation

from . import accesses
from .picture import picture


def of_variant(variant: Variant, *, image: bool) -> str:
    """Markdown behind the facts of a buffer (conflicts, picture) or an operation (why not better); else empty."""
    entry, kernel = variant.entry, variant.kernel
    if isinstance(entry, Buffer):
        told = [_list(accesses.of_buffer(kernel, entry)), picture(entry, kernel.target, image=image)]
        return "\n\n".join(filter(None, told))
    return _list(accesses.of_operation(kernel, entry)) if isinstance(entry, Operation) else ""


def _list(lines: Iterable[str]) -> str:
    return "\n".join(f"- {line}" for line in lines)
