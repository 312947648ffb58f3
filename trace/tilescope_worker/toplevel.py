"""Which statements of a file run: those that define something, and what these need.

What a file does for its effect is left out, as the part under ``if __name__ == "__main__":`` is: nothing is
launched, measured, compared or printed to find out what its kernels are. The rule, over the statements of the module
and, inside ``if``, ``try`` and ``with``, of their bodies:

- Imports, definitions, assertions and deletions run.
- A call whose result is dropped runs (``sys.path.append(...)``, ``CONFIGS.append(...)``, ``torch.manual_seed(0)``),
  unless it calls a function or class of the file itself or something made by one (``main()``, ``kernel(a, b)``),
  prints, ends the program, compares, or measures.
- An assignment runs, unless its value comes from calling a function or class of the file or something made by one, or
  from measuring, and nothing that runs reads the names it binds. What a function or class reads counts as read.
- A loop runs, unless something in it would be left out.

Chosen by what it does to the examples of TileLang and to published kernel libraries (docs/corpus.md): no definition
that a kernel needs is lost, and no kernel is launched.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

_PRINTING = frozenset({"print", "pprint", "display"})
_ENDING = frozenset({"exit", "quit", "_exit", "abort", "breakpoint", "input"})
_COMPARING = frozenset({"assert_close", "assert_allclose", "assert_equal", "assert_array_equal", "allclose"})
_MEASURING = frozenset({"do_bench", "benchmark", "bench", "timeit", "time_it", "perf_report", "synchronize", "sleep"})
_LEFT_OUT = _PRINTING | _ENDING | _COMPARING | _MEASURING
_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
_ASSIGNMENTS = (ast.Assign, ast.AnnAssign, ast.AugAssign)
_LOOPS = (ast.For, ast.AsyncFor, ast.While)


@dataclass(frozen=True)
class Chosen:
    """The module that is to be executed, and the first lines of what is left out of it."""

    module: ast.Module
    left_out: tuple[int, ...]


def chosen(tree: ast.Module) -> Chosen:
    """Apply the rule to a module; ``tree`` itself is not changed."""
    simple = list(_simple(tree.body))
    own = {node.name for node in simple if isinstance(node, _DEFINITIONS)}
    _add_made(own, simple)
    doubtful = [node for node in simple if isinstance(node, _ASSIGNMENTS) and _comes_from(node, own)]
    effects = {id(node) for node in simple if _is_effect(node, own)}
    if not doubtful and not effects:
        return Chosen(tree, ())
    settled = {id(node) for node in doubtful} | effects
    read = {name for node in simple if id(node) not in settled for name in _reads(node)}
    # The conditions of compound statements read as well.
    read |= {name for node in _compound(tree.body) for part in _headers(node) for name in _reads(part)}
    while needed := [node for node in doubtful if read & _binds(node)]:
        doubtful = [node for node in doubtful if node not in needed]
        read |= {name for node in needed for name in _reads(node)}
    gone = effects | {id(node) for node in doubtful}
    left_out: list[int] = []
    body = _without(tree.body, gone, left_out)
    if not left_out:
        return Chosen(tree, ())
    return Chosen(ast.Module(body, tree.type_ignores), tuple(sorted(left_out)))


def _add_made(own: set[str], simple: Sequence[ast.stmt]) -> None:
    """Add the names of what the file's own functions and classes give."""
    pending = [node for node in simple if isinstance(node, _ASSIGNMENTS)]
    while made := [node for node in pending if _comes_from(node, own) and not _binds(node) <= own]:
        for node in made:
            own |= _binds(node)


def _simple(body: Sequence[ast.stmt]) -> Iterator[ast.stmt]:
    """The statements of the module level, those in ``if``, ``try`` and ``with`` for these."""
    for node in body:
        parts = _bodies(node)
        if parts is None:
            yield node
        else:
            for part in parts:
                yield from _simple(part)


def _compound(body: Sequence[ast.stmt]) -> Iterator[ast.stmt]:
    for node in body:
        for part in _bodies(node) or ():
            yield from _compound(part)
        if _bodies(node) is not None:
            yield node


def _bodies(node: ast.stmt) -> list[list[ast.stmt]] | None:
    """The bodies of a compound statement; None for any other, and for a part that does not run."""
    if isinstance(node, ast.If):
        return [] if is_main_block(node) else [node.body, node.orelse]
    if isinstance(node, (ast.With, ast.AsyncWith)):
        return [node.body]
    if isinstance(node, ast.Try):
        return [node.body, *(handler.body for handler in node.handlers), node.orelse, node.finalbody]
    return None


def _headers(node: ast.stmt) -> list[ast.AST]:
    if isinstance(node, ast.If):
        return [node.test]
    if isinstance(node, (ast.With, ast.AsyncWith)):
        return list(node.items)
    return [handler.type for handler in getattr(node, "handlers", ()) if handler.type is not None]


def is_main_block(node: ast.stmt) -> bool:
    """Whether a statement is the part that only a program runs."""
    return isinstance(node, ast.If) and any(
        isinstance(part, ast.Name) and part.id == "__name__" for part in ast.walk(node.test)
    )


def _without(body: Sequence[ast.stmt], gone: set[int], left_out: list[int]) -> list[ast.stmt]:
    kept: list[ast.stmt] = []
    for node in body:
        if id(node) in gone:
            left_out.append(node.lineno)
            continue
        if _bodies(node):
            node = _shortened(node, gone, left_out)
        kept.append(node)
    return kept


def _shortened(node: ast.stmt, gone: set[int], left_out: list[int]) -> ast.stmt:
    """A compound statement without what is left out of its bodies."""
    fields = dict(ast.iter_fields(node))
    for name in ("body", "orelse", "finalbody"):
        if fields.get(name):
            fields[name] = _without(fields[name], gone, left_out) or [_pass(node)]
    if isinstance(node, ast.Try):
        fields["handlers"] = [
            ast.copy_location(
                ast.ExceptHandler(
                    handler.type, handler.name, _without(handler.body, gone, left_out) or [_pass(handler.body[0])]
                ),
                handler,
            )
            for handler in node.handlers
        ]
    return ast.copy_location(type(node)(**fields), node)


def _pass(node: ast.stmt) -> ast.stmt:
    return ast.copy_location(ast.Pass(), node)


def _is_effect(node: ast.stmt, own: set[str]) -> bool:
    if isinstance(node, ast.Expr):
        value = node.value.value if isinstance(node.value, ast.Await) else node.value
        return isinstance(value, ast.Call) and (_root(value) in own or _last(value.func) in _LEFT_OUT)
    if isinstance(node, _LOOPS):
        return any(
            _is_effect(inner, own) for inner in ast.walk(node) if isinstance(inner, ast.stmt) and inner is not node
        )
    return False


def _comes_from(node: ast.stmt, own: set[str]) -> bool:
    """Whether the value of an assignment comes from calling what is in ``own``, or from measuring."""
    value = getattr(node, "value", None)
    return value is not None and any(
        _root(call) in own or _last(call.func) in _MEASURING for call in ast.walk(value) if isinstance(call, ast.Call)
    )


def _root(node: ast.AST) -> str | None:
    """The name at the start of a chain of calls, attributes and items."""
    while isinstance(node, (ast.Call, ast.Attribute, ast.Subscript)):
        node = node.func if isinstance(node, ast.Call) else node.value
    return node.id if isinstance(node, ast.Name) else None


def _last(node: ast.AST) -> str | None:
    return node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", None)


def _reads(node: ast.AST) -> set[str]:
    """Names of the module that a statement reads: what is a function's own is not among them."""
    read: set[str] = set()
    for part in ast.iter_child_nodes(node):
        read |= _reads(part)
    if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
        read.add(node.id)
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)):
        outside = {name for part in _outside(node) for name in _reads(part)}
        read = (read - _locals(node)) | outside
    return read


def _outside(function: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda) -> list[ast.AST]:
    """What is evaluated where the function is defined: decorators, defaults, annotations."""
    given = function.args
    every = [*given.posonlyargs, *given.args, *given.kwonlyargs, given.vararg, given.kwarg]
    parts: list[ast.AST | None] = [*given.defaults, *given.kw_defaults, *(one.annotation for one in every if one)]
    return [part for part in [*parts, *getattr(function, "decorator_list", ())] if part is not None]


def _locals(function: ast.AST) -> set[str]:
    bound: set[str] = set()
    shared: set[str] = set()
    for part in ast.walk(function):
        if isinstance(part, ast.arg):
            bound.add(part.arg)
        elif isinstance(part, ast.Name) and not isinstance(part.ctx, ast.Load):
            bound.add(part.id)
        elif isinstance(part, ast.Global):
            shared.update(part.names)
    return bound - shared


def _binds(node: ast.AST) -> set[str]:
    bound = {part.id for part in ast.walk(node) if isinstance(part, ast.Name) and not isinstance(part.ctx, ast.Load)}
    # What is done to an object counts as done to its name: CONFIGS["x"] = ..., self.table.x = ...
    targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
    return bound | {name for target in targets if (name := _root(target)) is not None}  # type: ignore[arg-type]
