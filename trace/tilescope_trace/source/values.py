"""What an expression can be known to stand for: Python values as they are, and a few kinds of our own."""

from __future__ import annotations

import ast
import enum
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, Literal

if TYPE_CHECKING:
    from .calls import CallSite

Value = Any
"""A Python number, string, tuple, list, dict, None, or one of the kinds below; UNKNOWN for everything else."""


class Unknown(enum.Enum):
    """The one value that says nothing is known."""

    UNKNOWN = "unknown"


UNKNOWN: Final[Literal[Unknown.UNKNOWN]] = Unknown.UNKNOWN


@dataclass(frozen=True)
class Tensor:
    """A torch tensor of which only the shape matters; its extents may be UNKNOWN."""

    shape: tuple[Value, ...]


@dataclass(eq=False)
class Parser:
    """An argparse parser: the defaults of its options by destination."""

    defaults: dict[str, Value] = field(default_factory=dict)


@dataclass(frozen=True, eq=False)
class Namespace:
    """What ``parse_args()`` returns when no option is given."""

    values: dict[str, Value]


class Env:
    """Names of one scope over those of the enclosing ones."""

    __slots__ = ("parent", "values")

    def __init__(self, values: dict[str, Value] | None = None, parent: Env | None = None) -> None:
        self.values = values if values is not None else {}
        self.parent = parent

    def get(self, name: str) -> Value:
        scope: Env | None = self
        while scope is not None:
            if name in scope.values:
                return scope.values[name]
            scope = scope.parent
        return UNKNOWN

    def set(self, name: str, value: Value) -> None:
        self.values[name] = value

    def copy(self) -> Env:
        """The same names, to go another way from here; enclosing scopes are shared."""
        return Env(dict(self.values), self.parent)

    def merge(self, first: Env, second: Env) -> None:
        """Keep what two ways through the code agree on."""
        names = first.values.keys() | second.values.keys()
        self.values = {
            name: _agreed(first.values.get(name, UNKNOWN), second.values.get(name, UNKNOWN)) for name in names
        }


@dataclass(frozen=True, eq=False)
class Function:
    """A function of this file and the scope it was defined in."""

    node: ast.FunctionDef | ast.AsyncFunctionDef
    scope: Env
    owner: Function | None = None
    """The function it was defined in."""


@dataclass(frozen=True, eq=False)
class Partial:
    """A function with some arguments given: ``functools.partial``."""

    function: Function
    args: tuple[Value, ...]
    kwargs: dict[str, Value]


@dataclass(frozen=True, eq=False)
class Outcome:
    """What calling a function of this file gave: a kernel, a prim_func or an inner factory."""

    call: CallSite


def bind_target(target: ast.expr, value: Value, env: Env) -> None:
    """Assign a value to a name or, element by element, to a tuple of names."""
    if isinstance(target, ast.Name):
        env.set(target.id, value)
    elif isinstance(target, ast.Starred):
        bind_target(target.value, UNKNOWN, env)
    elif isinstance(target, (ast.Tuple, ast.List)):
        fits = isinstance(value, (tuple, list)) and len(value) == len(target.elts)
        for index, element in enumerate(target.elts):
            bind_target(element, value[index] if fits else UNKNOWN, env)
    elif isinstance(target, ast.Subscript) and isinstance(target.value, ast.Name):
        env.set(target.value.id, UNKNOWN)


def is_plain(value: Value) -> bool:
    """Whether a value is made of numbers, strings, None and containers of them, all known."""
    if value is None or isinstance(value, (bool, int, float, str)):
        return True
    if isinstance(value, (tuple, list)):
        return all(is_plain(item) for item in value)
    if isinstance(value, dict):
        return all(is_plain(key) and is_plain(item) for key, item in value.items())
    return False


def _agreed(first: Value, second: Value) -> Value:
    if first is second:
        return first
    if type(first) is type(second) and is_plain(first) and first == second:
        return first
    return UNKNOWN
