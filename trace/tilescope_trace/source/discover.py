"""The kernels of a file: every form TileLang knows, and nothing that only looks like one."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from tilescope_trace.model import Form

from . import names as meaning
from .names import Names
from .per_node import per_node
from .signature import FunctionNode, Parameter, constants, parameters, tensors
from .syntax import calls, own_expressions, statements
from .tolerant import Parsed

LAUNCHES = frozenset({"Kernel", "ClusterKernel", "MixedKernel"})


@dataclass(frozen=True, eq=False)
class KernelSource:
    """A kernel as it stands in the source.

    ``chain`` names the nested definitions (classes too) from module level inwards with their lines, which, as all
    here, are those of the tree; ``functions`` are the functions among them, outermost first. ``parameters`` are those
    of every function that has to be called (for an eager kernel without its tensors, but with its ``T.const`` names,
    which are also in ``consts``). ``line`` to ``end_line`` (inclusive) is the innermost definition. ``jit`` and
    ``autotune`` are the decorators where they are calls. A method's parameters include those of its class's
    ``__init__``.
    """

    chain: tuple[tuple[str, int], ...]
    form: Form
    line: int
    end_line: int
    dialect: str
    functions: tuple[FunctionNode, ...]
    prim_func: bool
    parameters: tuple[Parameter, ...] = ()
    consts: tuple[str, ...] = ()
    tensors: tuple[str, ...] = ()
    jit: ast.Call | None = None
    autotune: ast.Call | None = None

    @property
    def name(self) -> str:
        return self.chain[-1][0]

    @property
    def qualname(self) -> str:
        return ".".join(name for name, _ in self.chain)

    @property
    def body(self) -> FunctionNode:
        """The function with the tile statements."""
        return self.functions[-1]

    @property
    def callables(self) -> tuple[FunctionNode, ...]:
        """The functions that have to be called to get the kernel, outermost first."""
        return self.functions[:-1] if self.prim_func else self.functions


def discover(parsed: Parsed, names: Names) -> tuple[KernelSource, ...]:
    """All kernels, in the order of their lines."""
    if not names.starred and not any("tilelang" in dotted for dotted in names.bound.values()):
        return ()
    meanings = names.meanings
    found: list[KernelSource] = []
    for statement in parsed.tree.body:
        kept = _of_statement(statement)
        if meanings not in kept:
            here = _search((statement,), _Place(), parsed, names)
            kept[meanings] = tuple(sorted(here, key=lambda kernel: kernel.line))
        found += kept[meanings]
    return tuple(found)


@per_node
def _of_statement(_statement: ast.stmt) -> dict[tuple[object, ...], tuple[KernelSource, ...]]:
    """The kernels of a statement at module level, by what the file's names mean."""
    return {}


@dataclass(frozen=True, eq=False)
class _Place:
    """Where the search is: the definitions around, and what their decorators say."""

    chain: tuple[tuple[str, int], ...] = ()
    functions: tuple[FunctionNode, ...] = ()
    jit: bool = False
    jit_call: ast.Call | None = None
    autotune: bool = False
    autotune_call: ast.Call | None = None
    owner: ast.ClassDef | None = None
    """The class whose method the outermost function is."""


def _search(body: Sequence[ast.stmt], place: _Place, parsed: Parsed, names: Names) -> Iterator[KernelSource]:
    for statement in statements(body, functions=False):
        if isinstance(statement, ast.ClassDef):
            entry = (statement.name, statement.lineno)
            inside = replace(place, chain=(*place.chain, entry), owner=statement)
            yield from _search(statement.body, inside, parsed, names)
        elif isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef)):
            yield from _function(statement, place, parsed, names)


def _function(node: FunctionNode, place: _Place, parsed: Parsed, names: Names) -> Iterator[KernelSource]:
    inside = replace(
        place,
        chain=(*place.chain, (node.name, node.lineno)),
        functions=(*place.functions, node),
    )
    decorated = False
    for decorator in node.decorator_list:
        call = decorator if isinstance(decorator, ast.Call) else None
        dotted = names.dotted(call.func if call else decorator)
        if meaning.is_macro(dotted):
            return
        if meaning.is_prim_func(dotted):
            if _unwritten(node) and any(isinstance(statement, ast.Raise) for statement in node.body):
                return
            yield _kernel(inside, parsed, names, prim_func=True, dialect=_dialect(dotted))
            return
        if meaning.is_jit(dotted):
            decorated, inside = True, replace(inside, jit=True, jit_call=call)
        elif meaning.is_autotune(dotted):
            decorated, inside = True, replace(inside, autotune=True, autotune_call=call)
    yield from _search(node.body, inside, parsed, names)
    if decorated and not _unwritten(node) and not _holds_prim_func(node, names):
        launch = _launch(node, names)
        yield _kernel(inside, parsed, names, prim_func=False, dialect=_dialect(launch), eager=launch is not None)


def _holds_prim_func(node: FunctionNode, names: Names) -> bool:
    """Whether a prim_func is defined in a function, however deep, be it written or not."""
    return any(
        meaning.is_prim_func(names.dotted(decorator.func if isinstance(decorator, ast.Call) else decorator))
        for inner in statements(node.body)
        if isinstance(inner, (ast.FunctionDef, ast.AsyncFunctionDef))
        for decorator in inner.decorator_list
    )


def _unwritten(node: FunctionNode) -> bool:
    """Whether nothing is there yet: a docstring, ``pass``, ``...`` and ``raise NotImplementedError`` only."""
    return all(
        isinstance(statement, ast.Pass)
        or (isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant))
        or (isinstance(statement, ast.Raise) and _name_of(statement.exc) == "NotImplementedError")
        for statement in node.body
    )


def _name_of(raised: ast.expr | None) -> str | None:
    head = raised.func if isinstance(raised, ast.Call) else raised
    return head.id if isinstance(head, ast.Name) else None


def _kernel(
    place: _Place, parsed: Parsed, names: Names, *, prim_func: bool, dialect: str, eager: bool = False
) -> KernelSource:
    node = place.functions[-1]
    kernel = KernelSource(
        chain=place.chain,
        form=_form(place, prim_func, eager),
        line=node.lineno,
        end_line=node.end_lineno or node.lineno,
        dialect=dialect,
        functions=place.functions,
        prim_func=prim_func,
        jit=place.jit_call,
        autotune=place.autotune_call,
    )
    found = {parameter.name: parameter for parameter in _to_be_given(kernel.callables, place.owner, parsed)}
    if not eager:
        return replace(kernel, parameters=tuple(found.values()))
    consts = constants(node, names)
    shaped = tuple(tensors(node, names))
    for name in shaped:
        found.pop(name, None)
    for name in consts:
        found.setdefault(name, Parameter(name))
    return replace(kernel, parameters=tuple(found.values()), consts=consts, tensors=shaped)


def _form(place: _Place, prim_func: bool, eager: bool) -> Form:
    if place.autotune:
        return "autotune"
    if place.jit:
        return "eager" if eager else "lazy"
    return "factory" if prim_func and len(place.functions) > 1 else "prim_func"


def _to_be_given(
    callables: tuple[FunctionNode, ...], owner: ast.ClassDef | None, parsed: Parsed
) -> Iterator[Parameter]:
    """The parameters of all functions to call, outermost first, and of the class whose method the first one is."""
    bound = False
    if owner is not None and callables:
        plain = {node.id for node in callables[0].decorator_list if isinstance(node, ast.Name)}
        bound = "staticmethod" not in plain
        if not plain & {"staticmethod", "classmethod"}:
            for statement in owner.body:
                if isinstance(statement, ast.FunctionDef) and statement.name == "__init__":
                    yield from parameters(statement, parsed, skip_first=True)
    for index, function in enumerate(callables):
        yield from parameters(function, parsed, skip_first=bound and index == 0)


def _launch(function: FunctionNode, names: Names) -> str | None:
    """The dotted name of the launch (or of ``T.const``) that makes a function an eager kernel, or None."""
    const: str | None = None
    for statement in statements(function.body, functions=False):
        for call in calls(*own_expressions(statement)):
            if (name := names.tile(call.func)) in LAUNCHES:
                return names.dotted(call.func)
            if name == "const":
                const = names.dotted(call.func)
    return const


def _dialect(dotted: str | None) -> str:
    return "ascend" if meaning.is_ascend(dotted) else "default"
