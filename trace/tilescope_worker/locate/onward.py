"""After the front end has refused a kernel: elaborate it without the statement at fault, and so on."""

from __future__ import annotations

import linecache
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

from tilescope_worker import load
from tilescope_worker.definitions import Definitions
from tilescope_worker.elaborate import Elaborated, NoKernelError, UnresolvedError, elaborate
from tilescope_worker.failures import failure_of
from tilescope_worker.wire.messages import Failure, KernelRequest

from .frontend import refused_call
from .texts import without_statement

ROUNDS = 3
"""Statements that are left out of one kernel at most."""
SLOW = 2.0
"""Seconds that a file may take to execute if it is to be executed again."""


@dataclass(frozen=True)
class Onward:
    """A kernel that could be elaborated without the statements on ``lines``; ``names`` are the buffers and variables
    that these mention."""

    made: Elaborated
    lines: tuple[int, ...]
    names: frozenset[str]


def elaboration_failure(error: BaseException, request: int | None) -> Failure:
    """What the front end refuses, with the buffers of the call it refused."""
    operation, operands = refused_call(error)
    failure = failure_of(error, "elaborate", request=request)
    return replace(failure, operation=operation, operands=operands)


def elaborate_on(
    failure: Failure,
    loaded: load.Loaded,
    definitions: Definitions,
    request: KernelRequest,
    send: Callable[[Failure], None],
) -> Onward | None:
    """The kernel without the statement of ``failure``; failures that show then are sent, and their statements left
    out as well. None where that leads to no kernel."""
    text, lines, names = loaded.text, list[int](), set[str]()
    if loaded.seconds > SLOW:
        return None
    for _ in range(ROUNDS):
        shorter = without_statement(text, failure.line) if failure.line and failure.file == loaded.path else None
        if shorter is None:
            return None
        text = shorter.text
        lines.append(shorter.lines.start)
        names |= shorter.names | {operand.name for operand in failure.operands}
        with _executed(loaded, text) as namespace:
            try:
                made = elaborate(namespace, definitions, request)
            except (UnresolvedError, NoKernelError):
                return None
            except BaseException as error:  # noqa: BLE001 - kernels are user code; the failure answers
                following = elaboration_failure(error, failure.request)
                if following.line in lines or following.line is None:
                    return None
                failure = following
                send(failure)
                continue
        return Onward(made, tuple(sorted(lines)), frozenset(names))
    return None


@contextmanager
def _executed(loaded: load.Loaded, text: str) -> Iterator[dict[str, Any]]:
    """The names that ``text`` defines in the place of the file's own text, which is back in its place afterwards:
    TileLang reads the source of a kernel when it elaborates it."""
    name = str(loaded.namespace.get("__name__"))
    module, lines = sys.modules.get(name), linecache.cache.get(loaded.path)
    try:
        yield load.execute(loaded.path, text).namespace
    finally:
        if lines is not None:
            linecache.cache[loaded.path] = lines
        if module is not None:
            sys.modules[name] = module
