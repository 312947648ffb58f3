"""One operation in a few words, from its ``detail``."""

from __future__ import annotations

from collections.abc import Callable

from tilescope_trace.model import Json, Operation

Detail = dict[str, Json]


def operation_text(operation: Operation) -> str:
    """What an operation works on: ``A → A_shared [128, 32]``, ``C_local += A_shared × B_shared, 128 × 128 × 32``."""
    detail = operation.detail
    parts = [WORDS.get(operation.kind, _anything)(detail)]
    if instruction := detail.get("instruction"):
        parts.append(value_text(instruction))
    if width := detail.get("vector_bytes"):
        parts.append(f"{width} B at a time")
    if threads := detail.get("reduce_threads"):
        parts.append(f"{threads} threads together")
    if width := detail.get("atomic_bytes"):
        parts.append(f"{width} B at a time")
    if cycles := detail.get("latency_cycles"):
        parts.append(f"{cycles} cycles estimated")
    if detail.get("dma_aligned") is False:
        parts.append(f"rows of {detail['dma_row_bytes']} B are no multiple of 32 B")
    if operation.called_from:
        parts.append("called from line " + ", ".join(map(str, operation.called_from)))
    return ", ".join(part for part in parts if part)


def value_text(value: Json) -> str:
    """A JSON value in one line, as Python writes it but without quotes around strings."""
    if isinstance(value, list):
        return f"[{', '.join(value_text(item) for item in value)}]"
    return str(value)


def _copy(detail: Detail) -> str:
    tile = f" {value_text(detail['tile'])}" if detail.get("tile") else ""
    return f"{detail.get('src', '?')} → {detail.get('dst', '?')}{tile}"


def _gemm(detail: Detail) -> str:
    operands = (
        detail.get(name, "?") + ("ᵀ" if detail.get(f"transpose_{name}") is True else "") for name in ("A", "B")
    )
    extents = [str(detail[name]) for name in "MNK" if name in detail]
    size = f", {' × '.join(extents)}" if extents else ""
    policy = detail.get("policy")
    return f"{detail.get('C', '?')} += {' × '.join(operands)}{size}" + (f", {policy}" if policy else "")


def _fill(detail: Detail) -> str:
    return f"{detail.get('dst', '?')} = {value_text(detail.get('value', '?'))}"


def _reduce(detail: Detail) -> str:
    how = detail.get("reduce", "reduce")
    return f"{detail.get('dst', '?')} = {how} of {detail.get('src', '?')} along {detail.get('dim', '?')}"


def _pipeline(detail: Detail) -> str:
    parts = [f"{detail['num_stages']} stages"] if "num_stages" in detail else []
    if "extent" in detail:
        parts.append(f"{detail['extent']} iterations")
    if "producer_threads" in detail:
        parts.append(f"{detail['producer_threads']} producer and {detail.get('consumer_threads')} consumer threads")
    return ", ".join(parts)


def _loop(detail: Detail) -> str:
    parts = [f"{detail['loop']}"] if "loop" in detail else []
    if "extent" in detail:
        parts.append(f"{detail['extent']} iterations")
    return ", ".join(parts)


def _atomic(detail: Detail) -> str:
    source = f" of {detail['src']}" if detail.get("src") else ""
    return f"{detail.get('atomic', 'atomic')}{source} to {detail.get('dst', '?')}"


def _parallel(detail: Detail) -> str:
    return " × ".join(map(str, detail.get("extents") or []))


def _anything(detail: Detail) -> str:
    shown = (
        f"{key}={value_text(value)}" for key, value in detail.items() if key not in ("instruction", "vector_bytes")
    )
    return " ".join(shown)


WORDS: dict[str, Callable[[Detail], str]] = {
    "copy": _copy,
    "gemm": _gemm,
    "fill": _fill,
    "reduce": _reduce,
    "pipeline": _pipeline,
    "parallel": _parallel,
    "loop": _loop,
    "atomic": _atomic,
}
