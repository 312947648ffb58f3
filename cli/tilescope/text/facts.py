"""A file's facts as text: one block a kernel, tables for buffers and operations."""

from __future__ import annotations

from collections.abc import Iterator

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from tilescope_passdiff.wording.heads import kernel_heads, layout_words
from tilescope_passdiff.wording.operations import operation_text
from tilescope_trace.model import Buffer, Extent, FileFacts, Kernel, Operation

from .findings import finding_lines
from .paths import shown
from .tables import Fitting, labelled, table

LABEL_WIDTH = 14
STATUS_STYLE = {"ok": "green", "partial": "yellow", "failed": "bold red", "unresolved": "yellow"}


def file_blocks(facts: FileFacts) -> Iterator[RenderableType]:
    """Everything known about a file, in the order to print."""
    version = f"TileLang {facts.tilelang}" if facts.tilelang else "static facts only"
    yield Text.assemble((shown(facts.file), "bold"), (f"  {version}", "dim"))
    for text in facts.notes:
        yield Text(f"  note: {text}", "dim")
    for finding in facts.findings:
        yield from finding_lines(finding)
    for kernel in facts.kernels:
        yield ""
        yield from kernel_blocks(kernel)


def kernel_blocks(kernel: Kernel) -> Iterator[RenderableType]:
    """One kernel x specialization x target."""
    yield Text.assemble(
        (kernel.qualname, "bold cyan"),
        (f"  line {kernel.line}  {kernel.form}  ", "dim"),
        (kernel.target, "bold"),
        (f" ({kernel.target_origin})", "dim"),
        (f"  {kernel.stage}", "dim"),
        ", ",
        (kernel.status, STATUS_STYLE[kernel.status]),
    )
    heads = [(Text(label, "dim"), Text(value)) for label, value in kernel_heads(kernel)]
    yield Padding(labelled(heads, LABEL_WIDTH), (0, 0, 0, 2))
    if kernel.buffers:
        yield Fitting(Group(*_wide_buffers(kernel.buffers)), Group(*_narrow_buffers(kernel.buffers)))
    if kernel.operations:
        yield Padding(_operations(kernel.operations), (1, 0, 0, 2))
    for finding in kernel.findings:
        yield ""
        yield from finding_lines(finding)


def _wide_buffers(buffers: tuple[Buffer, ...]) -> Iterator[RenderableType]:
    """Layouts beside the buffers, then why they are so."""
    yield Padding(_buffers(buffers, layouts=True), (1, 0, 0, 2))
    if any(_decision(buffer) for buffer in buffers):
        decisions = table("layout of", "because", wrapped=["because"])
        for buffer in buffers:
            if _decision(buffer):
                decisions.add_row(Text(buffer.name, "cyan"), _decision(buffer))
        yield Padding(decisions, (1, 0, 0, 2))


def _narrow_buffers(buffers: tuple[Buffer, ...]) -> Iterator[RenderableType]:
    """Layouts and their reasons in a table of their own."""
    listed = labelled((Text(buffer.name, "cyan"), " ", _in_words(buffer)) for buffer in buffers)
    yield Padding(Fitting(_buffers(buffers, layouts=False), listed, squeezed=True), (1, 0, 0, 2))
    if any(buffer.layout is not None for buffer in buffers):
        layouts = table("buffer", "layout", wrapped=["layout"])
        for buffer in buffers:
            parts = [layout_words(buffer.layout), f"because {_decision(buffer)}" if _decision(buffer) else ""]
            if any(parts):
                layouts.add_row(Text(buffer.name, "cyan"), ", ".join(filter(None, parts)))
        yield Padding(layouts, (1, 0, 0, 2))


def _buffers(buffers: tuple[Buffer, ...], *, layouts: bool) -> Table:
    headers = ["buffer", "line", "shape", "dtype", "scope", "stages", "bytes", *(["layout"] if layouts else [])]
    made = table(*headers, numbers=["line", "stages", "bytes"], wrapped=["shape", "layout"])
    for buffer in buffers:
        cells = [
            _number(buffer.line),
            _shape(buffer.shape),
            buffer.dtype or "?",
            buffer.scope,
            str(buffer.stages),
            _number(buffer.bytes),
            *([layout_words(buffer.layout)] if layouts else []),
        ]
        made.add_row(Text(buffer.name, "cyan"), *cells)
    return made


def _in_words(buffer: Buffer) -> str:
    """A buffer where there is no room for a table."""
    stages = [f"{buffer.stages} stages"] if buffer.stages != 1 else []
    size = [f"{buffer.bytes} B"] if buffer.bytes is not None else []
    line = [f"line {buffer.line}"] if buffer.line is not None else []
    return ", ".join([f"{_shape(buffer.shape)} {buffer.dtype or '?'}", buffer.scope, *stages, *size, *line])


def _decision(buffer: Buffer) -> str:
    """Why a buffer is laid out as it is, the empty string where that is not known."""
    decided_by = buffer.layout.decided_by if buffer.layout is not None else None
    return decided_by.reason if decided_by is not None else ""


def _operations(operations: tuple[Operation, ...]) -> Table:
    made = table("operation", "line", "on", "lowered to", numbers=["line"], wrapped=["on", "lowered to"])
    for operation in operations:
        made.add_row(
            Text(operation.kind, "cyan"),
            _number(operation.line),
            operation_text(operation),
            Text(", ".join(operation.lowered_to), "green"),
        )
    return made


def _shape(shape: tuple[Extent, ...]) -> str:
    return f"[{', '.join(map(str, shape))}]"


def _number(value: int | None) -> str:
    return "" if value is None else str(value)
