"""The directive that would settle the arguments of a kernel that are missing or assumed."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from tilescope_trace.model import Argument, Kernel
from tilescope_trace.source.dtypes import dtype_name
from tilescope_trace.source.tolerant import parse

TO_FILL_IN = "..."
"""Stands for a value that nobody knows; it is no value, so that a directive with it is told to be incomplete."""


@dataclass(frozen=True)
class NewDirective:
    """``text``, a whole line, goes before ``line`` (1-based); ``names`` are the parameters it is about. ``first`` to
    ``last`` are the lines at which somebody may ask for it."""

    kernel: str
    line: int
    text: str
    names: tuple[str, ...]
    first: int
    last: int


def directives_for(kernels: Sequence[Kernel], text: str) -> tuple[NewDirective, ...]:
    """One for each kernel with a missing or assumed argument, with the values of its first specialization that has
    one; values that are known from elsewhere are left alone."""
    found: dict[tuple[str, int], NewDirective] = {}
    tree: ast.Module | None = None
    for kernel in kernels:
        values = dict(_values(kernel))
        if not values or (kernel.qualname, kernel.line) in found:
            continue
        tree = tree or parse(text).tree
        new = _directive(kernel, values, tree)
        if new is not None:
            found[kernel.qualname, kernel.line] = new
    return tuple(found.values())


def directive_for(kernel: Kernel, text: str) -> NewDirective | None:
    """The directive with all arguments of a kernel, whatever they come from; None where there is no place for it."""
    known = {name: argument_text(argument) for name, argument in kernel.specialization.args.items()}
    values = {**known, **{name: TO_FILL_IN for name in kernel.missing if name not in known}}
    return _directive(kernel, values, parse(text).tree) if values else None


def _directive(kernel: Kernel, values: Mapping[str, str], tree: ast.Module) -> NewDirective | None:
    outermost = _outermost(tree, kernel)
    if outermost is None:
        return None
    line = min([outermost.lineno, *(one.lineno for one in getattr(outermost, "decorator_list", []))])
    written = ", ".join(f"{name}={value}" for name, value in values.items())
    text = f"{' ' * outermost.col_offset}# tilescope: {written}\n"
    return NewDirective(kernel.qualname, line, text, tuple(values), line, kernel.line)


def _values(kernel: Kernel) -> Iterator[tuple[str, str]]:
    arguments = kernel.specialization.args
    for name, argument in arguments.items():
        if argument.origin == "assumed":
            yield name, argument_text(argument)
    for name in kernel.missing:
        if name not in arguments:
            yield name, TO_FILL_IN


def argument_text(argument: Argument) -> str:
    """A value as people write it: the name of a data type, else a literal."""
    value = argument.value
    return value if isinstance(value, str) and dtype_name(value) == value else repr(value)


def _outermost(tree: ast.Module, kernel: Kernel) -> ast.stmt | None:
    """The outermost function on the way to the definition at the kernel's line."""
    around = [
        node
        for node in ast.walk(tree)
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))
        and node.lineno <= kernel.line <= (node.end_lineno or node.lineno)
        and node.name in kernel.qualname.split(".")
    ]
    return min(around, key=lambda node: node.lineno, default=None)
