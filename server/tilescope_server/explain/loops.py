"""The values that a loop variable, or an index of a block, takes."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from tilescope_server.bindings import Occurrence
from tilescope_trace.model import Kernel, Operation
from tilescope_trace.source.tolerant import parse


@dataclass(frozen=True)
class Header:
    """The statement that gives a variable its values: its lines, what it calls, and which of its variables it is.
    ``blocks`` is whether it is a launch rather than a loop."""

    line: int
    last: int
    call: str
    position: int
    blocks: bool


def header_of(text: str, place: Occurrence) -> Header | None:
    """The loop or launch that binds a name at its place; None where something else does."""
    for node in ast.walk(parse(text).tree):
        if isinstance(node, (ast.For, ast.AsyncFor)):
            parts: list[tuple[ast.expr, ast.expr]] = [(node.target, node.iter)]
        elif isinstance(node, (ast.With, ast.AsyncWith)):
            parts = [(one.optional_vars, one.context_expr) for one in node.items if one.optional_vars is not None]
        else:
            continue
        for target, source in parts:
            names = [one for one in ast.walk(target) if isinstance(one, ast.Name)]
            for position, name in enumerate(names):
                if name.id == place.name and name.lineno == place.line:
                    blocks = isinstance(node, (ast.With, ast.AsyncWith))
                    call = ast.unparse(source.func) if isinstance(source, ast.Call) else ""
                    return Header(source.lineno, node.end_lineno or node.lineno, call, position, blocks)
    return None


def kernels_with(header: Header, kernels: Sequence[Kernel]) -> Sequence[Kernel]:
    """The kernels that a loop or launch belongs to: of a macro's those that call it, else the one around it."""
    holding = [
        kernel
        for kernel in kernels
        if any(one.line == header.line for one in kernel.operations)
        or (kernel.launch is not None and kernel.launch.line == header.line)
    ]
    near = max((kernel.line for kernel in kernels if kernel.line <= header.line), default=0)
    return holding or [kernel for kernel in kernels if kernel.line == near]


def loop_markdown(kernels: Sequence[Kernel], name: str, header: Header) -> str | None:
    """The values of the variable in each specialization and target that says something else; None where none is
    known."""
    told: dict[str, list[Kernel]] = {}
    for kernel in kernels:
        text = "\n".join(_lines(kernel, name, header))
        if text:
            told.setdefault(text, []).append(kernel)
    if not told:
        return None
    if len(told) == 1:
        return next(iter(told))
    return "\n\n---\n\n".join(
        f"{text}\n\n{', '.join(f'`{one.specialization.id}` for `{one.target}`' for one in same)}"
        for text, same in told.items()
    )


def _lines(kernel: Kernel, name: str, header: Header) -> Iterator[str]:
    operation = next((one for one in kernel.operations if one.line == header.line and _fits(one, header)), None)
    count = _count(kernel, operation, header)
    found = {one.domain[name] for one in kernel.accesses if name in one.domain and _inside(one.line, header)}
    values = next(iter(found)) if len(found) == 1 else ((0, count - 1) if isinstance(count, int) else None)
    if values is None:
        if count is not None:
            yield f"**`{name}`** from 0 to before `{count}`, by `{header.call}`"
        return
    first, last = values
    number = last - first + 1
    what = "block" if header.blocks else "iteration"
    span = f"{first} … {last}" if number > 1 else f"{first}"
    yield f"**`{name}`** {span} · {number} {what}{'s' * (number != 1)} by `{header.call}`"
    if operation is not None:
        yield from _spread(operation)


def _fits(operation: Operation, header: Header) -> bool:
    return not header.blocks and operation.kind in ("pipeline", "loop", "parallel")


def _count(kernel: Kernel, operation: Operation | None, header: Header) -> int | str | None:
    launch = kernel.launch
    if header.blocks:
        grid = launch.grid if launch is not None and launch.line in (None, header.line) else None
        return grid[header.position] if grid is not None and header.position < len(grid) else None
    if operation is None:
        return None
    extents = operation.detail.get("extents") or [operation.detail.get("extent")]
    return extents[header.position] if header.position < len(extents) else None


def _inside(line: int | None, header: Header) -> bool:
    return line is not None and header.line <= line <= header.last


def _spread(operation: Operation) -> Iterable[str]:
    detail = operation.detail
    if detail.get("elements_per_thread") is not None and detail.get("threads") is not None:
        yield f"\n- {detail['elements_per_thread']} elements in each of {detail['threads']} threads"
    if (elements := detail.get("vector_elements")) is not None:
        size = f" ({detail['vector_bytes']} B)" if detail.get("vector_bytes") is not None else ""
        yield f"\n- {elements} element{'s' * (elements != 1)}{size} at a time"
    if detail.get("stages") is not None:
        yield f"\n- {detail['stages']} stages"
