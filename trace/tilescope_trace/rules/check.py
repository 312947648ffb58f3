"""A kernel's facts as the rules check them, and what a rule has to say about them."""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

from tilescope_worker.wire.facts import Buffer, Confidence, Fix, Kernel, Operation, Severity


@dataclass(frozen=True)
class Fault:
    """One fault at ``line``. What is underlined there: ``column`` to ``end_column`` where given, else the whole word
    ``name``, else the call of ``operation`` (a kind such as ``copy``), else all code on the line. ``related`` are
    (line, message) in the same file; ``severity`` None is the rule's own. ``certain``: the source shows that no value
    of an assumed argument takes the fault away (`assumed`)."""

    message: str
    line: int
    name: str | None = None
    operation: str | None = None
    column: int | None = None
    end_column: int | None = None
    help: str | None = None
    severity: Severity | None = None
    confidence: Confidence = "exact"
    related: tuple[tuple[int, str], ...] = ()
    fixes: tuple[Fix, ...] = ()
    certain: bool = False


@dataclass(frozen=True)
class Subject:
    """One kernel x specialization x target at the stage it has reached, in the file ``path`` with the text ``text``.

    A rule reads these facts only, and stays quiet where what it needs is not known. ``parse`` gives the syntax tree
    of the text, None where it does not parse: few rules look at it, and only where there is something to tell."""

    kernel: Kernel
    text: str
    path: str
    parse: Callable[[], ast.Module | None]

    @cached_property
    def tree(self) -> ast.Module | None:
        return self.parse()

    @cached_property
    def _by_name(self) -> dict[str, Buffer]:
        return {buffer.name: buffer for buffer in reversed(self.kernel.buffers)}

    def buffer(self, name: object) -> Buffer | None:
        """The buffer of that name; the first where several share it."""
        return self._by_name.get(name) if isinstance(name, str) else None

    def operations(self, *kinds: str) -> tuple[Operation, ...]:
        """Operations of the given kinds that have a line in this file, in program order."""
        return tuple(one for one in self.kernel.operations if one.kind in kinds and one.line is not None)

    @property
    def architecture(self) -> str:
        """The target without its options: ``cuda:sm_90a``, ``ascend`` ..."""
        return self.kernel.target
