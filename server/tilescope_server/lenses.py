"""What stands above kernels: specialization, target, and what can be opened, in a few words each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tilescope_trace.model import Kernel

from .write_directive import argument_text

LENGTH = 60
"""Most characters of the arguments in a title."""
PANELS = {"Passes": "tilescope.showPasses", "Layouts": "tilescope.showLayouts", "Compare": "tilescope.compare"}


@dataclass(frozen=True)
class Lens:
    """A title above the kernel that ``kernel`` names, at ``line`` (1-based), with the command it stands for.
    ``kernel_line`` is the line of the kernel's ``def``."""

    line: int
    title: str
    command: str
    kernel: str
    kernel_line: int


def lenses_of(kernels: Sequence[Kernel], lines: Sequence[str], *, executes: bool) -> tuple[Lens, ...]:
    """The lenses of a document, by line; ``executes`` is whether kernels can be recorded here."""
    groups: dict[tuple[str, int], list[Kernel]] = {}
    for kernel in kernels:
        groups.setdefault((kernel.qualname, kernel.line), []).append(kernel)
    found = []
    for (name, line), variants in groups.items():
        if 1 <= line <= len(lines):
            above = first_line(lines, line)
            for title, command in _titles(variants, executes=executes):
                found.append(Lens(above, title, command, name, line))
    return tuple(sorted(found, key=lambda lens: lens.line))


def first_line(lines: Sequence[str], line: int) -> int:
    """The line at which the definition with its ``def`` at ``line`` begins, its decorators included."""
    indent = _indent(lines[line - 1])
    first = at = line
    while at > 1:
        text = lines[at - 2]
        if text.strip() and _indent(text) < indent:
            break
        at -= 1
        if _indent(text) == indent and text.lstrip().startswith("@"):
            first = at
        elif not text.strip() or (_indent(text) == indent and text.strip()[0] not in ")]}"):
            break
    return first


def _titles(variants: Sequence[Kernel], *, executes: bool) -> Iterator[tuple[str, str]]:
    kernel = variants[0]
    others = len({one.specialization.id for one in variants}) - 1
    yield _specialization(kernel) + (f" +{others}" if others else ""), "tilescope.switchSpecialization"
    targets = len({one.target for one in variants}) - 1
    yield f"{kernel.target} ({kernel.target_origin})" + (f" +{targets}" if targets else ""), "tilescope.switchTarget"
    if executes:
        yield from PANELS.items()


def _specialization(kernel: Kernel) -> str:
    if kernel.missing:
        return f"no value for {_cut(', '.join(kernel.missing))}"
    arguments = kernel.specialization.args
    if not arguments:
        return "no arguments"
    told = [f"{name}={argument_text(argument)}" for name, argument in arguments.items()]
    origins = tuple(dict.fromkeys(argument.origin for argument in arguments.values()))
    return f"{_cut(' '.join(told))} ({'chosen here' if 'editor' in origins else ', '.join(origins)})"


def _cut(text: str) -> str:
    return text if len(text) <= LENGTH else text[: LENGTH - 1].rstrip() + "…"


def _indent(text: str) -> int:
    return len(text) - len(text.lstrip())
