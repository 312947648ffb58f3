"""The settings of a session: one list for reading them, the clients' forms and the documentation.

A setting is a field made by `setting`; a group of settings is a field made by `group`.
"""

# ruff: noqa: RUF009 - `setting` and `group` return dataclass fields
from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal, TypeVar

from .kinds import Choice, Flag, Kind, Number, Table, Text

Scope = Literal["session", "window", "machine-overridable"]
"""Where it may be set: ``session`` ones are sent by the client itself at the start and are no setting for people."""

T = TypeVar("T")


@dataclass(frozen=True)
class Setting:
    """``name`` is dotted, as people write it; ``path`` names the fields that lead to its value. Settings that are
    ``restricted`` count in trusted workspaces only."""

    name: str
    path: tuple[str, ...]
    kind: Kind
    default: Any
    doc: str
    scope: Scope
    restricted: bool


def setting(name: str, default: T, kind: Kind, doc: str, *, scope: Scope = "window", restricted: bool = False) -> T:
    """A field with a default that is one setting."""
    about = {"name": name, "kind": kind, "doc": doc, "scope": scope, "restricted": restricted}
    if isinstance(default, dict):
        found: Any = dataclasses.field(default_factory=dict, metadata=about)
        return found  # type: ignore[no-any-return]
    return dataclasses.field(default=default, metadata=about)


def group(name: str, kind: type[T]) -> T:
    """A field that holds a group of settings."""
    return dataclasses.field(default_factory=kind, metadata={"name": name, "group": kind})


@dataclass(frozen=True)
class Hints:
    """Inlay hints: which, and how long."""

    enabled: bool = setting("enabled", True, Flag(), "Show inlay hints.")
    max_length: int = setting(
        "maxLength",
        40,
        Number(12, 200, "characters"),
        "The longest label. What is longer is said in shorter forms, and never left out before it is cut.",
    )
    buffer: bool = setting(
        "buffer", True, Flag(), "After an allocation's name: shape, dtype, memory scope and pipeline stages."
    )
    layout: bool = setting(
        "layout",
        True,
        Flag(),
        "Also there: the swizzle of shared memory, registers per thread and copies of a fragment.",
    )
    memory: bool = setting("memory", True, Flag(), "Bytes of a buffer, and of shared memory at the launch.")
    copy: bool = setting("copy", True, Flag(), "After T.copy: the instructions that it was lowered to.")
    gemm: bool = setting("gemm", True, Flag(), "After T.gemm: the matrix instruction that it was lowered to.")
    launch: bool = setting("launch", True, Flag(), "After T.Kernel: grid, threads as written and as lowered.")
    pipeline: bool = setting("pipeline", True, Flag(), "After T.Pipelined: stages, asynchrony, warp specialization.")
    parallel: bool = setting(
        "parallel", True, Flag(), "After T.Parallel: how the iterations are spread over threads and vector lanes."
    )
    profile: bool = setting(
        "profile",
        True,
        Flag(),
        "After operations: their share of the kernel's time and what they wait for, where a profile is attached.",
    )
    parameter: bool = setting(
        "parameter",
        True,
        Flag(),
        "At parameters: the value that the specialization gives them, and the shape of a tensor.",
    )


@dataclass(frozen=True)
class Diagnostics:
    """Findings in the editor; which ones, and how severe they are, says the configuration of the project."""

    enabled: bool = setting("enabled", True, Flag(), "Show findings of the compiler and of the rules.")
    rule_pages: str | None = setting(
        "rulePages",
        None,
        Text("the address of a folder"),
        "Address below which the pages of rules are (TS201.md ...), for the links of findings; "
        "without one they are written into the user's cache folder.",
    )


@dataclass(frozen=True)
class CodeLens:
    """Lines above kernels."""

    enabled: bool = setting(
        "enabled", True, Flag(), "Show specialization, target and what can be opened above each kernel."
    )


@dataclass(frozen=True)
class SemanticTokens:
    """Colours of names."""

    enabled: bool = setting(
        "enabled", False, Flag(), "Colour buffers by the memory they lie in: global, shared, fragment, local."
    )


@dataclass(frozen=True)
class Debounce:
    """How long to wait after an edit; half of what recent analyses of the document took, between these."""

    min_ms: float = setting(
        "minMs", 30.0, Number(0, 60_000, "ms", whole=False), "Shortest wait between an edit and its analysis, in ms."
    )
    max_ms: float = setting(
        "maxMs",
        400.0,
        Number(0, 60_000, "ms", whole=False),
        "Longest wait between an edit and its analysis, in ms; the wait follows recent analysis times.",
    )


@dataclass(frozen=True)
class WorkerLimits:
    """Limits of the processes that compile."""

    memory_mib: int = setting(
        "memoryMiB",
        12_288,
        Number(512, 1 << 20, "MiB"),
        "Resident memory, in MiB, at which a process that compiles a document is stopped.",
    )
    parallel: int = setting(
        "parallel",
        2,
        Number(1, 64),
        "Documents that are compiled at a time. One that is looked at or edited never waits for others.",
    )
    documents: int = setting(
        "documents",
        8,
        Number(1, 1024),
        "Documents whose compiling processes are kept: those compiled last. Others get new ones when they are edited "
        "or analysed again.",
    )
    silence_seconds: int = setting(
        "silenceSeconds",
        60,
        Number(1, 3600, "seconds"),
        "How long a compile may make no progress before it is stopped, in seconds.",
    )


@dataclass(frozen=True)
class Log:
    """What the server tells about itself."""

    level: str = setting(
        "level",
        "warning",
        Choice(("error", "warning", "info", "debug")),
        "What the client's output channel and the log file are told: this and what is more severe.",
    )
    file: bool = setting("file", True, Flag(), "Keep a log file in the user's log folder; the status names it.")


@dataclass(frozen=True)
class Settings:
    """Settings of one session."""

    trusted: bool = setting(
        "trusted",
        False,
        Flag(),
        "Whether kernels of this workspace may be executed, to compile them. Anything but true means no.",
        scope="session",
    )
    target: str | None = setting(
        "target", None, Text("a target name"), "Target over what files say, such as cuda:sm_90a."
    )
    device: bool = setting(
        "device",
        True,
        Flag(),
        "Compile kernels that nothing names a target for for the GPU of this machine, where it has one.",
    )
    interpreter: str | None = setting(
        "interpreter",
        None,
        Text("a path"),
        "Python that has tilelang, or its environment; searched for when absent.",
        scope="machine-overridable",
        restricted=True,
    )
    pass_configs: dict[str, Any] = setting("passConfigs", {}, Table(), "Pass configs, over the kernel's own.")
    hints: Hints = group("hints", Hints)
    diagnostics: Diagnostics = group("diagnostics", Diagnostics)
    code_lens: CodeLens = group("codeLens", CodeLens)
    semantic_tokens: SemanticTokens = group("semanticTokens", SemanticTokens)
    debounce: Debounce = group("debounce", Debounce)
    worker: WorkerLimits = group("worker", WorkerLimits)
    log: Log = group("log", Log)


def _table(kind: type, names: tuple[str, ...] = (), path: tuple[str, ...] = ()) -> Iterator[Setting]:
    for item in dataclasses.fields(kind):
        about = item.metadata
        there, named = (*path, item.name), (*names, about["name"])
        if "group" in about:
            yield from _table(about["group"], named, there)
            continue
        default = {} if item.default is dataclasses.MISSING else item.default
        yield Setting(
            ".".join(named), there, about["kind"], default, about["doc"], about["scope"], about["restricted"]
        )


TABLE: tuple[Setting, ...] = tuple(_table(Settings))
"""Every setting, in the order of the documentation."""
GROUPS: frozenset[str] = frozenset(one.name.rpartition(".")[0] for one in TABLE if "." in one.name)
"""Names of the groups."""
