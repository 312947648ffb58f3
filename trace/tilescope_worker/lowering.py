"""One lowering under observation: what came out, what failed, how long it took."""

from __future__ import annotations

import os
import time
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import tilelang
import tvm

from .arguments import ArgumentError
from .elaborate import Elaborated
from .failures import said_by
from .locate.hooks import current_operation
from .observe import Observer
from .wire.messages import Phase

_RACE_CHECK = "TILELANG_ENABLE_DATA_RACE_CHECK"

_PICTURES = "tl.layout_visualization"


@dataclass(frozen=True)
class Lowered:
    """``artifact`` is None where ``error`` is not. ``lower_ms`` leaves out what observing took. ``open_operation``
    are the buffers of the matrix operation that was being inferred or lowered when it failed."""

    artifact: Any
    error: BaseException | None
    lower_ms: float
    open_operation: tuple[str, ...] = ()

    @property
    def said(self) -> str:
        """What the error says."""
        return said_by(self.error) if self.error is not None else ""

    @property
    def source(self) -> str:
        """The generated source; empty where there is none."""
        return str(getattr(self.artifact, "kernel_source", None) or "")

    @property
    def frames(self) -> tuple[str, ...]:
        """Names of the compiler's own functions on the way to the error, outermost first."""
        trace = self.error.__traceback__ if self.error is not None else None
        names = (frame.f_code.co_name for frame, _ in traceback.walk_tb(trace))
        return tuple(name for name in names if "::" in name)

    def phase(self, observer: Observer) -> Phase:
        """Whether the error came from a pass (or the checks before) or from the code generator."""
        trace = self.error.__traceback__ if self.error is not None else None
        names = (frame.f_code.co_name for frame, _ in traceback.walk_tb(trace))
        generating = observer.failing is None and any("codegen" in name for name in names)
        return "codegen" if generating else "lower"


def lower(made: Elaborated, target: Any, observer: Observer, *, checks: bool) -> Lowered:
    """Lower a kernel for ``target`` with its own pass configs; never raises for what the compiler raises.

    ``checks`` turns on the compiler's optional checks: they add passes which a plain compile does not run. Raises
    ArgumentError for a pass config that this TileLang refuses.
    """
    context = _context(made.pass_configs, observer)
    with _environment(checks), current_operation() as operation:
        started = time.perf_counter()
        artifact, error = None, None
        try:
            # Both are needed: without the target in scope layout inference fails.
            with context, target:
                artifact = tilelang.lower(made.func, target=target, enable_device_compile=False)
        except BaseException as raised:  # noqa: BLE001 - the compiler raises all kinds, and macros are user code
            error = raised
        elapsed = (time.perf_counter() - started) * 1000
    return Lowered(artifact, error, elapsed - observer.own_ms, operation.names)


def _context(configs: dict[str, Any], observer: Observer) -> Any:
    # Pictures of layouts change nothing of the program, need matplotlib, and are written where the file is analysed.
    configs = {key: value for key, value in configs.items() if not key.startswith(_PICTURES)}
    try:
        return tvm.transform.PassContext(opt_level=3, config=configs, instruments=[observer.instrument])
    except (AttributeError, TypeError, ValueError) as error:
        text = str(error).strip().splitlines()[0].partition(" candidates are")[0]
        raise ArgumentError(f"pass config refused by this TileLang: {text}") from error


@contextmanager
def _environment(checks: bool) -> Iterator[None]:
    before = os.environ.get(_RACE_CHECK)
    if checks and before is None:
        os.environ[_RACE_CHECK] = "1"
    try:
        yield
    finally:
        if before is None:
            os.environ.pop(_RACE_CHECK, None)
