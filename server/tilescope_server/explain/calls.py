"""What a call of a macro becomes, and what its parameters stand for."""

from __future__ import annotations

from collections.abc import Sequence

from tilescope_server.bindings import Bindings, Call
from tilescope_trace.model import Kernel, Operation


def call_at(bindings: Bindings, name: str, line: int) -> Call | None:
    """The call of the function ``name`` of this text at a line."""
    return next((one for one in bindings.calls if one.function.name == name and one.line == line), None)


def call_markdown(call: Call, kernels: Sequence[Kernel]) -> str | None:
    """The operations that a call became, in each specialization and target that says something else; None where no
    kernel has any of it."""
    function, told = call.function, {}
    for kernel in kernels:
        lines = [_line(one) for one in kernel.operations if _from(one, call)]
        if lines:
            told["\n".join(f"- {line}" for line in dict.fromkeys(lines))] = kernel
    if not told:
        return None
    passed = ", ".join(f"`{name}` ← `{given.name}`" for name, given in call.passed.items())
    head = f"**`{function.name}`** of line {function.lineno}" + (f" · {passed}" if passed else "")
    if len(told) == 1:
        return f"{head}\n\n{next(iter(told))}"
    return "\n\n".join([head, *(f"`{kernel.target}`\n\n{text}" for text, kernel in told.items())])


def _from(operation: Operation, call: Call) -> bool:
    first, last = call.function.lineno, call.function.end_lineno or call.function.lineno
    inside = operation.line is not None and first <= operation.line <= last
    return call.line in operation.called_from or (inside and not operation.called_from)


def _line(operation: Operation) -> str:
    became = f" → {', '.join(f'`{name}`' for name in operation.lowered_to)}" if operation.lowered_to else ""
    return f"line {operation.line}: {operation.kind}{became}"
