"""The value that a parameter has in the specializations that are shown."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from tilescope_server.write_directive import argument_text
from tilescope_trace.model import Argument, Kernel


def argument_markdown(kernels: Sequence[Kernel], name: str) -> str | None:
    """The values of a parameter with where each comes from; None where no kernel has a value for it."""
    told = dict.fromkeys(
        _line(name, kernel.specialization.args[name]) for kernel in kernels if name in kernel.specialization.args
    )
    if not told and any(name in kernel.missing for kernel in kernels):
        return f"**`{name}`** has no value: a directive `# tilescope: {name}=...` above the kernel gives one"
    return "  \n".join(told) or None


def _line(name: str, argument: Argument) -> str:
    place = f", {Path(argument.file).name}:{argument.line}" if argument.file and argument.line else ""
    return f"**`{name}`** = `{argument_text(argument)}` ({argument.origin}{place})"
