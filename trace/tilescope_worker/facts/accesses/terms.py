"""Integer expressions of a kernel as plain Python values: bounds, linear forms, text and evaluation.

Each step into the compiler's own expressions costs a call across the foreign interface; an index is translated once
and then asked many questions here. Semantics are TIR's: ``//`` and ``%`` round down, ``tdiv`` and ``tmod`` towards
zero. What has no translation is a ``load`` or ``?`` node, whose value may be anything.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, NamedTuple, Union

VariableKind = Literal["block", "thread", "parallel", "serial", "shape"]


@dataclass(frozen=True, eq=False)
class Variable:
    """A variable with its first and last value; a bound that is not known is infinite. ``line`` is its loop's."""

    name: str
    kind: VariableKind
    first: float
    last: float
    line: int | None = None

    @property
    def count(self) -> float:
        return max(self.last - self.first + 1, 0)


class Apply(NamedTuple):
    """An operator on terms. ``load`` has the name of a buffer in front of the terms of its indices."""

    op: str
    args: tuple[Term, ...]


Term = Union[int, str, Variable, Apply]  # noqa: UP007 - evaluated at run time, where Python 3.10 has no forward `|`
Interval = tuple[float, float]
Linear = tuple[int, dict[Term, int]]
"""A constant and the coefficient of each atom: a variable, or a term that is not linear."""

EVERYTHING: Interval = (-math.inf, math.inf)
UNKNOWN = Apply("?", ())
_INFIX = {
    "add": ("+", 5),
    "sub": ("-", 5),
    "mul": ("*", 6),
    "div": ("//", 6),
    "mod": ("%", 6),
    "tdiv": ("//", 6),
    "tmod": ("%", 6),
    "lt": ("<", 3),
    "le": ("<=", 3),
    "eq": ("==", 3),
    "ne": ("!=", 3),
    "and": ("and", 2),
    "or": ("or", 1),
    "shl": ("<<", 4),
    "shr": (">>", 4),
    "band": ("&", 4),
    "bor": ("|", 4),
    "xor": ("^", 4),
}


def add(one: Term, other: Term) -> Term:
    if isinstance(one, int) and isinstance(other, int):
        return one + other
    if one == 0 and isinstance(one, int):
        return other
    return one if isinstance(other, int) and other == 0 else Apply("add", (one, other))


def variables(term: Term) -> frozenset[Variable]:
    """All variables in ``term``, also those in indices of loads."""
    if isinstance(term, Variable):
        return frozenset((term,))
    if not isinstance(term, Apply):
        return frozenset()
    return frozenset().union(*map(variables, term.args))


def is_known(term: Term) -> bool:
    """Whether the value of ``term`` follows from those of its variables."""
    if not isinstance(term, Apply):
        return True
    return term.op not in ("?", "load") and all(map(is_known, term.args))


def linear(term: Term) -> Linear:
    """``term`` as a sum; atoms of coefficient zero are left out."""
    if isinstance(term, int):
        return term, {}
    if isinstance(term, Apply):
        if term.op in ("add", "sub"):
            sign = 1 if term.op == "add" else -1
            constant, atoms = linear(term.args[0])
            other, others = linear(term.args[1])
            atoms = dict(atoms)
            for atom, factor in others.items():
                atoms[atom] = atoms.get(atom, 0) + sign * factor
            return constant + sign * other, {atom: factor for atom, factor in atoms.items() if factor}
        if term.op == "mul":
            for times, rest in (term.args, term.args[::-1]):
                if isinstance(times, int):
                    constant, atoms = linear(rest)
                    return constant * times, {atom: one * times for atom, one in atoms.items() if times}
    return 0, {term: 1}


def interval(term: Term) -> Interval:
    """Bounds on the values that ``term`` may have; tight where no variable occurs in two atoms."""
    constant, atoms = linear(term)
    return _sum(constant, ((_atom(atom), factor) for atom, factor in atoms.items()))


def _sum(constant: float, parts: Iterable[tuple[Interval, int]]) -> Interval:
    low = high = constant
    for (first, last), factor in parts:
        low += factor * (first if factor > 0 else last)
        high += factor * (last if factor > 0 else first)
    return low, high


@lru_cache(maxsize=4096)
def _atom(term: Term) -> Interval:
    if isinstance(term, Variable):
        return term.first, term.last
    if not isinstance(term, Apply):
        return EVERYTHING
    op, args = term
    if op in ("div", "tdiv", "mod", "tmod", "shr", "shl", "band") and isinstance(args[1], int):
        return _by_constant(op, interval(args[0]), args[1])
    if op in ("min", "max"):
        one, other = interval(args[0]), interval(args[1])
        choose = min if op == "min" else max
        return choose(one[0], other[0]), choose(one[1], other[1])
    if op == "select":
        one, other = interval(args[1]), interval(args[2])
        return min(one[0], other[0]), max(one[1], other[1])
    if op == "mul":
        one, other = interval(args[0]), interval(args[1])
        if math.inf not in map(abs, (*one, *other)):
            ends = [a * b for a in one for b in other]
            return min(ends), max(ends)
    if op in ("lt", "le", "eq", "ne", "and", "or", "not"):
        return 0, 1
    return EVERYTHING


def _by_constant(op: str, inner: Interval, number: int) -> Interval:
    low, high = inner
    if op == "shr" and 0 <= number < 63:
        op, number = "div", 1 << number
    if op == "shl":
        return (low * (1 << number), high * (1 << number)) if 0 <= number < 63 else EVERYTHING
    if op == "band":
        return (0, min(number, high)) if number >= 0 and low >= 0 else (0, number) if number >= 0 else EVERYTHING
    if number <= 0 or (op in ("tdiv", "tmod") and low < 0):
        return EVERYTHING
    if op in ("div", "tdiv"):
        return _floor(low, number), _floor(high, number)
    if math.inf not in map(abs, inner) and low // number == high // number:
        return low % number, high % number
    return 0, min(number - 1, high) if low >= 0 else number - 1


def _floor(value: float, number: int) -> float:
    return value if math.isinf(value) else value // number


def text(term: Term, above: int = 0) -> str:
    """``term`` as Python source; a load as the buffer with its indices."""
    if isinstance(term, Variable):
        return term.name
    if not isinstance(term, Apply):
        return str(term)
    if term.op == "load":
        return f"{term.args[0]}[{', '.join(text(index) for index in term.args[1:])}]"
    if term.op == "?":
        return "?"
    if term.op == "not":
        return f"not {text(term.args[0], 9)}"
    if term.op not in _INFIX:
        name = "if_then_else" if term.op == "select" else term.op
        return f"{name}({', '.join(map(text, term.args))})"
    sign, level = _INFIX[term.op]
    written = f"{text(term.args[0], level)} {sign} {text(term.args[1], level + 1)}"
    return f"({written})" if level < above else written


def source(term: Term, names: Mapping[Variable, str]) -> str:
    """Python source that computes a known ``term`` from variables called as in ``names``."""
    if isinstance(term, Variable):
        return names[term]
    if not isinstance(term, Apply):
        return str(term)
    args = [source(argument, names) for argument in term.args]
    if term.op == "not":
        return f"(not {args[0]})"
    if term.op == "select":
        return f"({args[1]} if {args[0]} else {args[2]})"
    if term.op in ("tdiv", "tmod", "min", "max"):
        return f"{term.op}({', '.join(args)})"
    return f"({args[0]} {_INFIX[term.op][0]} {args[1]})"


def conjuncts(term: Term) -> tuple[Term, ...]:
    """The conditions that all hold where ``term`` does."""
    if isinstance(term, Apply):
        if term.op == "and":
            return (*conjuncts(term.args[0]), *conjuncts(term.args[1]))
        if term.op == "not" and isinstance(term.args[0], Apply):
            inner = term.args[0]
            if inner.op == "or":
                return tuple(part for one in inner.args for part in conjuncts(Apply("not", (one,))))
            if inner.op in ("lt", "le"):
                return (Apply("le" if inner.op == "lt" else "lt", (inner.args[1], inner.args[0])),)
    return (term,)
