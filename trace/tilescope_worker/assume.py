"""Values for parameters that nothing gives a value: assumed, until the kernel can be built with them.

The kernel is built with the likeliest values; where its own assertions, divisions or types refuse them, other values
of the parameters that the refusing statement depends on are tried. What gets further is kept. This ends when the
kernel is built, when nothing gets further, or after `SECONDS`.
"""

from __future__ import annotations

import ast
import inspect
import signal
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from .candidates import Facts, Node, candidates
from .definitions import Definitions
from .dependence import depends, reads
from .facts.launch import written
from .tracebacks import users_place
from .wire.messages import KernelRequest

SECONDS = 2.0
"""CPU time in which values are looked for: the same on a machine that is busy with something else."""
_FIRST = 5
"""Candidates of a parameter that are tried before the other candidates of other ones."""
_PAIRED = 3
"""Candidates of each of two parameters that are tried together."""
_OTHERS = 2
"""Further values of each parameter that have to fail alike where a failure depends on none."""
Build = Callable[[Mapping[str, Any]], Any]


_LAST = (1 << 30,)
"""Further than any line: the kernel was built."""
MOST_THREADS = 1024
"""Threads that a block of any GPU can have (CUDA C++ programming guide, compute capabilities; HIP alike)."""


class TimeUp(BaseException):
    """The time to look for values is over; no ``except Exception`` of the user's swallows it."""


class UnlaunchableError(Exception):
    """A kernel was built that no GPU can launch: its values are not what its author means. ``line`` is that of the
    launch."""

    def __init__(self, made: Any, threads: int, line: int | None) -> None:
        super().__init__(f"{threads} threads in a block")
        self.made = made
        self.line = line


def refuse_unlaunchable(made: Any, func: Any, path: str) -> None:
    """Raises UnlaunchableError for ``made``, whose PrimFunc in the file ``path`` is ``func``, where it asks for too
    many threads."""
    launch = written(func, path)
    if isinstance(launch.threads, int) and launch.threads > MOST_THREADS:
        raise UnlaunchableError(made, launch.threads, launch.line)


@dataclass
class Search:
    """Looks for values of the kernel of a request."""

    definitions: Definitions
    request: KernelRequest
    namespace: Mapping[str, Any]
    sms: int | None
    missing: Callable[[BaseException], Sequence[str]]
    """The parameters that an error says have no value; empty for any other error."""
    values: dict[str, Any] = field(default_factory=dict)
    last: BaseException | None = None
    """What refused the values that got furthest."""
    everywhere: bool = False
    """Whether `find` raised what no value changes: the source says so, and the values that were tried."""

    def __post_init__(self) -> None:
        self._nodes: list[Node] = self.definitions.functions(self.request.chain)
        self._facts = Facts(self._nodes)
        self._candidates: dict[str, tuple[Any, ...]] = {}

    def find(self, build: Build, names: Sequence[str]) -> Any:
        """What ``build`` gives with values for ``names`` (and for those that turn out to be needed besides); None
        where no values are found that it takes. ``values`` are those it took.

        Raises what it raises where no values can help (`is_certain`)."""
        self._add(names)
        try:
            with _time_limit(SECONDS):
                return self._search(build)
        except TimeUp:
            return None

    def refine(self, attempt: Build) -> Any:
        """What ``attempt`` gives with other values than those which it has refused, types of data first; None where
        it takes none that is tried in time. ``values`` are those it took."""
        deadline = time.process_time() + SECONDS
        names = sorted(self.values, key=lambda name: "type" not in name.lower())
        for name, value in self._changes(names):
            if time.process_time() > deadline:
                return None
            changed = {**self.values, **dict(zip(name, value, strict=True))}
            outcome = self._try(attempt, changed)
            if isinstance(outcome, _Built):
                self.values.update(changed)
                return outcome.built
        return None

    def _search(self, build: Build) -> Any:
        outcome = self._try(build, self.values)
        while isinstance(outcome, _Refused):
            missing = [name for name in self.missing(outcome.error) if name not in self.values]
            if missing:
                self._add(missing)
                outcome = self._try(build, self.values)
                continue
            self.last = outcome.error
            if is_certain(outcome.error):
                raise outcome.error
            if self._fails_everywhere(build, outcome):
                self.everywhere = True
                raise outcome.error
            better = self._better(build, outcome)
            if better is None:
                return outcome.error.made if isinstance(outcome.error, UnlaunchableError) else None
            changed, outcome = better
            self.values.update(changed)
        return outcome.built

    def _fails_everywhere(self, build: Build, refused: _Refused) -> bool:
        """Whether the failing statement depends on no assumed value, and other values of each fail in the same way.
        Those that do not get that far say nothing."""
        lines = {line for line in refused.place if line != _LAST[0]}
        if not lines or depends(self._nodes, lines, self.values):
            return False
        others = [
            self._try(build, {**self.values, name: value})
            for name in self.values
            for value in self._candidates[name][1 : 1 + _OTHERS]
        ]
        if not all(isinstance(one, _Refused) and not self.missing(one.error) for one in others):
            return False
        as_far = [one for one in others if isinstance(one, _Refused) and one.place >= refused.place]
        return bool(as_far) and all(_alike(one, refused) for one in as_far)

    def _better(self, build: Build, refused: _Refused) -> tuple[dict[str, Any], _Built | _Refused] | None:
        """Values that get further than those which were refused, with what they lead to."""
        names = self._concerned(refused.error)
        for name, value in self._changes(names):
            changed = {**self.values, **dict(zip(name, value, strict=True))}
            outcome = self._try(build, changed)
            if isinstance(outcome, _Built) or outcome.place > refused.place or self.missing(outcome.error):
                return changed, outcome
        return None

    def _changes(self, names: Sequence[str]) -> Iterator[tuple[tuple[str, ...], tuple[Any, ...]]]:
        # The first few of every parameter come before the many of any one.
        for some in (slice(0, _FIRST), slice(_FIRST, None)):
            for name in names:
                for value in self._candidates[name][some]:
                    if value is not self.values[name]:
                        yield (name,), (value,)
        for at, first in enumerate(names):
            for second in names[at + 1 :]:
                for one in self._candidates[first][: _PAIRED + 1]:
                    for other in self._candidates[second][: _PAIRED + 1]:
                        if one is not self.values[first] and other is not self.values[second]:
                            yield (first, second), (one, other)

    def _try(self, build: Build, values: Mapping[str, Any]) -> _Built | _Refused:
        try:
            return _Built(build(values))
        except TimeUp:
            raise
        except UnlaunchableError as error:
            return _Refused(error, _LAST)
        except BaseException as error:  # noqa: BLE001 - user code refuses values in any way; the next ones are tried
            frames = users_place(error).frames
            return _Refused(error, tuple(frame.line for frame in frames if frame.file == self.definitions.path))

    def _add(self, names: Sequence[str]) -> None:
        for name in names:
            found = candidates(name, self._annotation(name), self._facts, self.sms)
            self._candidates[name] = found
            self.values[name] = found[0] if found else None

    def _annotation(self, name: str) -> Any:
        """The annotation of a parameter along the chain, evaluated where that is possible."""
        for node in (*self._nodes, *self._constructors()):
            for argument in [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]:
                if argument.arg == name and argument.annotation is not None:
                    text = argument.annotation
                    if isinstance(text, ast.Constant) and isinstance(text.value, str):
                        return text.value
                    try:
                        return eval(ast.unparse(text), dict(self.namespace))
                    except Exception:  # noqa: BLE001 - what it names may be imported for checkers only
                        return ast.unparse(text)
        return inspect.Parameter.empty

    def _constructors(self) -> Iterator[Node]:
        for key in self.request.chain:
            owner = self.definitions.nodes.get(key)
            if isinstance(owner, ast.ClassDef):
                yield from (one for one in owner.body if isinstance(one, ast.FunctionDef) and one.name == "__init__")

    def _concerned(self, error: BaseException) -> list[str]:
        """The assumed parameters that the failing statement depends on, those it names first; all where none is."""
        if isinstance(error, UnlaunchableError):
            line = error.line
        else:
            frames = reversed(users_place(error).frames)
            line = next((frame.line for frame in frames if frame.file == self.definitions.path), None)
        if line is None:
            return list(self.values)
        near, far = self._names_at(line)
        found = [name for name in self.values if name in near]
        found += [name for name in self.values if name in far and name not in found]
        said = str(error)
        found.sort(key=lambda name: name not in said)
        return found or list(self.values)

    def _names_at(self, line: int) -> tuple[set[str], set[str]]:
        """(names in the statement at a line and in the conditions around it, all that these are computed from)."""
        near: set[str] = set()
        computed: dict[str, set[str]] = {}
        for root in self._nodes:
            for node in ast.walk(root):
                start, end = getattr(node, "lineno", 0), getattr(node, "end_lineno", 0) or 0
                if isinstance(node, ast.stmt) and start <= line <= end:
                    if not isinstance(node, (ast.FunctionDef, ast.ClassDef, ast.With, ast.For, ast.While, ast.If)):
                        near |= reads(node)
                    elif isinstance(node, ast.If):
                        near |= reads(node.test)
                    elif isinstance(node, ast.With) and line == node.lineno:
                        near.update(*(reads(item.context_expr) for item in node.items))
                if isinstance(node, (ast.Assign, ast.AugAssign, ast.AnnAssign)) and node.value is not None:
                    for part in ast.walk(node):
                        if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store):
                            computed.setdefault(part.id, set()).update(reads(node.value))
        far = set(near)
        while more := {name for known in far for name in computed.get(known, ())} - far:
            far |= more
        return near, far


def is_certain(error: BaseException) -> bool:
    """Whether an error is one that no argument can be to blame for: a name or a function that does not exist."""
    absent = isinstance(error, AttributeError) and str(error).startswith("module ")
    return absent or (
        isinstance(error, (NameError, ImportError, SyntaxError)) and not isinstance(error, UnboundLocalError)
    )


@dataclass(frozen=True)
class _Built:
    built: Any


@dataclass(frozen=True)
class _Refused:
    error: BaseException
    place: tuple[int, ...]


def _alike(one: _Refused, other: _Refused) -> bool:
    return (type(one.error), str(one.error), one.place) == (type(other.error), str(other.error), other.place)


@contextmanager
def _time_limit(seconds: float) -> Iterator[None]:
    """Raise TimeUp in what runs within, once the time is over; where the system has no such timer, never."""
    if not hasattr(signal, "setitimer") or threading.current_thread() is not threading.main_thread():
        yield
        return

    def ring(*_: object) -> None:
        raise TimeUp

    before = signal.signal(signal.SIGPROF, ring)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)
