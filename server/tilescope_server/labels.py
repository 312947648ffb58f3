"""What inlay hints say, in short forms. Which statements are made, and how long they may be, say the settings."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Literal

from tilescope_trace.model import Argument, Buffer, Extent, Kernel, Launch, Layout, Operation

from .fitting import Label, Part, fit, followed
from .settings import Hints

if TYPE_CHECKING:
    from tilescope_trace.profile.heat import Hot

ALL = Hints()
"""Every kind, at the usual length."""

Forms = tuple[str, ...]
"""One statement, longest form first."""

Mark = Literal["~", "≈", "…"]
"""A reservation about a hint; hovers say it in words."""

STALE: Mark = "~"
ASSUMED: Mark = "≈"
PARTIAL: Mark = "…"


def buffer_label(buffer: Buffer, marks: Iterable[Mark] = (), others: int = 0, hints: Hints = ALL) -> Label | None:
    """``: [128,32] f16 shared ×3 ⟨swz64⟩ 24 KiB``; ``others`` counts the variants that differ. None where
    the settings leave nothing to say."""
    parts: list[Part] = []
    if hints.buffer:
        parts.append(Part(_shape_forms(buffer.shape), "definition"))
        if buffer.dtype is not None:
            parts.append(Part((dtype(buffer.dtype),), "definition"))
        decided = buffer.layout is not None and buffer.layout.decided_by is not None
        parts.append(Part(_scope_forms(buffer.scope), "decided" if decided else None))
        if buffer.stages > 1:
            parts.append(Part((f"×{buffer.stages}",), "pipeline"))
    if hints.layout:
        parts.extend(Part(forms, "layout") for forms in _layout_forms(buffer.layout))
    # A fragment lies in registers, spread over threads: bytes of the whole would say little.
    if hints.memory and buffer.bytes is not None and buffer.scope not in ("global", "local.fragment"):
        parts.append(Part((size(buffer.bytes), size(buffer.bytes, compact=True))))
    return fit(": ", parts, hints.max_length, ending=_reservations(marks, others)) if parts else None


def launch_label(launch: Launch, marks: Iterable[Mark] = (), others: int = 0, hints: Hints = ALL) -> Label | None:
    """``grid 8×8 · 128→256 threads · 48 KiB``; None where nothing is known."""
    parts: list[Forms] = []
    if launch.grid and hints.launch:
        grid = "×".join(_extent(item, 12) for item in launch.grid)
        parts.append((f"grid {grid}", f"grid {'×'.join(_extent(item, 4) for item in launch.grid)}"))
    if launch.threads is not None and hints.launch:
        threads = _extent(launch.threads, 12)
        if launch.threads_lowered not in (None, launch.threads):
            threads = f"{threads}→{launch.threads_lowered}"
        parts.append((f"{threads} threads", f"{threads} thr"))
    shared = (launch.shared_dynamic_bytes or 0) + (launch.shared_static_bytes or 0)
    if shared and hints.memory:
        parts.append((f"{size(shared)} shared", size(shared), size(shared, compact=True)))
    if launch.registers is not None and hints.launch:
        parts.append((f"{launch.registers} registers", f"{launch.registers} regs"))
    said = [Part(forms) for forms in parts]
    return fit("", said, hints.max_length, " · ", _reservations(marks, others)) if said else None


def operation_label(
    operation: Operation, marks: Iterable[Mark] = (), others: int = 0, hints: Hints = ALL
) -> Label | None:
    """``→ TMA load``, ``→ wgmma m64n128k16``, ``3 stages, async``, ``→ 128 threads × 8, vectors of 4``; None where
    there is nothing to say."""
    prefix, parts = "→ ", list[Part]()
    if operation.kind == "pipeline" and hints.pipeline:
        prefix, parts = "", [Part(forms) for forms in _pipeline_parts(operation)]
    elif operation.kind == "parallel" and hints.parallel:
        parts = [Part(forms) for forms in _parallel_parts(operation)]
    elif (operation.kind == "copy" and hints.copy) or (operation.kind == "gemm" and hints.gemm):
        parts = [Part(_instruction_forms(name, operation), "definition") for name in operation.lowered_to]
    return fit(prefix, parts, hints.max_length, ", ", _reservations(marks, others)) if parts else None


def with_heat(label: Label | None, hot: Hot | None, hints: Hints = ALL, *, stale: bool = False) -> Label | None:
    """``→ wgmma m64n256k16, 46 % · barrier``: a label with the operation's share of its kernel's time, where that is
    known; ``stale`` where an earlier text was measured."""
    if hot is None:
        return label
    sign = f" {STALE}" if stale else ""
    return followed(label, (f"{hot}{sign}", f"{hot.share_text}{sign}"), hints.max_length, ", ")


def tensor_label(buffer: Buffer, marks: Iterable[Mark] = (), others: int = 0, hints: Hints = ALL) -> Label:
    """``[1024,512] f16``: a tensor parameter as this specialization has it."""
    parts = [Part(_shape_forms(buffer.shape))]
    if buffer.dtype is not None:
        parts.append(Part((dtype(buffer.dtype),)))
    return fit("", parts, hints.max_length, ending=_reservations(marks, others))


def argument_label(
    argument: Argument, *, replaces: bool, marks: Iterable[Mark] = (), others: int = 0, hints: Hints = ALL
) -> Label:
    """``= 1024``: the value of a kernel's parameter; ``→ 1024`` where it ``replaces`` a default."""
    value = argument.value if isinstance(argument.value, str) else repr(argument.value)
    parts = [Part((" ".join(value.split()),))]
    return fit("→ " if replaces else "= ", parts, hints.max_length, ending=_reservations(marks, others))


def marks_of(kernel: Kernel, *, stale: bool) -> tuple[Mark, ...]:
    """The reservations that hold for every fact of a kernel."""
    marks = []
    if stale:
        marks.append(STALE)
    if kernel.specialization.origin == "assumed":
        marks.append(ASSUMED)
    if kernel.status == "partial" and kernel.stage in ("lowered", "registers"):  # earlier ones always are
        marks.append(PARTIAL)
    return tuple(marks)


def size(count: int, *, compact: bool = False) -> str:
    """``24 KiB``: a number of bytes in the largest binary unit that keeps it above one, to a tenth; compact,
    ``24K``."""
    if count < 1024:
        return f"{count}B" if compact else f"{count} B"
    value, unit = (count / 1024, "KiB") if count < 1 << 20 else (count / (1 << 20), "MiB")
    return f"{value:.1f}".removesuffix(".0") + (unit[0] if compact else f" {unit}")


def dtype(name: str) -> str:
    """``float16`` → ``f16``, ``float8_e4m3fn`` → ``f8e4m3fn``; other names stay."""
    for long, short in (("bfloat", "bf"), ("float", "f"), ("uint", "u"), ("int", "i")):
        rest = name.removeprefix(long)
        if rest != name and rest[:1].isdigit():
            return short + rest.replace("_", "")
    return name


INSTRUCTIONS = {
    "tma_load": "TMA load",
    "tma_store": "TMA store",
    "cp_async": "cp.async",
    "vector_ld": "vector load",
    "vector_st": "vector store",
}
"""Spoken names of instructions; the rest are their own."""


def _instruction_forms(name: str, operation: Operation) -> Forms:
    spoken = INSTRUCTIONS.get(name, name)
    width = operation.detail.get("vector_bytes")
    if name in ("cp_async", "vector_ld", "vector_st") and isinstance(width, int):
        return (f"{spoken} {width}B", spoken)
    instruction = operation.detail.get("instruction")
    if isinstance(instruction, str) and instruction.split(" ")[0] == name:
        return (instruction, name)
    return (spoken,)


def _pipeline_parts(operation: Operation) -> list[Forms]:
    written, lowered = operation.detail.get("num_stages"), operation.detail.get("stages")
    parts: list[Forms] = []
    if isinstance(written, int):
        count = str(written) if lowered in (None, written) else f"{written}→{lowered}"
        parts.append((f"{count} stage{'' if count == '1' else 's'}",))
    specialized = bool(operation.detail.get("producer_threads"))
    if specialized or any(operation.detail.get("async_producers") or ()):
        parts.append(("async",))
    if specialized:
        parts.append(("warp-specialized", "ws"))
    return parts


def _parallel_parts(operation: Operation) -> list[Forms]:
    """Iterations over threads, and how many of them one instruction does."""
    threads, each = operation.detail.get("threads"), operation.detail.get("elements_per_thread")
    parts: list[Forms] = []
    if isinstance(threads, int) and isinstance(each, int):
        parts.append((f"{threads} threads × {each}", f"{threads} thr × {each}", f"{threads}×{each}"))
    lanes = operation.detail.get("vector_elements")
    if isinstance(lanes, int) and lanes > 1:
        parts.append((f"vectors of {lanes}", f"vec {lanes}"))
    return parts


def _layout_forms(layout: Layout | None) -> list[Forms]:
    if layout is None:
        return []
    parts: list[Forms] = []
    if layout.swizzle is not None:
        name = "linear" if layout.swizzle == "none" else f"swz{layout.swizzle.removesuffix('B')}"
        parts.append((f"⟨{name}⟩", name))
    elif layout.kind == "fractal":
        parts.append(("⟨fractal⟩",))
    count = layout.registers_per_thread
    if count is not None:
        parts.append((f"{count} regs/thread", f"{count} regs", f"{count}r"))
    if layout.replicate is not None and layout.replicate > 1:
        parts.append((f"replicated ×{layout.replicate}", f"rep×{layout.replicate}"))
    return parts


def _reservations(marks: Iterable[Mark], others: int) -> str:
    signs = "".join(marks)
    return (f" {signs}" if signs else "") + (f" +{others}" if others else "")


def _shape_forms(shape: tuple[Extent, ...]) -> Forms:
    widths = (24, 8, 4)
    forms = [f"[{','.join(_extent(item, width) for item in shape)}]" for width in widths]
    return (*forms, f"[{len(shape)}-d]")


def _extent(extent: Extent, width: int) -> str:
    text = str(extent).replace(" ", "")
    return text if len(text) <= width else text[: width - 1] + "…"


def _scope_forms(scope: str) -> Forms:
    short = {"shared.dyn": ("shared", "sh"), "shared": ("shared", "sh"), "local.fragment": ("fragment", "frag")}
    if scope in short:
        return short[scope]
    family, _, memory = scope.rpartition(".")
    return (memory.upper(),) if family == "shared" else (scope, memory)
