"""Which statement each line of generated source came from, found out by generating it a second time with marks.

A marked copy of the module has a statement between any two that no kernel has. It comes out as a line of its own, and
the lines up to the next mark belong to the statement that it names. Taking the marks out must give the plain source,
character for character; whoever calls this compares them.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Protocol

import tvm
from tilelang.ir import make_span, set_stmt_span
from tvm import tirx
from tvm.tirx.stmt_functor import ir_transform

from .facts.ir import Statement
from .spans.tree import Node, Tree, tree_of

_NAME = "__tilescope_mark"
_KINDS = tuple(
    f"tirx.{name}"
    for name in (
        *("SeqStmt", "SBlock", "SBlockRealize", "DeclBuffer", "AllocBuffer", "BufferStore", "Bind", "Evaluate"),
        *("While", "For", "IfThenElse", "AssertStmt", "AttrStmt"),
    )
)
_LEXICAL_SCOPE = "lexical_alloc_scope"

Generate = Callable[[Any, dict[str, Any]], str]
"""Makes the source of a module, under additional pass configs."""


class Style(Protocol):
    """A form of marks: ``configs`` are the pass configs it needs."""

    configs: dict[str, Any]

    def mark(self, number: int) -> Any:
        """The statement that is mark ``number``."""

    def read(self, line: str) -> tuple[bool, int | None]:
        """Whether a line of source is no line of the plain source, and the number if it is a mark."""


class Calls:
    """Calls of a function that does not exist; every code generator writes them."""

    configs: dict[str, Any] = {}  # noqa: RUF012 - read only
    _line = re.compile(rf"\s*{_NAME}\((\d+)i?\);?\s*")

    def mark(self, number: int) -> Any:
        return tirx.Evaluate(tirx.call_extern("int32", _NAME, number))

    def read(self, line: str) -> tuple[bool, int | None]:
        found = self._line.fullmatch(line)
        return (True, int(found[1])) if found else (False, None)


class Directives:
    """Statements that generate nothing but a ``#line`` directive; only some code generators write those."""

    configs: dict[str, Any] = {"tl.emit_line_directives": True}  # noqa: RUF012 - read only
    _line = re.compile(r'#line (\d+) "(.*)"')

    def mark(self, number: int) -> Any:
        stmt = tirx.Evaluate(tirx.IntImm("int32", 1))  # a zero is dropped from sequences
        set_stmt_span(stmt, make_span(_NAME, number + 1))
        return stmt

    def read(self, line: str) -> tuple[bool, int | None]:
        found = self._line.fullmatch(line)
        if found is None:
            return False, None
        return True, int(found[1]) - 1 if found[2] == _NAME else None


@dataclass(frozen=True)
class Owner:
    """What a line belongs to: a statement in the tree of its function, or with ``node`` None the function itself."""

    function: Any
    tree: Tree
    node: Node | None


@dataclass(frozen=True)
class Marked:
    """``owners`` has an entry for each line of ``text``, None for what is outside of functions."""

    text: str
    owners: tuple[Owner | None, ...]


@dataclass
class _Book:
    style: Style
    owners: list[Owner] = field(default_factory=list)

    def number(self, owner: Owner) -> int:
        self.owners.append(owner)
        return len(self.owners) - 1


def generate_marked(mod: Any, generate: Generate, style: Style) -> Marked:
    """Generate source from a marked copy of ``mod`` and take the marks out.

    What ``generate`` raises is passed on.
    """
    book = _Book(style)
    functions = {var: _marked(f, book) if hasattr(f, "body") else f for var, f in mod.functions.items()}
    copy = tvm.IRModule(functions, attrs=mod.attrs, global_infos=mod.global_infos)
    roots = [owner for owner in book.owners if owner.node is None]
    signatures = {f"{owner.function.attrs['global_symbol']}(": owner for owner in roots}
    return _read(generate(copy, style.configs), book, signatures)


def _marked(function: Any, book: _Book) -> Any:
    tree = tree_of(function.body)
    root = book.number(Owner(function, tree, None))
    numbers = {}
    for node in tree.nodes:
        if node.stmt not in numbers:
            numbers[node.stmt] = book.number(Owner(function, tree, node))
    # (statement, the mark its lines have, whether it has marks around it) from the outermost inwards
    stack: list[tuple[str, int, bool]] = [("", root, False)]

    def enter(stmt: Statement) -> None:
        kind = type(stmt).__name__
        around, inherited, _ = stack[-1]
        if kind == "SeqStmt" or (kind == "SBlock" and around == "SBlockRealize"):
            stack.append((kind, inherited, False))
        elif kind == "AttrStmt" and _LEXICAL_SCOPE in str(stmt.attr_key) and around in ("For", _LEXICAL_SCOPE):
            # Right below a loop the scope is the loop's own braces; the code generators look no further.
            stack.append((_LEXICAL_SCOPE, inherited, False))
        else:
            stack.append((kind, numbers[stmt], True))

    def leave(stmt: Statement) -> Any:
        _, number, is_marked = stack.pop()
        if not is_marked:
            return None
        return tirx.SeqStmt([book.style.mark(number), stmt, book.style.mark(stack[-1][1])])

    return function.with_body(ir_transform(function.body, enter, leave, list(_KINDS)))


def _read(text: str, book: _Book, signatures: dict[str, Owner]) -> Marked:
    plain: list[str] = []
    owners: list[Owner | None] = []
    owner: Owner | None = None
    ends = False
    for line in text.split("\n"):
        is_extra, number = book.style.read(line)
        if number is not None:
            owner = book.owners[number]
            ends = owner.node is None
        if is_extra:
            continue
        owner = next((found for name, found in signatures.items() if name in line), owner)
        plain.append(line)
        owners.append(owner)
        if ends and line.strip():
            owner, ends = None, False  # the brace that closes a function is its last line
    return Marked("\n".join(plain), tuple(owners))
