"""How findings about accesses say what is accessed and where else to look."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from tilescope_trace.rules.check import Subject
from tilescope_trace.source.nodes import nodes
from tilescope_worker.wire.facts import Access

VERBS = {"read": "reads", "write": "writes", "atomic": "adds to"}


def element(access: Access) -> str:
    """The access as it is written: ``C_l[i, j]``, of a region ``A[by * 64 : by * 64 + 64, 0 : 32]``."""
    if access.operation is None or all(extent == 1 for extent in access.extents):
        return f"{access.buffer}[{', '.join(access.indices)}]"
    parts = []
    for index, extent in zip(access.indices, access.extents, strict=True):
        if index.lstrip("-").isdigit() and isinstance(extent, int):
            parts.append(f"{index}:{int(index) + extent}")
        else:
            parts.append(f"{index} : {index} + {extent}" if extent != 1 else index)
    return f"{access.buffer}[{', '.join(parts)}]"


def span(first: object, last: object) -> str:
    """A run of indices: ``64 … 127``, or one of them."""
    return f"{first}" if first == last else f"{first} … {last}"


def located(accesses: Iterable[Access]) -> Iterator[tuple[Access, int]]:
    """The accesses that have a line in the file, one for each place in the text: a loop that is unrolled while the
    kernel is built, or a macro, has many."""
    seen = set()
    for access in accesses:
        key = (access.line, access.column, access.buffer, access.mode)
        if access.line is not None and key not in seen:
            seen.add(key)
            yield access, access.line


def declared(subject: Subject, access: Access) -> tuple[tuple[int, str], ...]:
    """Where the buffer is declared, and the calls that lead to a macro's line."""
    places = [(line, "on the way here") for line in access.called_from]
    buffer = subject.buffer(access.buffer)
    if buffer is not None and buffer.line is not None:
        shape = " × ".join(map(str, buffer.shape))
        places.append((buffer.line, f"{buffer.name} is {shape} {buffer.dtype}, {buffer.scope}"))
    return tuple(places)


def given_values(subject: Subject) -> bool:
    """Whether sizes are the author's: of assumed ones, what does not fit together says nothing about the kernel."""
    return subject.kernel.specialization.origin != "assumed"


def block_names(subject: Subject) -> dict[str, str]:
    """The author's names of the compiler's block variables ``bx``, ``by`` and ``bz``."""
    launch, tree = subject.kernel.launch, subject.tree
    if launch is None or launch.line is None or tree is None:
        return {}
    for node in nodes(tree, ast.With):
        for item in node.items:
            target = item.optional_vars
            if target is not None and item.context_expr.lineno == launch.line:
                parts = target.elts if isinstance(target, (ast.Tuple, ast.List)) else [target]
                named = zip(("bx", "by", "bz"), parts, strict=False)
                return {axis: part.id for axis, part in named if isinstance(part, ast.Name)}
    return {}
