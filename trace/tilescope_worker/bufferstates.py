"""Which buffers a module has, what they are called in its text, and which of its lines are about them.

A buffer is its data variable and name: the compiler wraps one variable in several buffers of one name (reshaped,
flattened), which are one state here; one of another name is a part of it. Declarations and uses are read from the
objects; the text only tells what the printer called them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from tvm.tirx.stmt_functor import post_order_visit

from .facts.ir import Location, Statement, as_int, buffer_location, extent, op_name, prim_funcs
from .statements import Seen
from .wire.facts import Extent
from .wire.messages import BufferState

_DECLARING = ("AllocBuffer", "DeclBuffer", "SBlockRealize", "Bind")
_OFFSET_OP = "handle_add_byte_offset"
_ALLOCATION = " = T.sblock_alloc_buffer("
_PARAMETER = " = T.match_buffer("
_HEADER = ("T.reads(", "T.writes(", "T.sblock_attr(", "T.where(")
_HEADER_DECLARATION = (" = T.handle(", " = T.Buffer(", " = T.axis.", _ALLOCATION, _PARAMETER)


class _Facts(NamedTuple):
    """What a compiler's buffer says of itself; ``data`` is the address of its data variable, ``part`` stands for the
    buffer where it is a part of another one with the same variable."""

    name: str
    data: int
    part: int
    shape: tuple[Extent, ...]
    dtype: str
    scope: str
    where: Location | None


@dataclass
class _Draft:
    """A buffer state in the making."""

    facts: _Facts
    name: str | None = None
    where: Location | None = None
    declared: list[int] = field(default_factory=list)
    used: list[int] = field(default_factory=list)
    layout: bool = False
    inside: int | None = None
    offset: int | None = None


class BufferTable:
    """What is known of the buffers of one request, over all its modules.

    Passes share what they leave alone, so that buffers and statements are asked once. The modules must stay alive
    as long as the table: it knows variables by their addresses.
    """

    def __init__(self) -> None:
        self._facts: dict[Any, _Facts] = {}
        self._uses: dict[Seen, tuple[int, ...]] = {}
        self._keys: dict[int, int] = {}

    def states(
        self, module: Any, placed: Sequence[tuple[Seen, tuple[int, ...]]], text: Sequence[str], files: list[str]
    ) -> tuple[BufferState, ...]:
        """The buffers of ``module`` in the order of their declaration. ``placed`` are its statements, outer before
        inner, with the lines of ``text`` that they begin on; files not in ``files`` yet are added to it."""
        drafts: dict[int, _Draft] = {}
        self._parameters(module, text, drafts)
        for seen, lines in placed:
            if seen.kind in _DECLARING:
                self._declare(seen, lines, text, drafts)
        # Uses come second: the outermost block names layouts of buffers that are allocated further in.
        for seen, lines in placed:
            uses = self._uses.get(seen)
            for data in self._used_by(seen) if uses is None else uses:
                if data in drafts and lines:
                    drafts[data].used += lines
            if seen.kind == "SBlockRealize":
                self._header_uses(seen.statement.block, lines, text, drafts)
        return tuple(self._finished(data, draft, drafts, files) for data, draft in drafts.items())

    def _parameters(self, module: Any, text: Sequence[str], drafts: dict[int, _Draft]) -> None:
        buffers = [
            function.buffer_map[parameter]
            for function in prim_funcs(module)
            for parameter in function.params
            if parameter in function.buffer_map
        ]
        printed = [number for number, line in enumerate(text, start=1) if _PARAMETER in line]
        self._add_in_order(buffers, printed, text, drafts)

    def _declare(self, seen: Seen, lines: tuple[int, ...], text: Sequence[str], drafts: dict[int, _Draft]) -> None:
        statement, kind = seen.statement, seen.kind
        if kind in ("AllocBuffer", "DeclBuffer"):
            self._add(statement.buffer, lines, text, drafts)
        elif kind == "SBlockRealize":
            printed = [at for at in _header(lines, text) if _ALLOCATION in text[at - 1]]
            self._add_in_order(list(statement.block.alloc_buffers), printed, text, drafts)
        elif kind == "Bind" and op_name(statement.value).endswith(_OFFSET_OP):
            self._add_part(statement, lines, text, drafts)

    def _add_in_order(
        self, buffers: list[Any], printed: list[int], text: Sequence[str], drafts: dict[int, _Draft]
    ) -> None:
        """Add buffers that are printed in order; without lines where the text shows more or fewer than there are."""
        matched = len(printed) == len(buffers)
        for position, buffer in enumerate(buffers):
            self._add(buffer, (printed[position],) if matched else (), text, drafts)

    def _add(self, buffer: Any, lines: tuple[int, ...], text: Sequence[str], drafts: dict[int, _Draft]) -> None:
        facts = self._of(buffer)
        whole = drafts.setdefault(facts.data, _Draft(facts))
        draft = whole
        if whole.facts.name != facts.name:
            draft = drafts.setdefault(facts.part, _Draft(facts, inside=facts.data))
        draft.where = draft.where or facts.where
        draft.name = draft.name or _declared_name(lines, text)
        draft.declared += lines

    def _add_part(
        self, statement: Statement, lines: tuple[int, ...], text: Sequence[str], drafts: dict[int, _Draft]
    ) -> None:
        """A pointer into another buffer: what is left of one that was merged into it."""
        variable, (base, offset, *_) = statement.var, statement.value.args
        data = hash(variable)
        pointer = getattr(variable, "type_annotation", None)
        facts = _Facts(
            str(variable.name),
            data,
            data,
            (),
            str(getattr(getattr(pointer, "element_type", None), "dtype", "")),
            str(getattr(pointer, "storage_scope", "")),
            None,
        )
        draft = drafts.setdefault(data, _Draft(facts))
        draft.name = draft.name or _declared_name(lines, text)
        draft.declared += lines
        draft.inside, draft.offset = hash(base), as_int(offset)

    def _of(self, buffer: Any) -> _Facts:
        facts = self._facts.get(buffer)
        if facts is None:
            name, data = str(buffer.name), hash(buffer.data)
            facts = self._facts[buffer] = _Facts(
                name,
                data,
                hash((data, name)),
                tuple(extent(size) for size in buffer.shape),
                str(buffer.dtype),
                str(buffer.scope()),
                buffer_location(buffer),
            )
        return facts

    def _used_by(self, seen: Seen) -> tuple[int, ...]:
        """Addresses of the variables in the statement's own expressions; those of inner statements are not in it."""
        found: dict[int, None] = {}

        def visit(node: Any) -> None:
            kind = type(node).__name__
            if kind == "Var":
                found[hash(node)] = None
            elif kind in ("BufferLoad", "BufferStore"):
                facts = self._of(node.buffer)
                found[facts.data] = found[facts.part] = None

        for root in _own_expressions(seen.statement, seen.kind):
            post_order_visit(root, visit)
        uses = self._uses[seen] = tuple(found)
        return uses

    def _header_uses(
        self, block: Any, lines: tuple[int, ...], text: Sequence[str], drafts: Mapping[int, _Draft]
    ) -> None:
        header = [(at, text[at - 1].lstrip()) for at in _header(lines, text)]
        layouts = block.annotations.get("layout_map", {})
        laid_out = [hash(getattr(buffer, "data", buffer)) for buffer in layouts]
        for start, used in (
            ("T.reads(", [self._of(region.buffer).data for region in block.reads]),
            ("T.writes(", [self._of(region.buffer).data for region in block.writes]),
            ("T.sblock_attr(", laid_out),
        ):
            at = next((number for number, line in header if line.startswith(start)), None)
            for draft in (drafts[data] for data in dict.fromkeys(used) if data in drafts):
                draft.layout |= start == "T.sblock_attr("
                draft.used += () if at is None else (at,)

    def _finished(self, data: int, draft: _Draft, drafts: Mapping[int, _Draft], files: list[str]) -> BufferState:
        facts, around = draft.facts, drafts.get(draft.inside) if draft.inside is not None else None
        if draft.where is not None and draft.where.file not in files:
            files.append(draft.where.file)
        declared = tuple(dict.fromkeys(draft.declared))
        return BufferState(
            name=draft.name or facts.name,
            key=self._keys.setdefault(data, len(self._keys)),
            file=None if draft.where is None else files.index(draft.where.file),
            line=None if draft.where is None else draft.where.line,
            shape=facts.shape,
            dtype=facts.dtype,
            scope=facts.scope,
            declared=declared,
            used=tuple(sorted(set(draft.used) - set(declared))),
            layout=draft.layout,
            inside=None if around is None else around.name or around.facts.name,
            offset=draft.offset if around is not None else None,
        )


def _own_expressions(statement: Statement, kind: str) -> Iterator[Any]:
    if kind in ("Evaluate", "Bind"):
        yield statement.value
    elif kind == "BufferStore":
        yield statement
    elif kind in ("IfThenElse", "While", "AssertStmt"):
        yield statement.condition
    elif kind == "For":
        yield from (bound for bound in (statement.min, statement.extent) if type(bound).__name__ != "IntImm")


def _header(lines: tuple[int, ...], text: Sequence[str]) -> Iterator[int]:
    """The lines below a block's first one that say what it reads, writes, carries and allocates."""
    for at in range(lines[0] + 1, len(text) + 1) if lines else ():
        line = text[at - 1].lstrip()
        if not (line.startswith(_HEADER) or any(mark in line for mark in _HEADER_DECLARATION)):
            return
        yield at


def _declared_name(lines: Iterable[int], text: Sequence[str]) -> str | None:
    """What the printer calls the buffer that one of ``lines`` declares (``name = ...`` or ``name: type = ...``)."""
    for at in lines:
        name, separator, _ = text[at - 1].strip().partition(" = ")
        if separator:
            return name.partition(":")[0]
    return None
