"""Messages between the host and its worker processes, one JSON object each, tagged with ``type``.

Control messages travel between the host and a forking process (the zygote or a document's base); jobs and events
between the host and an analysis child, on a channel of the child's own. PROTOCOL changes when a message does.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from .facts import ArgumentOrigin, Extent, Json, Kernel, Place, Severity, TargetOrigin

PROTOCOL = 1

Phase = Literal["syntax", "module", "arguments", "elaborate", "lower", "codegen"]
"""How far the front end came before a failure."""


# --- host -> child -------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class ArgumentText:
    """A value as Python literal text (``128``, ``'float16'``, ``(64, 64)``), which keeps tuples and None apart."""

    text: str
    origin: ArgumentOrigin
    file: str | None = None
    line: int | None = None


@dataclass(frozen=True)
class KernelRequest:
    """One kernel x specialization x target. ``chain`` lists the nested ``def`` names with their lines from module
    level inwards (``[("matmul", 4), ("main", 6)]``): equal names under if/else differ in their lines.
    ``target`` is ours (``cuda:sm_90a``); ``pass_configs`` come over the kernel's own."""

    chain: tuple[tuple[str, int], ...]
    target: str
    target_origin: TargetOrigin
    arguments: dict[str, ArgumentText] = field(default_factory=dict)
    pass_configs: dict[str, Json] = field(default_factory=dict)


@dataclass(frozen=True)
class Job:
    """Execute ``text`` as the file ``path`` and analyse or record the requested kernels, in order.

    ``record`` streams pass texts as well; ``synchronous`` prints each pass as it ends, so that a hard crash keeps
    all passes before it. ``workspace`` is the folder whose modules count as the user's own. ``overlays`` are texts by
    real path: modules that differ from what is on disk, since somebody is editing them.
    """

    path: str
    text: str
    kernels: tuple[KernelRequest, ...]
    workspace: str | None = None
    record: bool = False
    synchronous: bool = False
    device_compile: bool = False
    overlays: dict[str, str] = field(default_factory=dict)


# --- child -> host -------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Hello:
    """First message of every worker process. ``tilelang`` is the version, None where it cannot be imported, with
    the reason in ``problem``."""

    protocol: int
    pid: int
    python: str
    executable: str
    tilelang: str | None
    tilelang_path: str | None = None
    torch: str | None = None
    capabilities: tuple[str, ...] = ()
    problem: str | None = None


@dataclass(frozen=True)
class RequestBegan:
    """The module is executed and this request is next: what kills the process now belongs to its kernel."""

    request: int


@dataclass(frozen=True)
class KernelUpdate:
    """All facts of request number ``request`` at a new stage."""

    request: int
    kernel: Kernel


@dataclass(frozen=True)
class Frame:
    """One traceback frame in a user's file."""

    file: str
    line: int
    name: str


@dataclass(frozen=True)
class Operand:
    """A buffer of the operation at fault. ``role`` is the parameter it was given for (``A``, ``src``, ``out``), the
    empty string where that is not known; ``extents`` those of the region, empty where it is not known to be one;
    ``file`` and ``line`` where it is allocated."""

    role: str
    name: str
    shape: tuple[Extent, ...]
    extents: tuple[Extent, ...]
    dtype: str
    scope: str
    file: str | None = None
    line: int | None = None


@dataclass(frozen=True)
class Failure:
    """What stopped a request (or, with ``request`` None, the whole file), or a compiler warning (``severity``).

    ``file``/``line``/``column`` are what the compiler or the traceback gave, None where nothing did;
    ``frames`` are the user's frames, outermost first; ``text`` is the compiler's own message; ``related`` are other
    places that have part in it (the operations that fixed two layouts in conflict).

    ``sure`` is whether the line is known to be at fault, not only near it; ``operation`` the kind of tile operation
    there, with its ``operands``. A failure that ``refines`` takes the place of the failure sent last for its request.
    ``tried`` are the values of one try (``M=1024, N=1024``) where arguments were assumed and all values fail alike.
    """

    request: int | None
    phase: Phase
    severity: Severity
    exception: str
    message: str
    text: str = ""
    pass_name: str | None = None
    file: str | None = None
    line: int | None = None
    column: int | None = None
    end_line: int | None = None
    end_column: int | None = None
    frames: tuple[Frame, ...] = ()
    missing: tuple[str, ...] = ()
    related: tuple[Place, ...] = ()
    sure: bool = True
    operation: str | None = None
    operands: tuple[Operand, ...] = ()
    refines: bool = False
    tried: str = ""


@dataclass(frozen=True)
class PassBegan:
    """A pass started; sent at once in synchronous mode, so that the pass a crash happened in is known."""

    request: int
    index: int
    name: str
    phase: str | None
    depth: int
    parent: int | None


@dataclass(frozen=True)
class BufferState:
    """A buffer of one module state. ``name`` is as printed there; ``key`` numbers its data variable within the
    request, so that equal keys are the same memory whatever it is called. ``file`` and ``line`` are where Python
    allocates it (index in ``PassText.files``), None where unknown; ``declared`` and ``used`` are text lines;
    ``layout`` is whether a layout is attached. Memory that is a part of another buffer names it in ``inside``, with
    its ``offset`` in bytes; shape and dtype are then no longer told."""

    name: str
    key: int
    file: int | None
    line: int | None
    shape: tuple[Extent, ...]
    dtype: str
    scope: str
    declared: tuple[int, ...] = ()
    used: tuple[int, ...] = ()
    layout: bool = False
    inside: str | None = None
    offset: int | None = None


@dataclass(frozen=True)
class PassText:
    """The printed IR of one module state. ``lines`` are (text line, index in ``files``, Python line) triples, for
    statements and declarations with a known origin; ``unplaced`` are the text lines of statements without one, None
    where nobody looked. ``buffers`` are those the module allocates or takes."""

    request: int
    hash: str
    text: str
    files: tuple[str, ...] = ()
    lines: tuple[tuple[int, int, int], ...] = ()
    unplaced: tuple[int, ...] | None = None
    buffers: tuple[BufferState, ...] = ()


@dataclass(frozen=True)
class PassEnded:
    """A finished (or failed) pass. ``before`` and ``after`` are PassText hashes, sent earlier; ``after`` is None
    for a failed pass. ``changed`` is structural, against the pass's own input."""

    request: int
    index: int
    name: str
    phase: str | None
    module: Literal["host", "device", "both"]
    depth: int
    parent: int | None
    changed: bool
    before: str
    after: str | None
    duration_ms: float
    status: Literal["ok", "failed"]
    error: str | None = None


@dataclass(frozen=True)
class GeneratedLine:
    """Where one line of generated source comes from: (index in ``Generated.files``, Python line) pairs, all of them
    where it has several origins, and the part it plays (producer, consumer, barrier, epilogue ...)."""

    line: int
    origins: tuple[tuple[int, int], ...]
    role: str | None = None


@dataclass(frozen=True)
class Generated:
    """Generated device source of a request; ``language`` is cuda, hip, metal, ascend-c, webgpu or c. Lines that are
    not in ``lines`` have no known origin."""

    request: int
    language: str
    text: str
    files: tuple[str, ...] = ()
    lines: tuple[GeneratedLine, ...] = ()


@dataclass(frozen=True)
class RequestDone:
    """A request is finished; ``partial`` is a kernel that has facts only without the statements at fault.
    ``lower_ms`` is the lowering alone, ``record_ms`` lowering, texts and line maps."""

    request: int
    status: Literal["ok", "partial", "failed", "unresolved"]
    lower_ms: float
    record_ms: float


@dataclass(frozen=True)
class JobDone:
    """The job is finished. ``modules`` are the workspace files it imported, or tried to; ``output`` is the tail of
    what the kernel and the compiler printed. A ``spent`` child left processes, threads or sockets behind and must not
    serve again."""

    modules: tuple[str, ...] = ()
    output: str = ""
    spent: bool = False


# --- host -> zygote or base, and back -----------------------------------------------------------------------


@dataclass(frozen=True)
class Fork:
    """Fork a process that speaks on the file descriptor passed along: a ``base``, which imports ``imports`` and
    then takes Fork messages itself, or a ``child``, which takes jobs. Its output goes to the file ``log``."""

    name: str
    role: Literal["base", "child"]
    log: str
    imports: tuple[str, ...] = ()


@dataclass(frozen=True)
class Warm:
    """Pay the compiler's first-use costs once, before further forks: a good lowering per target, one failing."""

    targets: tuple[str, ...]


@dataclass(frozen=True)
class Warmed:
    """``problem`` names what could not be warmed; forks work all the same."""

    problem: str | None = None


@dataclass(frozen=True)
class Kill:
    """Kill the named process with its whole process group and reap it."""

    name: str


@dataclass(frozen=True)
class Forked:
    name: str
    pid: int


@dataclass(frozen=True)
class Ended:
    """``status`` is the exit code, negative for a signal, as in subprocess."""

    name: str
    pid: int
    status: int


Event = RequestBegan | KernelUpdate | Failure | PassBegan | PassText | PassEnded | Generated | RequestDone | JobDone
Message = Job | Hello | Event | Fork | Warm | Warmed | Kill | Forked | Ended
