"""TS503: an API of TileLang that other versions do not have."""

from __future__ import annotations

import ast
import functools
import re
from collections.abc import Iterator

from tilescope_trace.rules import fixes
from tilescope_trace.rules.case import Case, Wording
from tilescope_trace.rules.place import Span, line_text
from tilescope_trace.rules.rule import Rule
from tilescope_trace.source.names import Names, language_member, resolve
from tilescope_trace.source.per_node import per_node
from tilescope_trace.source.tolerant import Parsed, parse, read
from tilescope_trace.text_lines import lines_of
from tilescope_worker.wire.facts import Finding, Fix

from .removed import CONFIGS, KEYS, NAMES, PARAMETERS, Removed, is_older, of_module

RULE = Rule(
    code="TS503",
    name="removed-api",
    severity="error",
    summary="An API of TileLang that other versions do not have",
    doc="""\
Modules, names, parameters and pass configs that were removed or renamed between TileLang 0.1.9 and 0.1.15. It is an
error where the installed TileLang refuses it, a warning where it is only seen in the source, and an info where the
installed TileLang is older and still has it. Imports in a `try` are left alone.
""",
    example="""\
@tilelang.jit(pass_configs={"tir.disable_vectorize": True})  # "tirx.disable_vectorize" since 0.1.11
""",
    why="""\
The kernel runs with the TileLang that it was written for, and after an upgrade its file stops at the import, or
every one of its kernels at the pass config.
""",
    fix="Use what took its place, where the finding names it.",
    ignore="When the version of TileLang is pinned.",
    tag="deprecated",
)


def findings(text: str, path: str, installed: str | None) -> tuple[Finding, ...]:
    """Those of a file, as its text shows them; ``installed`` is the version of TileLang, None where unknown."""
    parsed, found = _found(text)
    return tuple(_finding(node, what, parsed, path, installed) for node, what in found)


def _finding(node: ast.AST, what: Removed, parsed: Parsed, path: str, installed: str | None) -> Finding:
    line, column, end = parsed.span(node)
    span = Span(line, column, line, end)
    return Finding(
        code=RULE.code,
        severity="info" if installed is not None and is_older(installed, what.first) else "warning",
        file=path,
        line=span.line,
        column=span.column,
        end_line=span.end_line,
        end_column=span.end_column,
        message=what.said,
        fixes=_renamed(node, what, parsed),
        help=f"use {what.instead}" if what.instead else None,
    )


def _renamed(node: ast.AST, what: Removed, parsed: Parsed) -> tuple[Fix, ...]:
    """How to mend a key of pass configs."""
    if not isinstance(node, ast.Constant) or not what.name:
        return ()
    edit = fixes.node_replaced("\n".join(parsed.lines), node, f'"{what.name}"')
    return (fixes.fix(f"Rename to {what.name}", edit),)


Place = tuple[ast.AST, Removed]
"""What is used at a node. Kept with the statement, also while that moves: nothing of it may tell a line."""


@functools.lru_cache(maxsize=8)
def _found(text: str) -> tuple[Parsed, tuple[Place, ...]]:
    """The places, with the tree that they are in. Kept: facts are given out once a stage, and the text does not
    change between."""
    parsed = read(text)
    names = resolve(parsed)
    if parsed.problems or not _places(parsed, names):
        return parsed, ()
    parsed = parse(text)
    return parsed, _places(parsed, names)


def _places(parsed: Parsed, names: Names) -> tuple[Place, ...]:
    found: list[Place] = []
    for statement in parsed.tree.body:
        kept = _of_statement(statement)
        if names.meanings not in kept:
            kept[names.meanings] = tuple(_read(statement, names))
        found += kept[names.meanings]
    return tuple(found)


@per_node
def _of_statement(_statement: ast.stmt) -> dict[tuple[object, ...], tuple[Place, ...]]:
    """Those of a statement at module level, by what the file's names mean."""
    return {}


def _read(statement: ast.stmt, names: Names) -> Iterator[Place]:
    for node in _untried(statement):
        if isinstance(node, ast.Import):
            for alias in node.names:
                if (module := of_module(alias.name)) is not None:
                    yield node, module
        elif isinstance(node, ast.ImportFrom) and not node.level and node.module:
            if (module := of_module(node.module)) is not None:
                yield node, module
            for alias in node.names:
                if what := NAMES.get(f"{node.module}.{alias.name}") or of_module(f"{node.module}.{alias.name}"):
                    yield node, what
        elif isinstance(node, ast.Attribute):
            dotted = names.dotted(node) or ""
            known = KEYS.get(node.attr) if dotted.rpartition(".")[0].endswith("PassConfigKey") else _named(dotted)
            if known is not None:
                yield node, known
        elif isinstance(node, ast.Call):
            yield from _called(node, names)


def _named(dotted: str) -> Removed | None:
    member = language_member(dotted)
    return NAMES.get(f"tilelang.language.{member}") if member and "rocm" not in dotted else NAMES.get(dotted)


def _called(call: ast.Call, names: Names) -> Iterator[Place]:
    dotted = names.dotted(call.func) or ""
    function = language_member(dotted)
    for keyword in call.keywords:
        what = PARAMETERS.get((function or "", keyword.arg or ""))
        if what is not None and "rocm" not in dotted:
            yield keyword, what
        if keyword.arg == "pass_configs" and isinstance(keyword.value, ast.Dict):
            yield from _configs(keyword.value)
    if function == "annotate_pass_configs":
        for argument in call.args:
            if isinstance(argument, ast.Dict):
                yield from _configs(argument)


def _configs(written: ast.Dict) -> Iterator[Place]:
    for key in written.keys:
        what = CONFIGS.get(key.value) if isinstance(key, ast.Constant) and isinstance(key.value, str) else None
        if key is not None and what is not None:
            yield key, what


def _untried(tree: ast.AST) -> Iterator[ast.AST]:
    """All nodes but those in a ``try``: whoever tries has an answer for failing."""
    pending: list[ast.AST] = [tree]
    while pending:
        node = pending.pop()
        yield node
        if not isinstance(node, ast.Try):
            pending.extend(reversed(list(ast.iter_child_nodes(node))))


def explain(case: Case) -> Wording | None:
    """What the installed TileLang does not have, since when, and what it has instead."""
    what, name = _refused(case)
    if what is None:
        return None
    line = _line_of_config(case, name) if name in CONFIGS else None
    edits: tuple[Fix, ...] = ()
    if line is not None and name is not None and what.name is not None:
        column = line_text(case.text, line).index(name) + 1
        edits = (fixes.fix(f"Rename to {what.name}", fixes.replaced(line, column, column + len(name), what.name)),)
    return Wording(what.said, f"use {what.instead}" if what.instead else None, name, line, fixes=edits)


def _line_of_config(case: Case, name: str | None) -> int | None:
    """The line that gives a pass config: the compiler tells of the kernel only."""
    lines = enumerate(lines_of(case.text), 1)
    return next((at for at, text in lines if f'"{name}"' in text or f"'{name}'" in text), None)


def _refused(case: Case) -> tuple[Removed | None, str | None]:
    if found := case.find(r"(?:No module named|has no module) '?(tilelang(?:\.\w+)+)"):
        return of_module(found[1]), found[1]
    if found := case.find(r"module '(tilelang[\w.]*)' has no attribute '(\w+)'"):
        return NAMES.get(f"{found[1]}.{found[2]}"), found[2]
    if found := case.find(r"cannot import name '(\w+)' from '(tilelang[\w.]*)'"):
        return NAMES.get(f"{found[2]}.{found[1]}") or of_module(f"{found[2]}.{found[1]}"), found[1]
    if found := case.find(r"(\w+)\(\) got an unexpected keyword argument '(\w+)'"):
        return PARAMETERS.get((found[1], found[2])), found[2]
    if found := case.find(r"Invalid config option '([\w.]+)'"):
        return CONFIGS.get(found[1]), found[1]
    if case.failure.exception == "AttributeError" and (found := re.search(r"\b(TL_\w+)$", case.failure.message)):
        return KEYS.get(found[1]), found[1]
    return None, None
