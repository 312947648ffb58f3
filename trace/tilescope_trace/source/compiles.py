"""Pass configs that a compile in the source gives its kernel: ``tilelang.compile``, ``tilelang.jit`` as a call, and
``tilelang.lower`` inside a PassContext."""

from __future__ import annotations

import ast
import bisect
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from tilescope_trace.model import Json

from .call_arguments import Arguments
from .discover import KernelSource
from .literals import as_json
from .names import Names, is_autotune, is_jit
from .tolerant import Parsed
from .values import UNKNOWN, Value, is_plain

_POSITION = 6
"""Where ``tilelang.compile`` takes pass configs that are not given by name."""
_FLAGS = "tl.device_compile_flags"


@dataclass(frozen=True)
class Settings:
    """What the compile at ``line`` sets: the pass configs that are known, and whether those are all."""

    line: int
    configs: Mapping[str, Json]
    whole: bool


@dataclass(frozen=True)
class Applied:
    """The pass configs of a kernel that its own function does not hold, and what is to be said about them."""

    configs: Mapping[str, Json]
    notes: tuple[str, ...]


def settings_of(line: int, given: Arguments, context: Arguments | None, *, lowers: bool) -> Settings | None:
    """The settings of the compile at ``line``, None where it sets nothing. A lowering takes those of the PassContext
    around it; all others make a PassContext of their own."""
    if lowers:
        if context is None:
            return None
        told = context.kwargs.get("config", UNKNOWN if context.opaque else None)
        return _settings(line, told, None)
    unsaid = UNKNOWN if given.opaque else None
    by_place = given.args[_POSITION] if len(given.args) > _POSITION else unsaid
    return _settings(line, given.kwargs.get("pass_configs", by_place), given.kwargs.get("compile_flags"))


def _settings(line: int, told: Value, flags: Value) -> Settings | None:
    if told is None and flags is None:
        return None
    configs: dict[str, Json] = {}
    whole = told is None or isinstance(told, dict)
    for key, value in told.items() if isinstance(told, dict) else ():
        if isinstance(key, str) and is_plain(value):
            configs[key] = as_json(value)
        else:
            whole = False
    if flags is not None:
        known = isinstance(flags, (str, list, tuple)) and is_plain(flags)
        whole = whole and known
        if known:
            configs.setdefault(_FLAGS, [flags] if isinstance(flags, str) else as_json(flags))
    return Settings(line, configs, whole)


def applied(kernel: KernelSource, found: Sequence[Settings], astray: Sequence[int], parsed: Parsed) -> Applied:
    """The settings of a kernel's first compile. ``astray`` are the lines of settings whose kernel is not known.

    A compile in the kernel's own factory happens while it is built, and needs nothing from here.
    """
    outermost = kernel.functions[0]
    inside = range(parsed.line(outermost.lineno), parsed.line(outermost.end_lineno or outermost.lineno) + 1)
    outside = [settings for settings in found if settings.line not in inside]
    if outside:
        first = outside[0]
        notes = (
            []
            if first.whole
            else [f"pass configs at line {first.line} are not all known: the others are not applied"]
        )
        if any(other.configs != first.configs or not other.whole for other in outside[1:]):
            notes.append(f"pass configs of the compile at line {first.line}, the first of {len(outside)}")
        return Applied(first.configs, tuple(notes))
    if kernel.form not in ("factory", "prim_func"):
        return Applied({}, ())
    lines = [line for line in astray if line not in inside]
    return Applied(
        {}, tuple(f"pass configs at line {line} are not applied: whose they are is not known" for line in lines)
    )


def astray(parsed: Parsed, names: Names, seen: Collection[ast.Call]) -> Iterator[int]:
    """Lines of the calls that set pass configs, without those in ``seen`` and those that take effect when the file is
    executed: decorators, and jit objects made at module level."""
    # Only nodes with a line that says so are looked into: a walk over the whole tree takes longer than all else here.
    telling = [
        number for number, line in enumerate(parsed.lines, 1) if "pass_configs" in line or "PassContext" in line
    ]
    if not telling:
        return
    pending: list[tuple[ast.AST, bool]] = [(parsed.tree, False)]
    while pending:
        node, in_function = pending.pop()
        function = isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))
        decorators = node.decorator_list if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) else []
        if isinstance(node, ast.Call) and node not in seen and _sets_configs(node, names):
            at_import = not in_function and any(is_jit(d) or is_autotune(d) for d in _callees(node, names))
            if not at_import:
                yield parsed.line(node.lineno)
        children = [
            child
            for child in ast.iter_child_nodes(node)
            if child not in decorators and _spans_one(child, telling, parsed)
        ]
        pending += [(child, in_function or function) for child in reversed(children)]


def _spans_one(node: ast.AST, lines: list[int], parsed: Parsed) -> bool:
    """Whether one of the sorted ``lines`` is within a node; True for one that has no place of its own."""
    first, last = getattr(node, "lineno", None), getattr(node, "end_lineno", None)
    if first is None or last is None:
        return True
    index = bisect.bisect_left(lines, parsed.line(first))
    return index < len(lines) and lines[index] <= parsed.line(last)


def _sets_configs(node: ast.Call, names: Names) -> bool:
    wanted = "config" if (names.dotted(node.func) or "").endswith("PassContext") else "pass_configs"
    value = next((keyword.value for keyword in node.keywords if keyword.arg == wanted), None)
    return value is not None and not (isinstance(value, ast.Constant) and value.value is None)


def _callees(node: ast.Call, names: Names) -> list[str | None]:
    """What is called, also through ``functools.partial``."""
    return [names.dotted(node.func), *(names.dotted(argument) for argument in node.args[:1])]
