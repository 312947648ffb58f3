"""Short forms: what an inlay hint says in at most ``LIMIT`` characters. Parts are shortened, never left out."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal

from tilescope_trace.model import Buffer, Extent, Kernel, Launch, Layout, Operation

LIMIT = 48
"""Longest label, in code points: the usual ones stay below 40."""

Forms = tuple[str, ...]
"""One part of a label, longest form first."""


Mark = Literal["~", "≈", "…"]
"""A reservation about a hint; hovers say it in words."""

STALE: Mark = "~"
ASSUMED: Mark = "≈"
PARTIAL: Mark = "…"


def buffer_label(buffer: Buffer, marks: Iterable[Mark] = (), others: int = 0) -> str:
    """``: [128,32] f16 shared ×3 ⟨swz64⟩ 24 KiB``; ``others`` counts the variants that differ."""
    parts: list[Forms] = [_shape_forms(buffer.shape)]
    if buffer.dtype is not None:
        parts.append((dtype(buffer.dtype),))
    parts.append(_scope_forms(buffer.scope))
    if buffer.stages > 1:
        parts.append((f"×{buffer.stages}",))
    parts.extend(_layout_forms(buffer.layout))
    # A fragment lies in registers, spread over threads: bytes of the whole would say little.
    if buffer.bytes is not None and buffer.scope not in ("global", "local.fragment"):
        parts.append((size(buffer.bytes),))
    return fit(": ", parts, ending=_reservations(marks, others))


def launch_label(launch: Launch, marks: Iterable[Mark] = (), others: int = 0) -> str | None:
    """``grid 8×8 · 128→256 threads · 48 KiB``; None where nothing is known."""
    parts: list[Forms] = []
    if launch.grid:
        grid = "×".join(_extent(item, 12) for item in launch.grid)
        parts.append((f"grid {grid}", f"grid {'×'.join(_extent(item, 4) for item in launch.grid)}"))
    if launch.threads is not None:
        threads = _extent(launch.threads, 12)
        if launch.threads_lowered not in (None, launch.threads):
            threads = f"{threads}→{launch.threads_lowered}"
        parts.append((f"{threads} threads", f"{threads} thr"))
    shared = (launch.shared_dynamic_bytes or 0) + (launch.shared_static_bytes or 0)
    if shared:
        parts.append((f"{size(shared)} shared", size(shared)))
    if launch.registers is not None:
        parts.append((f"{launch.registers} registers", f"{launch.registers} regs"))
    return fit("", parts, " · ", _reservations(marks, others)) if parts else None


def operation_label(operation: Operation, marks: Iterable[Mark] = (), others: int = 0) -> str | None:
    """``→ TMA load``, ``→ wgmma m64n128k16``, ``3 stages, async``; None where there is nothing to say."""
    if operation.kind == "pipeline":
        parts = _pipeline_parts(operation)
        prefix = ""
    else:
        if operation.kind not in ("copy", "gemm") or not operation.lowered_to:
            return None
        parts = [_instruction_forms(name, operation) for name in operation.lowered_to]
        prefix = "→ "
    return fit(prefix, parts, ", ", _reservations(marks, others)) if parts else None


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


def fit(prefix: str, parts: Sequence[Forms], separator: str = " ", ending: str = "") -> str:
    """The parts joined in their longest forms that fit ``LIMIT``: the last part is shortened first. Where even the
    shortest are too long (symbolic shapes of many dimensions) they are cut, visibly, before ``ending``."""
    chosen = [0] * len(parts)

    def joined() -> str:
        return prefix + separator.join(forms[index] for forms, index in zip(parts, chosen, strict=True))

    room = LIMIT - len(ending)
    text = joined()
    while len(text) > room:
        shortenable = [i for i, forms in enumerate(parts) if chosen[i] + 1 < len(forms)]
        if not shortenable:
            return f"{text[: room - 1]}…{ending}"
        chosen[shortenable[-1]] += 1
        text = joined()
    return text + ending


def size(count: int) -> str:
    """``24 KiB``: a number of bytes in the largest binary unit that keeps it above one, to a tenth."""
    if count < 1024:
        return f"{count} B"
    value, unit = (count / 1024, "KiB") if count < 1 << 20 else (count / (1 << 20), "MiB")
    return f"{value:.1f}".removesuffix(".0") + f" {unit}"


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


def _layout_forms(layout: Layout | None) -> list[Forms]:
    if layout is None:
        return []
    parts: list[Forms] = []
    if layout.swizzle is not None:
        name = "linear" if layout.swizzle == "none" else f"swz{layout.swizzle.removesuffix('B')}"
        parts.append((f"⟨{name}⟩",))
    elif layout.kind == "fractal":
        parts.append(("⟨fractal⟩",))
    count = layout.registers_per_thread
    if count is not None:
        parts.append((f"{count} regs/thread", f"{count} regs"))
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
