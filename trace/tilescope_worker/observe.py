"""Watches lowering: pairs the before and after calls of a pass instrument, which nest, into runs of passes."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal, Protocol

import tvm
from tvm.ir.instrument import pass_instrument

from .compat import current_phase

logger = logging.getLogger(__name__)

ModuleKind = Literal["host", "device", "both"]

_C_PACKED, _DEVICE_LAUNCH = 1, 2
"""Values of ``tvm.ir.CallingConv``: a host function after MakePackedAPI, a device function after its split."""


class PassListener(Protocol):
    """Sees the modules as passes run; it may change spans, which are no part of a module's structure."""

    def pass_started(self, name: str, mod: Any) -> None:
        """A pass is about to run on ``mod``."""

    def pass_finished(self, name: str, before: Any, after: Any) -> None:
        """A pass has made ``after`` of ``before``."""


class Guarded:
    """A listener whose own faults must not look like the compiler's: after one it is left out, and ``problem`` says
    what it was."""

    def __init__(self, listener: PassListener) -> None:
        self.problem: str | None = None
        self._listener = listener

    def pass_started(self, name: str, mod: Any) -> None:
        """Pass the event on."""
        self._guard(self._listener.pass_started, name, mod)

    def pass_finished(self, name: str, before: Any, after: Any) -> None:
        """Pass the event on."""
        self._guard(self._listener.pass_finished, name, before, after)

    def _guard(self, call: Callable[..., None], *args: Any) -> None:
        if self.problem is not None:
            return
        try:
            call(*args)
        except Exception as error:
            logger.exception("%s stopped at %s", type(self._listener).__name__, args[0])
            self.problem = f"facts stop at {args[0]}: {type(error).__name__}: {error}"


class Snapshot:
    """A module as it is now.

    Functions are never changed once they are shared, but some passes (``tl.SplitHostDevice``) put other functions
    into the module they were given: hence a module object of its own, over the same functions. Snapshots of the
    same functions are equal.
    """

    def __init__(self, mod: Any) -> None:
        self.module = tvm.IRModule(dict(mod.functions), attrs=mod.attrs, global_infos=mod.global_infos)

    @cached_property
    def _functions(self) -> tuple[tuple[str, Any], ...]:
        """Looked at by recordings only."""
        named = ((str(variable.name_hint), function) for variable, function in self.module.functions.items())
        return tuple(sorted(named, key=lambda one: one[0]))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Snapshot) and self._functions == other._functions

    def __hash__(self) -> int:
        return hash(self._functions)


@dataclass
class PassRun:
    """One pass as it ran. ``index`` counts passes in order of their start; ``parent`` is the index of the pass it
    ran inside; ``after`` is None while it runs, and for good when it fails."""

    index: int
    name: str
    phase: str | None
    depth: int
    parent: int | None
    before: Snapshot
    after: Snapshot | None = None
    changed: bool = False
    duration_ms: float = 0.0
    _started: float = 0.0

    @property
    def failed(self) -> bool:
        """Whether the pass has not ended."""
        return self.after is None

    @property
    def module(self) -> ModuleKind:
        """Which side the module is after the pass: before the split every module is both."""
        functions = (self.after or self.before).module.functions.values()
        conventions = {int((function.attrs or {}).get("calling_conv", 0)) for function in functions}
        if conventions == {_DEVICE_LAUNCH}:
            return "device"
        return "host" if conventions == {_C_PACKED} else "both"


class Observer:
    """Observes one lowering: give `instrument` to its PassContext.

    It keeps a snapshot before and after each pass, which costs no copies of functions. ``compare`` tells for each
    pass whether it changed anything; ``began`` and ``ended`` are called as passes start and end, after the listeners.
    Durations leave out what the observer and its listeners use, which is ``own_ms``.
    """

    def __init__(
        self,
        listeners: tuple[PassListener, ...] = (),
        *,
        compare: bool = False,
        began: Callable[[PassRun], None] | None = None,
        ended: Callable[[PassRun], None] | None = None,
    ) -> None:
        self.runs: list[PassRun] = []
        self.own_ms = 0.0
        self._listeners = listeners
        self._compare = compare
        self._began = began
        self._ended = ended
        self._open: list[PassRun] = []
        self._latest: tuple[Any, Snapshot] | None = None
        self.instrument = _Instrument(self)

    @property
    def failing(self) -> PassRun | None:
        """The innermost pass that has not ended."""
        return self._open[-1] if self._open else None

    def before(self, mod: Any, name: str) -> None:
        """A pass starts."""
        entered = time.perf_counter()
        parent = self._open[-1].index if self._open else None
        run = PassRun(len(self.runs), name, current_phase(), len(self._open), parent, self._snapshot(mod))
        self.runs.append(run)
        self._open.append(run)
        for listener in self._listeners:
            listener.pass_started(name, mod)
        if self._began is not None:
            self._began(run)
        self.own_ms += (time.perf_counter() - entered) * 1000
        run._started = time.perf_counter() * 1000 - self.own_ms

    def after(self, mod: Any, name: str) -> None:
        """The innermost open pass ends."""
        entered = time.perf_counter()
        run = self._open.pop()
        run.duration_ms = entered * 1000 - self.own_ms - run._started
        for listener in self._listeners:
            listener.pass_finished(name, run.before.module, mod)
        run.after = Snapshot(mod)
        self._latest = mod, run.after
        if self._compare and run.before != run.after:
            # Spans and addresses do not count: this is whether the pass did anything, not whether it rebuilt.
            run.changed = not tvm.ir.structural_equal(run.before.module, run.after.module)
        if self._ended is not None:
            self._ended(run)
        self.own_ms += (time.perf_counter() - entered) * 1000

    def _snapshot(self, mod: Any) -> Snapshot:
        """That of the module as the pass before has left it. Where passes are compared it is taken anew: what is
        changed between two passes must not be put down to the second."""
        if self._latest is not None and not self._compare and mod.same_as(self._latest[0]):
            return self._latest[1]
        return Snapshot(mod)


@pass_instrument
class _Instrument:
    """What TVM calls; the compiler decides its lifetime, the observer outlives it."""

    def __init__(self, observer: Observer) -> None:
        self._observer = observer

    def run_before_pass(self, mod: Any, info: Any) -> None:
        self._observer.before(mod, str(info.name))

    def run_after_pass(self, mod: Any, info: Any) -> None:
        self._observer.after(mod, str(info.name))
