"""The variables of a kernel: threads, blocks, loops, run-time sizes, each with the values it is sampled at."""

from __future__ import annotations

from typing import Any

from tilescope_worker.facts.ir import Expression, Statement, as_int

from .expressions import Reader, UnreadableError

SIZES = (4096, 4096 + 256)
"""Values tried for a size that is known at run time only. Both keep rows aligned to sectors; a figure that differs
between them is not told."""

MAX_TEXT = 4000
"""Characters of an expression; variables that stand for others can make it grow without end."""

_THREADS = {"threadIdx.x": "tx", "threadIdx.y": "ty", "threadIdx.z": "tz"}


class Scope:
    """Gives each variable a Python name. Names are unique in a kernel; those of later loops sort after the outer
    ones' in ``values``."""

    def __init__(self) -> None:
        self.threads = {"tx": 1, "ty": 1, "tz": 1}
        self.unbounded = False
        self.values: dict[str, tuple[int, ...]] = {}
        self.extents: dict[str, int | None] = {}
        self.sizes: set[str] = set()
        self.blocks: set[str] = set()
        self._names: dict[Any, str] = {}
        self._unreadable: dict[Any, str] = {}
        self._reader = Reader(self._names, self._other)

    def text(self, expression: Expression) -> str:
        """Python text of an expression over the scope's names. Raises UnreadableError."""
        text = self._reader.text(expression)
        if len(text) > MAX_TEXT:
            raise UnreadableError("depends on too long an expression")
        return text

    def bind_thread(self, thread: Any, extent: Expression) -> None:
        """A launch dimension: ``thread`` is the compiler's IterVar."""
        known, tag = as_int(extent), str(thread.thread_tag)
        name = _THREADS.get(tag)
        if name is None:
            self.blocks.add(self._new(thread.var, known))
            return
        self._names[thread.var] = name
        if known is None:
            self.unbounded = True
        else:
            self.threads[name] = max(self.threads[name], known)

    def bind_loop(self, loop: Statement) -> None:
        """A loop variable; where its first value is not zero, its text is the sum of that and a name."""
        name = self._new(loop.loop_var, as_int(loop.extent))
        if as_int(loop.min) == 0:
            return
        try:
            self._names[loop.loop_var] = f"({self.text(loop.min)}+{name})"
        except UnreadableError as reason:
            self._hide(loop.loop_var, str(reason))

    def bind_value(self, var: Any, value: Expression) -> None:
        """A variable that stands for an expression."""
        try:
            self._names[var] = self.text(value)
        except UnreadableError as reason:
            self._hide(var, str(reason))

    def _hide(self, var: Any, reason: str) -> None:
        self._names.pop(var, None)
        self._unreadable[var] = reason

    def _new(self, var: Any, extent: int | None) -> str:
        name = f"v{len(self.values)}"
        last = (extent if extent is not None else 3) - 1
        self.values[name] = tuple(sorted({0, min(1, max(last, 0)), max(last, 0)}))
        self.extents[name] = extent
        self._names[var] = name
        return name

    def _other(self, var: Any) -> str:
        """The name of a variable that nothing binds: a size that is an argument of the kernel."""
        reason = self._unreadable.get(var)
        if reason is not None:
            raise UnreadableError(reason)
        if not str(var.dtype).startswith("int"):
            raise UnreadableError(f"depends on {var.name}")
        name = f"v{len(self.values)}"
        self.values[name] = SIZES
        self.extents[name] = None
        self.sizes.add(name)
        self._names[var] = name
        return name
