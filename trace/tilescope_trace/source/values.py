"""What an expression can be known to stand for: Python values as they are, and a few kinds of our own."""

from __future__ import annotations

import ast
import enum
from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, Literal

if TYPE_CHECKING:
    from .names import Names
    from .sites import CallSite

Value = Any
"""A Python number, string, tuple, list, dict, None, or one of the kinds below; UNKNOWN for everything else."""


class Unknown(enum.Enum):
    """The one value that says nothing is known."""

    UNKNOWN = "unknown"


UNKNOWN: Final[Literal[Unknown.UNKNOWN]] = Unknown.UNKNOWN

_MOST_PARTS = 1 << 16
"""Numbers and containers in a value before it is not worth knowing."""
_MOST_BITS = 4096
"""Bits of a number: Python writes longer ones in hexadecimal only."""


@dataclass(frozen=True)
class Tensor:
    """A torch tensor: shape and data type, each UNKNOWN where it is not known (extents may be UNKNOWN too), and
    whether it is certainly laid out row by row."""

    shape: tuple[Value, ...] | Literal[Unknown.UNKNOWN]
    dtype: Value = UNKNOWN
    contiguous: bool = False


@dataclass(frozen=True)
class Reference:
    """A thing of an imported module that is no number and no text (``T.exp``, ``T.GemmWarpPolicy.Square``), or what
    a call of it with plain arguments gives (``T.dynamic("m")``); ``text`` is an expression for it whose names are
    those of modules (``tilelang.language.exp``)."""

    text: str


@dataclass(eq=False)
class Parser:
    """An argparse parser: the defaults of its options by destination."""

    defaults: dict[str, Value] = field(default_factory=dict)


@dataclass(frozen=True, eq=False)
class Namespace:
    """What ``parse_args()`` returns when no option is given."""

    values: dict[str, Value]


class Env:
    """Names of one scope over those of the enclosing ones; ``call`` is the call whose scope it is."""

    __slots__ = ("call", "parent", "values")

    def __init__(
        self, values: dict[str, Value] | None = None, parent: Env | None = None, call: CallSite | None = None
    ) -> None:
        self.values = values if values is not None else {}
        self.parent = parent
        self.call = call

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
        return Env(dict(self.values), self.parent, self.call)

    def merge(self, first: Env, second: Env) -> None:
        """Keep what two ways through the code agree on."""
        names = first.values.keys() | second.values.keys()
        self.values = {
            name: agreed(first.values.get(name, UNKNOWN), second.values.get(name, UNKNOWN)) for name in names
        }


@dataclass(frozen=True, eq=False)
class Function:
    """A function (or lambda) of the workspace, the scope it was defined in, and what the names of its file mean."""

    node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
    scope: Env
    owner: Function | None = None
    """The function it was defined in."""
    names: Names | None = None
    """None for those of the file that is looked at."""


@dataclass(frozen=True, eq=False)
class Class:
    """A class of the workspace: ``members`` are what its body defines, ``bases`` those of its bases that are known.
    ``fields`` are the names its generated ``__init__`` takes, in order (dataclasses and named tuples)."""

    node: ast.ClassDef
    members: Env
    bases: tuple[Class, ...] = ()
    base_names: tuple[str, ...] = ()
    fields: tuple[str, ...] | None = None

    def member(self, name: str) -> Value:
        """What the class or the nearest of its bases defines under a name, UNKNOWN where none does."""
        if name in self.members.values:
            return self.members.values[name]
        return next((found for base in self.bases if (found := base.member(name)) is not UNKNOWN), UNKNOWN)


@dataclass(frozen=True, eq=False)
class Instance:
    """An object of a class of the workspace, as far as its attributes are known."""

    kind: Class
    values: dict[str, Value] = field(default_factory=dict)
    made: dict[str, Value] = field(default_factory=dict)
    """The arguments of its ``__init__``."""


@dataclass(frozen=True, eq=False)
class Partial:
    """A function with some arguments given: ``functools.partial``, or a method with its object."""

    function: Function | Class | Outcome | Differentiable
    args: tuple[Value, ...] = ()
    kwargs: dict[str, Value] = field(default_factory=dict)


@dataclass(frozen=True, eq=False)
class Differentiable:
    """``apply`` of a ``torch.autograd.Function``."""

    kind: Class


@dataclass(frozen=True, eq=False)
class Outcome:
    """What calling a function of this file gave: a kernel, a prim_func or an inner factory; ``kernel`` is the
    definition of the one that it is, where that is known."""

    call: CallSite
    kernel: Function | None = None


def bind_target(
    target: ast.expr, value: Value, env: Env, other: Callable[[ast.expr, Value, Env], None] | None = None
) -> None:
    """Assign a value to a name or, element by element, to a tuple of names. ``other`` is told of targets that are no
    names (``self.x``, ``x[0]``)."""
    if isinstance(target, ast.Name):
        env.set(target.id, value)
    elif isinstance(target, ast.Starred):
        bind_target(target.value, value, env, other)
    elif isinstance(target, (ast.Tuple, ast.List)):
        for element, part in zip(target.elts, _parts(target.elts, value), strict=True):
            bind_target(element, part, env, other)
    elif other is not None:
        other(target, value, env)


def _parts(elements: list[ast.expr], value: Value) -> list[Value]:
    """What each of the targets gets; a starred one takes what the others leave."""
    unknown: list[Value] = [UNKNOWN] * len(elements)
    if not isinstance(value, (tuple, list)):
        return unknown
    star = next((i for i, element in enumerate(elements) if isinstance(element, ast.Starred)), None)
    if star is None:
        return list(value) if len(value) == len(elements) else unknown
    after = len(elements) - star - 1
    if len(value) < star + after:
        return unknown
    return [*value[:star], list(value[star : len(value) - after]), *value[len(value) - after :]]


def is_plain(value: Value) -> bool:
    """Whether a value is made of numbers, strings, None and containers of them, all known, and is of a reasonable
    size: of lists that hold each other many times over, no end would be found."""
    left = _MOST_PARTS
    parts = [value]
    while parts:
        part = parts.pop()
        if isinstance(part, (tuple, list)):
            more: Collection[Value] = part
        elif isinstance(part, dict):
            more = [*part.keys(), *part.values()]
        elif isinstance(part, int):
            if part.bit_length() > _MOST_BITS:
                return False
            continue
        elif part is None or isinstance(part, (float, str)):
            continue
        else:
            return False
        if len(more) > left:
            return False
        left -= len(more)
        parts.extend(more)
    return True


def agreed(first: Value, second: Value) -> Value:
    """What two possible values have in common: themselves where they are equal, a tuple of what its parts agree on,
    UNKNOWN else."""
    if first is second:
        return first
    if type(first) is not type(second):
        return UNKNOWN
    if isinstance(first, (Tensor, Reference)):
        return first if first == second else UNKNOWN
    if isinstance(first, tuple) and len(first) == len(second):
        return tuple(map(agreed, first, second))
    return first if is_plain(first) and first == second else UNKNOWN
