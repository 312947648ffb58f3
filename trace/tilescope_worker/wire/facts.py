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
TargetOrigin = Literal["command-line", "editor", "directive", "source", "config", "captured", "device", "default"]
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
class WarpGroup:
    """One side of a warp-specialized kernel: its threads, and the registers that each of them is given there
    (``setmaxnreg``; None where the kernel leaves them as launched)."""

    role: Literal["producer", "consumer"]
    threads: int
    registers: int | None = None


@dataclass(frozen=True)
class MemoryUse:
    """On-chip memory that one block takes: ``shared``, or Ascend's ``ub``, ``l1``, ``l0a``, ``l0b``, ``l0c``.

    ``bytes`` is what the kernel really takes, buffers whose lives do not meet sharing their place; ``declared_bytes``
    the sum of its buffers, stages included, before any such sharing (None where one is symbolic)."""

    space: str
    bytes: int
    declared_bytes: int | None = None


@dataclass(frozen=True)
class Flag:
    """Events between two of an Ascend core's pipes (``MTE2_MTE1``: the second waits for the first): how often the
    code sets and awaits them (places in the code, not runs), and the event numbers it uses."""

    event: str
    sets: int
    waits: int
    ids: tuple[int, ...] = ()


@dataclass(frozen=True)
class Launch:
    """Launch geometry: ``threads`` per block as written, ``threads_lowered`` after warp specialization; and what one
    block takes of the machine.

    ``registers`` per thread, ``spill_bytes`` and ``stack_bytes`` are the assembler's (stage ``registers``);
    ``fragment_registers`` counts the 32-bit registers per thread that the lowered kernel's private arrays (fragments
    and the operands loaded from shared memory) would need at once. ``occupancy`` is the share of the warps that an SM
    can hold, ``occupancy_limiter`` what keeps it from more (shared memory, registers, threads, blocks); an upper
    bound while ``registers`` is None: then by what warp groups set for themselves, or a gemm accumulates in.
    ``barriers`` counts mbarriers, ``tensor_memory_columns`` columns of 128 lanes of 32 bits. ``cores`` are the kinds
    of Ascend core that run the kernel (cube, vector).
    """

    grid: tuple[Extent, ...] | None = None
    threads: Extent | None = None
    threads_lowered: Extent | None = None
    shared_dynamic_bytes: int | None = None
    shared_static_bytes: int | None = None
    registers: int | None = None
    spill_bytes: int | None = None
    stack_bytes: int | None = None
    fragment_registers: int | None = None
    occupancy: float | None = None
    occupancy_limiter: str | None = None
    blocks_per_sm: int | None = None
    cluster: tuple[int, ...] | None = None
    barriers: int | None = None
    tensor_memory_columns: int | None = None
    warp_groups: tuple[WarpGroup, ...] = ()
    memory: tuple[MemoryUse, ...] = ()
    cores: tuple[str, ...] = ()
    flags: tuple[Flag, ...] = ()
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
class LayoutMap:
    """Where each element lies: expressions in Python's syntax over ``i``, ``j``, ``k``, ``l``, ``m``, ``n`` (one for
    each of ``inputs``, the extents mapped, which begin with the stages where a pipeline has several).

    ``index`` has one expression for each of ``outputs``: the place in memory, row-major, in elements; of a fragment,
    the place among one thread's elements. ``thread`` is the thread that holds a fragment's element; where there are
    copies it is also over ``rep``, 0 to ``replicate`` - 1."""

    inputs: tuple[int, ...]
    outputs: tuple[int, ...]
    index: tuple[str, ...]
    thread: str | None = None
    replicate: int = 1


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
    map: LayoutMap | None = None


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


Verdict = Literal["safe", "masked", "faulty", "unknown"]
"""``safe`` and ``faulty`` are proved, a fault by a witness; ``masked`` (of ``bounds`` only) leaves the buffer where
the compiler guards it, as the tail of a tensor does; ``unknown`` is never reported as a fault."""
AccessMode = Literal["read", "write", "atomic"]


@dataclass(frozen=True)
class Witness:
    """A case in which an access goes wrong: values of loop and block variables, and what happens there, as data.

    ``dimension`` (0-based) of the buffer has ``extent`` elements and is indexed with ``index``; both are None where
    the fault is not one of bounds. ``detail`` holds what else a sentence about it needs."""

    values: dict[str, int] = field(default_factory=dict)
    dimension: int | None = None
    index: int | None = None
    extent: int | None = None
    detail: dict[str, Json] = field(default_factory=dict)


@dataclass(frozen=True)
class Access:
    """One access of the kernel as written to a buffer: an element in a loop, or the region of a tile operation.

    ``indices`` are the first index in each dimension as printed, ``extents`` the number of elements from there;
    ``domain`` maps each variable of the indices to its first and last value; ``guards`` are the conditions around it,
    ``loops`` the variables of the loops around it, outermost first, ``parallel`` those of T.Parallel among them.
    Each verdict has a witness under its name in ``witnesses`` where it is ``faulty`` or ``masked``: ``bounds``
    (inside the buffer; ``detail``: ``outside`` is ``masked`` or ``beyond``, ``first`` and ``last`` index of the axis,
    ``never`` where no element is inside), ``initialised`` (everything read was written before; ``element``, boxes
    ``read`` and ``written``), ``race`` (no two parallel iterations write one element; ``other`` is the second
    iteration, ``variables`` those in which the two differ)."""

    buffer: str
    scope: str
    mode: AccessMode
    line: int | None
    column: int | None = None
    end_column: int | None = None
    operation: OperationKind | None = None
    indices: tuple[str, ...] = ()
    extents: tuple[Extent, ...] = ()
    domain: dict[str, tuple[int, int]] = field(default_factory=dict)
    guards: tuple[str, ...] = ()
    loops: tuple[str, ...] = ()
    parallel: tuple[str, ...] = ()
    called_from: tuple[int, ...] = ()
    bounds: Verdict = "unknown"
    initialised: Verdict = "unknown"
    race: Verdict = "unknown"
    witnesses: dict[str, Witness] = field(default_factory=dict)


@dataclass(frozen=True)
class Coverage:
    """Whether all elements of a buffer are written (``mode`` write) or read by the whole launch. ``missing`` is, per
    dimension, the first and last index of a box that no block touches. ``detail`` has ``axes`` where all accesses go
    alike: of each axis its ``extent``, the ``first`` and ``last`` index touched (also outside), and the ``variable``
    that moves its tiles (``kind``, ``count`` of values, ``tile``, ``line`` of its loop)."""

    buffer: str
    mode: AccessMode
    verdict: Verdict
    line: int | None = None
    missing: tuple[tuple[int, int], ...] = ()
    detail: dict[str, Json] = field(default_factory=dict)


@dataclass(frozen=True)
class WarpAccess:
    """One memory instruction of the lowered kernel as a warp issues it.

    ``bytes_per_thread`` is the width of one lane's access. Shared memory: ``ways`` is the largest number of different
    32-bit words of one bank in one phase (1: free of conflicts), ``lanes`` a set of lanes that conflict, ``phases``
    the number of phases without conflicts, ``wavefronts`` that with them; ``padding`` elements more in each row of
    the buffer free the instruction of conflicts (None: no small number does, or the layout is not one of rows).
    Global memory: ``sectors`` are the 32-byte sectors that the warp touches, ``ideal_sectors`` the fewest that can
    hold its bytes, ``sector_use`` the share of the touched bytes that the warp asks for within the innermost loop.
    ``stride_bytes`` lies between the first two of ``lanes``, in global memory of those that take part; ``repeats`` is
    how often a thread gives the instruction another place, ``looped`` whether a loop that is not unrolled (over k,
    say) is around it. Figures are those of the worst warp and iteration tried;
    ``unsure`` says why one is missing."""

    buffer: str
    space: Literal["shared", "global"]
    mode: AccessMode
    line: int | None
    instruction: str
    column: int | None = None
    end_column: int | None = None
    bytes_per_thread: int | None = None
    ways: int | None = None
    lanes: tuple[int, ...] = ()
    phases: int | None = None
    wavefronts: int | None = None
    stride_bytes: int | None = None
    padding: int | None = None
    sectors: int | None = None
    ideal_sectors: int | None = None
    sector_use: float | None = None
    repeats: int | None = None
    looped: bool = False
    unsure: str | None = None


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
    accesses: tuple[Access, ...] = ()
    coverage: tuple[Coverage, ...] = ()
    warp_accesses: tuple[WarpAccess, ...] = ()
    findings: tuple[Finding, ...] = ()
    missing: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
