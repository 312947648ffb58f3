"""Writes the page of limits: ``python -m tilescope_trace.limits.docs FILE``."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from tilescope_trace.pages import write_page

from .amd import AMD
from .ascend import ASCEND
from .model import Limits
from .nvidia import NVIDIA
from .others import OTHERS

_Row = tuple[str, str, Callable[[Any], str]]


def _number(value: int) -> str:
    return f"{value}"


def _bytes(value: int) -> str:
    return f"{value} ({value / 1024:g} KiB)" if value >= 1024 else f"{value}"


def _three(value: tuple[int, int, int]) -> str:
    return " × ".join(map(str, value))


_ROWS: tuple[_Row, ...] = (
    ("threads per block", "threads_per_block", _number),
    ("threads per SM", "threads_per_sm", _number),
    ("threads per warp", "warp", _number),
    ("warps per SM", "warps_per_sm", _number),
    ("blocks per SM", "blocks_per_sm", _number),
    ("partitions of an SM", "partitions", _number),
    ("grid", "grid", _three),
    ("blocks per cluster (portable)", "cluster", _number),
    ("named barriers per block", "barriers", _number),
    ("registers per thread", "registers_per_thread", _number),
    ("registers per block", "registers_per_block", _number),
    ("registers per SM", "registers_per_sm", _number),
    ("registers are given to a warp in units of", "register_unit", _number),
    ("shared memory a block may declare (bytes)", "shared_static", _bytes),
    ("shared memory per block (bytes)", "shared_per_block", _bytes),
    ("shared memory per SM (bytes)", "shared_per_sm", _bytes),
    ("shared memory the system reserves per block (bytes)", "shared_reserved", _bytes),
    ("shared memory is given to a block in units of (bytes)", "shared_unit", _number),
    ("banks of shared memory", "banks", _number),
    ("width of a bank (bytes)", "bank_bytes", _number),
    ("columns of tensor memory", "tensor_memory_columns", _number),
    ("alignment of DMA (bytes)", "dma_alignment", _number),
    ("UB (bytes)", "spaces.ub", _bytes),
    ("L1 (bytes)", "spaces.l1", _bytes),
    ("L0A (bytes)", "spaces.l0a", _bytes),
    ("L0B (bytes)", "spaces.l0b", _bytes),
    ("L0C (bytes)", "spaces.l0c", _bytes),
)

_VENDORS = (
    ("NVIDIA", NVIDIA, "Suffixes of features (`sm_90a`, `sm_100f`) change no limit."),
    ("AMD", AMD, "An SM is a compute unit (CDNA) or a workgroup processor (RDNA), a warp a wavefront."),
    ("Ascend", ASCEND, "TileLang's target `ascend` is Ascend 950; a SIMT vector function takes 32 KiB of its UB."),
    ("Apple and WebGPU", OTHERS, "A block is a threadgroup or workgroup."),
)


def page() -> str:
    """The page, Markdown."""
    parts = [
        "# Limits",
        "Generated from the code by `make docs`. An empty cell is unknown: no document of the vendor's that we know"
        "\nstates the number. Peak rates are those of one product, for dense matrices of 16-bit floats.",
    ]
    for vendor, every, remark in _VENDORS:
        parts += [f"## {vendor}", remark, _table(every), "### Where the numbers are stated", _documents(every)]
        if any(limits.peaks for limits in every):
            parts += ["### Peak rates", _peaks(every)]
    return "\n\n".join(parts) + "\n"


def _value(limits: Limits, key: str) -> Any:
    name, _, inner = key.partition(".")
    value = getattr(limits, name)
    return value.get(inner) if inner else value


def _table(every: tuple[Limits, ...]) -> str:
    rows = [
        [title, *("" if (value := _value(limits, key)) is None else shown(value) for limits in every)]
        for title, key, shown in _ROWS
        if any(_value(limits, key) is not None for limits in every)
    ]
    heads = ["", *(f"`{limits.target}`<br>{limits.name}" for limits in every)]
    return _markdown(heads, rows)


def _documents(every: tuple[Limits, ...]) -> str:
    """What each document states, and for which targets where others state it for the rest."""
    titles = {key: title for title, key, _ in _ROWS}
    found: dict[str, dict[str, list[str]]] = {}
    for limits in every:
        for key, document in limits.documents.items():
            found.setdefault(document, {}).setdefault(titles[key], []).append(limits.target)
    lines = []
    for document, stated in found.items():
        by_targets: dict[tuple[str, ...], list[str]] = {}
        for title, stating in stated.items():
            by_targets.setdefault(tuple(stating), []).append(title)
        for targets, names in by_targets.items():
            where = "" if len(targets) == len(every) else f" ({', '.join(f'`{target}`' for target in targets)})"
            lines.append(f"- {document}{where}: {', '.join(names)}.")
    return "\n".join(lines)


def _peaks(every: tuple[Limits, ...]) -> str:
    rows = [
        [
            f"`{limits.target}`",
            peak.device,
            "" if peak.fp16_tflops is None else f"{peak.fp16_tflops:g}",
            "" if peak.bandwidth_gb_s is None else f"{peak.bandwidth_gb_s:g}",
            peak.document,
        ]
        for limits in every
        for peak in limits.peaks
    ]
    return _markdown(["target", "product", "TFLOP/s", "GB/s", "document"], rows)


def _markdown(heads: list[str], rows: Iterable[list[str]]) -> str:
    lines = [heads, ["---"] * len(heads), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


if __name__ == "__main__":
    write_page(page)
