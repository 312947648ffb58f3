"""After the front end has refused a kernel: elaborate it without the statement at fault, and so on."""

from __future__ import annotations

import linecache
import re
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

from tilescope_worker import load
from tilescope_worker.definitions import Definitions
from tilescope_worker.elaborate import Elaborated, NoKernelError, UnresolvedError, elaborate
from tilescope_worker.failures import failure_of, said_by
from tilescope_worker.surroundings import Surroundings
from tilescope_worker.tracebacks import users_place
from tilescope_worker.wire.messages import Failure, KernelRequest

from .frontend import refused_call
from .leftout import LeftOut
from .texts import Shortened, without_else, without_statement

ROUNDS = 3
"""Statements that are left out of one kernel at most."""
_UNSUPPORTED = re.compile(r"not supported in TileLang kernels \(line (\d+)\)")
SLOW = 2.0
"""Seconds of CPU time that a file may take to execute if it is to be executed again: as many on a busy machine."""


@dataclass(frozen=True)
class Onward:
    """A kernel that could be elaborated, and without what."""

    made: Elaborated
    left_out: LeftOut


@dataclass(frozen=True)
class Executed:
    """A file, whose text is ``text``, as it could be executed: where the front end refused kernels on the way,
    ``failures`` say why, and ``left_out`` what was missing then."""

    loaded: load.Loaded
    text: str
    failures: tuple[Failure, ...] = ()
    left_out: LeftOut | None = None


def elaboration_failure(error: BaseException, request: int | None) -> Failure:
    """What the front end refuses, with the buffers of the call it refused."""
    operation, operands = refused_call(error)
    failure = failure_of(error, "elaborate", request=request)
    named = _UNSUPPORTED.search(failure.text)
    if named is not None:
        # Said of the source, before any of it runs: the traceback ends at the decorator.
        failure = replace(failure, line=int(named[1]), column=None, end_line=None, end_column=None)
    return replace(failure, operation=operation, operands=operands)


def execute(path: str, text: str, around: Surroundings) -> Executed:
    """Execute a file as it is. Call it within `load.importable`."""
    loaded = around.execute(path, text)
    return Executed(loaded, loaded.text)


def execute_on(path: str, text: str, around: Surroundings) -> Executed:
    """Execute a file. Kernels may be built on the way: a statement that the front end refuses in one is left out, so
    that the rest of the file keeps its facts. Call it within `load.importable`."""
    loaded = around.execute(path, text)
    whole, absences = loaded.text, loaded.absences
    failures, lines, names = list[Failure](), list[int](), set[str]()
    while loaded.error is not None and len(failures) < ROUNDS and loaded.seconds <= SLOW:
        if not _is_of_front_end(loaded.error):
            break
        failure = elaboration_failure(loaded.error, None)
        shorter = _shortened(loaded.text, failure, path)
        if shorter is None or shorter.lines.start in lines:
            break
        failures.append(failure)
        lines.append(shorter.lines.start)
        names |= shorter.names | {operand.name for operand in failure.operands}
        loaded = around.execute(path, shorter.text)
        absences += loaded.absences
    left_out = LeftOut(tuple(sorted(lines)), frozenset(names)) if lines else None
    return Executed(replace(loaded, absences=absences), whole, tuple(failures), left_out)


def _is_of_front_end(error: BaseException) -> bool:
    return users_place(error).in_kernel or _UNSUPPORTED.search(said_by(error)) is not None


def _shortened(text: str, failure: Failure, path: str) -> Shortened | None:
    if failure.line is None or failure.file != path:
        return None
    return without_else(text, failure.line) or without_statement(text, failure.line)


def elaborate_on(
    failure: Failure,
    loaded: load.Loaded,
    definitions: Definitions,
    request: KernelRequest,
    send: Callable[[Failure], None],
    around: Surroundings,
    assumed: Mapping[str, Any],
) -> Onward | None:
    """The kernel without the statement of ``failure``; failures that show then are sent, and their statements left
    out as well. None where that leads to no kernel."""
    text, lines, names = loaded.text, list[int](), set[str]()
    if loaded.seconds > SLOW:
        return None
    for _ in range(ROUNDS):
        shorter = _shortened(text, failure, loaded.path)
        if shorter is None:
            return None
        text = shorter.text
        lines.append(shorter.lines.start)
        names |= shorter.names | {operand.name for operand in failure.operands}
        with _executed(loaded, text, around) as namespace:
            try:
                made = around.call(elaborate, namespace, definitions, request, assumed)
            except (UnresolvedError, NoKernelError):
                return None
            except BaseException as error:  # noqa: BLE001 - kernels are user code; the failure answers
                following = elaboration_failure(error, failure.request)
                if following.line in lines or following.line is None:
                    return None
                failure = following
                send(failure)
                continue
        return Onward(made, LeftOut(tuple(sorted(lines)), frozenset(names)))
    return None


@contextmanager
def _executed(loaded: load.Loaded, text: str, around: Surroundings) -> Iterator[dict[str, Any]]:
    """The names that ``text`` defines in the place of the file's own text, which is back in its place afterwards:
    TileLang reads the source of a kernel when it elaborates it."""
    name = str(loaded.namespace.get("__name__"))
    module, lines = sys.modules.get(name), linecache.cache.get(loaded.path)
    try:
        yield around.execute(loaded.path, text).namespace
    finally:
        if lines is not None:
            linecache.cache[loaded.path] = lines
        if module is not None:
            sys.modules[name] = module
