"""The parameters of the methods that panels use, checked."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

import msgspec

from tilescope_trace.errors import UsageError

Checked = TypeVar("Checked", bound=msgspec.Struct)


class Variant(msgspec.Struct, frozen=True, kw_only=True):
    """One specialization x target of a kernel, by default the one that hints are shown for. ``specialization`` is an
    id that facts name, ``arguments`` are texts of Python literals or dtype names by parameter, over all others."""

    specialization: str | None = None
    target: str | None = None
    arguments: dict[str, str] = {}


class OfDocument(msgspec.Struct, frozen=True, kw_only=True):
    """The document that was opened as ``uri``."""

    uri: str


class OfKernel(Variant, frozen=True, kw_only=True):
    """A kernel of the document that was opened as ``uri`` (``textDocument: {uri}`` will do): by any suffix of its
    qualified name that is unambiguous, or by a ``line`` (1-based) inside it; neither is needed where the document has
    only one."""

    uri: str
    kernel: str | None = None
    line: int | None = None


class OfPass(OfKernel, frozen=True, kw_only=True):
    """A pass: by index, name, label (``tl.Simplify#2``) or name without its prefix."""

    pass_: int | str = msgspec.field(name="pass")


class Diff(OfPass, frozen=True, kw_only=True):
    """``context`` equal lines are shown around a change, all where it is null. Lines that differ in the numbers of
    names only, or in their indentation, may be treated as equal."""

    context: int | None = 3
    hide_renumbering: bool = False
    hide_indentation: bool = False


class History(OfKernel, frozen=True, kw_only=True):
    """The life of a ``buffer``, or without one of the Python line ``line`` (of another ``file`` if named)."""

    buffer: str | None = None
    file: str | None = None


class Layout(OfKernel, frozen=True, kw_only=True):
    """Where elements of ``buffer`` are: those in ``rows`` and ``columns`` (first, end) of its last two dimensions, at
    ``index`` of the dimensions before them. ``buffer_line`` tells buffers of one name apart."""

    buffer: str
    buffer_line: int | None = None
    rows: tuple[int, int] = (0, 64)
    columns: tuple[int, int] = (0, 64)
    index: tuple[int, ...] = ()


class Memory(OfKernel, frozen=True, kw_only=True):
    """``record`` has a recording made where there is none: it tells where merged buffers lie."""

    record: bool = False


class Compare(msgspec.Struct, frozen=True, kw_only=True):
    """Two variants of one kernel."""

    uri: str
    a: Variant
    b: Variant
    kernel: str | None = None
    line: int | None = None


class Timeline(OfKernel, frozen=True, kw_only=True):
    """Files or folders that profilers wrote, absolute or from the workspace's folder; by default those that were
    attached last. Launches are joined with the kernel that is named; without trust, or where it cannot be told which,
    they are shown for themselves. ``codes`` is machine code to place samples with, TileLang's cache by default."""

    profiles: tuple[str, ...] = ()
    codes: tuple[str, ...] = ()


def checked(params: object, kind: type[Checked]) -> Checked:
    """Parameters as they came, as ``kind``; keys that it does not have are left alone. Raises UsageError, which names
    what is wrong with them."""
    if not isinstance(params, Mapping):
        raise UsageError("the request has no parameters; at least uri is needed")
    values: dict[str, Any] = dict(params)
    document = values.get("textDocument")
    if "uri" not in values and isinstance(document, Mapping) and "uri" in document:
        values["uri"] = document["uri"]
    try:
        return msgspec.convert(values, kind)
    except msgspec.ValidationError as error:
        raise UsageError(f"the request's parameters are wrong: {error}") from None
