"""Source places with what is known there, over all kernels, specializations and targets of a document.

Hints, hovers and tooltips are all made from sites, so that they never disagree.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal, TypeAlias

from tilescope_trace.model import Buffer, Extent, Kernel, Launch, Operation

from .analysis import Analysis, View

Entry: TypeAlias = "Buffer | Operation | Launch | Kernel"
SiteKind = Literal["kernel", "launch", "buffer", "operation"]


@dataclass(frozen=True)
class Variant:
    """What one kernel x specialization x target says at a site. ``version`` is that of the text it was found in:
    an older one than the document's where it is ``stale``."""

    entry: Entry
    kernel: Kernel
    stale: bool
    version: int | None


@dataclass(frozen=True)
class Site:
    """A place of the source, 1-based, columns in code points; ``name`` is a buffer's, a kernel's or an
    operation's kind."""

    kind: SiteKind
    name: str
    line: int
    column: int | None
    end_column: int | None
    variants: tuple[Variant, ...]


def sites_of(analysis: Analysis, views: Iterable[View] | None = None) -> tuple[Site, ...]:
    """All sites of a document, or those of some of its views, by line."""
    variants: dict[tuple[SiteKind, str, int, int], list[Variant]] = {}
    for view in analysis.views() if views is None else views:
        # The n-th operation of a kind on a line is the same place in every specialization.
        seen: Counter[tuple[str, str, int]] = Counter()
        for kind, name, line, variant in _variants(view, analysis):
            variants.setdefault((kind, name, line, seen[kind, name, line]), []).append(variant)
            seen[kind, name, line] += 1
    sites = [_site(kind, name, line, found) for (kind, name, line, _), found in variants.items()]
    return tuple(sorted(sites, key=lambda site: (site.line, site.column or 0)))


def _site(kind: SiteKind, name: str, line: int, variants: list[Variant]) -> Site:
    columns = [(item.entry.column, item.entry.end_column) for item in variants if not isinstance(item.entry, Kernel)]
    column, end_column = next(((c, e) for c, e in columns if c is not None), (None, None))
    return Site(kind, name, line, column, end_column, tuple(variants))


def _variants(view: View, analysis: Analysis) -> Iterator[tuple[SiteKind, str, int, Variant]]:
    fresh, stale = view.fresh, view.stale
    newest = analysis.snapshot.version
    oldest = analysis.last.version_of(stale) if analysis.last is not None and stale is not None else None
    if fresh is None:
        if stale is not None:
            for kind, name, line, entry in _entries(stale):
                yield kind, name, line, Variant(entry, stale, True, oldest)
        return
    older = _numbered(stale) if stale is not None else {}
    for key, entry in _numbered(fresh).items():
        kind, name, line, _ = key
        before = older.pop(key, None)
        if stale is not None and before is not None and _tells_more(before, entry):
            yield kind, name, line, Variant(before, stale, True, oldest)
        else:
            yield kind, name, line, Variant(entry, fresh, False, newest)
    if stale is not None and not analysis.parses:
        # Static facts of broken text are incomplete: what they miss is not gone.
        for (kind, name, line, _), entry in older.items():
            yield kind, name, line, Variant(entry, stale, True, oldest)


def _numbered(kernel: Kernel) -> dict[tuple[SiteKind, str, int, int], Entry]:
    seen: Counter[tuple[str, str, int]] = Counter()
    numbered: dict[tuple[SiteKind, str, int, int], Entry] = {}
    for kind, name, line, entry in _entries(kernel):
        numbered[kind, name, line, seen[kind, name, line]] = entry
        seen[kind, name, line] += 1
    return numbered


def _entries(kernel: Kernel) -> Iterator[tuple[SiteKind, str, int, Entry]]:
    yield "kernel", kernel.qualname, kernel.line, kernel
    if kernel.launch is not None and kernel.launch.line is not None:
        yield "launch", "T.Kernel", kernel.launch.line, kernel.launch
    for buffer in kernel.buffers:
        if buffer.line is not None:
            yield "buffer", buffer.name, buffer.line, buffer
    for operation in kernel.operations:
        if operation.line is not None:
            yield "operation", operation.kind, operation.line, operation


def _tells_more(old: Entry, new: Entry) -> bool:
    """True where ``old`` (compiled, of an older text) says more than ``new`` and nothing of it is contradicted."""
    if isinstance(old, Buffer) and isinstance(new, Buffer):
        same = new.dtype in (None, old.dtype) and _agree(old.shape, new.shape)
        return same and new.layout is None and old.layout is not None
    if isinstance(old, Launch) and isinstance(new, Launch):
        same = _agree((old.threads,), (new.threads,)) and (not old.grid or not new.grid or _agree(old.grid, new.grid))
        return same and new.threads_lowered is None and old.threads_lowered is not None
    if isinstance(old, Operation) and isinstance(new, Operation):
        if old.kind == "pipeline":  # lowered to a schedule, not to instructions
            same = new.detail.get("num_stages") in (None, old.detail.get("num_stages"))
            return same and "stages" in old.detail and "stages" not in new.detail
        return bool(old.lowered_to) and not new.lowered_to
    return False


def _agree(old: tuple[Extent | None, ...], new: tuple[Extent | None, ...]) -> bool:
    """Equal, or not comparable because one side is symbolic."""
    return len(old) == len(new) and all(
        a == b or not isinstance(a, int) or not isinstance(b, int) for a, b in zip(old, new, strict=True)
    )
