"""Facts about kernels: frozen, JSON-shaped, the vocabulary of every output of tilescope.

Lines and columns are 1-based, columns count code points, ends are exclusive; sizes are bytes. ``None`` means not
known (at this stage, on this target, with this TileLang): public JSON leaves such keys out.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

Json = Any
"""A JSON value: None, bool, int, float, str, list or dict."""

Extent = int | str
"""One dimension: a number, or the expression as printed where it is symbolic."""

Stage = Literal["static", "buffers", "layouts", "lowered", "registers"]
Status = Literal["ok", "partial", "failed", "unresolved"]
Form = Literal["lazy", "eager", "prim_func", "factory", "autotune"]
Severity = Literal["error", "warning", "info"]
Confidence = Literal["exact", "likely"]
ArgumentOrigin = Literal[
    "command-line", "editor", "directive", "config", "captured", "call", "autotune", "default", "assumed"
]
"""Where a value came from, strongest first; a specialization's origin is the weakest of its arguments'."""
TargetOrigin = Literal["command-line", "editor", "directive", "source", "config", "device", "default"]
LayoutKind = Literal["shared", "fragment", "fractal", "other"]
Swizzle = Literal["none", "32B", "64B", "128B"]
OperationKind = Literal["copy", "gemm", "reduce", "fill", "atomic", "parallel", "pipeline", "loop", "launch", "other"]


@dataclass(frozen=True)
class Argument:
    """The value of one kernel parameter. ``value`` is JSON; what is not (a function, say) appears as its repr."""

    value: Json
    origin: ArgumentOrigin
    file: str | None = None
    line: int | None = None


@dataclass(frozen=True)
class Specialization:
    """Arguments, pass configs and compile flags: with a target, all that fixes what the compiler does.

    ``id`` is 12 hexadecimal digits, equal for equal content. ``origin`` is None where there are no arguments.
    """

    id: str
    origin: ArgumentOrigin | None = None
    args: dict[str, Argument] = field(default_factory=dict)
    pass_configs: dict[str, Json] = field(default_factory=dict)
    compile_flags: tuple[str, ...] = ()


@dataclass(frozen=True)
class Launch:
    """Launch geometry: ``threads`` per block as written, ``threads_lowered`` after warp specialization."""

    grid: tuple[Extent, ...] | None = None
    threads: Extent | None = None
    threads_lowered: Extent | None = None
    shared_dynamic_bytes: int | None = None
    shared_static_bytes: int | None = None
    registers: int | None = None
    occupancy: float | None = None
    line: int | None = None
    column: int | None = None
    end_column: int | None = None


@dataclass(frozen=True)
class DecidedBy:
    """The pass and the operation (at ``line``) that fixed a layout."""

    pass_name: str
    line: int | None
    reason: str


@dataclass(frozen=True)
class Layout:
    """An inferred layout. ``registers_per_thread`` counts 32-bit registers; ``replicate`` is the number of copies
    of each element over the threads; ``threads`` the number of threads that hold the fragment."""

    kind: LayoutKind
    summary: str
    swizzle: Swizzle | None = None
    registers_per_thread: int | None = None
    replicate: int | None = None
    threads: int | None = None
    decided_by: DecidedBy | None = None


@dataclass(frozen=True)
class Buffer:
    """``shape`` as declared; ``bytes`` is that of shape x stages over the whole block (None where symbolic)."""

    name: str
    line: int | None
    column: int | None
    shape: tuple[Extent, ...]
    dtype: str | None
    scope: str
    stages: int = 1
    bytes: int | None = None
    end_column: int | None = None
    layout: Layout | None = None


@dataclass(frozen=True)
class Operation:
    """A tile operation or loop at its source line. ``lowered_to`` names instructions, in order of first appearance;
    ``called_from`` lists call-site lines where ``line`` is in a macro's body; ``detail`` holds kind-specific facts
    (source and destination, tile, instruction, stages ...)."""

    kind: OperationKind
    line: int | None
    column: int | None = None
    end_column: int | None = None
    lowered_to: tuple[str, ...] = ()
    detail: dict[str, Json] = field(default_factory=dict)
    called_from: tuple[int, ...] = ()


@dataclass(frozen=True)
class Place:
    """A related source place with what is there."""

    file: str
    line: int
    message: str


@dataclass(frozen=True)
class Fix:
    """A sure edit: ``edits`` are {line, column, end_line, end_column, text}."""

    title: str
    edits: tuple[dict[str, Json], ...] = ()


@dataclass(frozen=True)
class Finding:
    """A located statement about a kernel or file; ``code`` is a rule code (TS0xx ... TS5xx)."""

    code: str
    severity: Severity
    file: str
    line: int
    column: int
    end_line: int
    end_column: int
    message: str
    related: tuple[Place, ...] = ()
    kernel: str | None = None
    specialization: str | None = None
    target: str | None = None
    pass_name: str | None = None
    confidence: Confidence = "exact"
    fixes: tuple[Fix, ...] = ()
    help: str | None = None
    compiler: str | None = None
    """The compiler's own text, whole; shown folded."""


@dataclass(frozen=True)
class Kernel:
    """Everything known about one kernel x specialization x target, at ``stage``.

    ``name`` is the last part of ``qualname`` (``matmul.main`` for the prim_func ``main`` in the factory ``matmul``);
    ``line`` is the line of the ``def`` that ``qualname`` names. ``missing`` names parameters without a value
    (status ``unresolved``); ``notes`` say in words what is assumed, partial or not available.
    """

    name: str
    qualname: str
    line: int
    form: Form
    target: str
    target_origin: TargetOrigin
    stage: Stage
    status: Status
    specialization: Specialization
    launch: Launch | None = None
    buffers: tuple[Buffer, ...] = ()
    operations: tuple[Operation, ...] = ()
    findings: tuple[Finding, ...] = ()
    missing: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
