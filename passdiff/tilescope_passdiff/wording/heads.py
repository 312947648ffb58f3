"""What is known of a kernel as a whole, in labelled lines."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from tilescope_trace.model import Argument, Kernel, Launch, Layout

from .operations import value_text
from .resources import resource_heads


def kernel_heads(kernel: Kernel) -> Iterator[tuple[str, str]]:
    """Arguments with their origins, pass configs, launch, what it takes of the machine, notes."""
    specialization = kernel.specialization
    if specialization.args:
        yield "arguments", arguments_text(specialization.args)
    if kernel.missing:
        yield "no value for", ", ".join(kernel.missing)
    if specialization.pass_configs:
        yield "pass configs", ", ".join(f"{k}={value_text(v)}" for k, v in specialization.pass_configs.items())
    if specialization.compile_flags:
        yield "compile flags", " ".join(specialization.compile_flags)
    if kernel.launch is not None:
        yield "launch", launch_text(kernel.launch)
        yield from resource_heads(kernel)
    for text in kernel.notes:
        yield "note", text


def arguments_text(args: dict[str, Argument]) -> str:
    """``M=4096, N=4096 (call at main.py:12); block_M=128 (default)``: what came from one place together."""
    by_origin: dict[str, list[str]] = {}
    for name, argument in args.items():
        place = f" at {Path(argument.file).name}:{argument.line}" if argument.file and argument.line else ""
        by_origin.setdefault(f"{argument.origin}{place}", []).append(f"{name}={value_text(argument.value)}")
    return "; ".join(f"{', '.join(values)} ({origin})" for origin, values in by_origin.items())


def launch_text(launch: Launch) -> str:
    """``grid 8 × 8, 128 threads as written and 256 as lowered, 49152 B of dynamic shared memory``."""
    parts = []
    if launch.grid is not None:
        parts.append("grid " + " × ".join(map(str, launch.grid)))
    if launch.threads is not None:
        changed = launch.threads_lowered not in (None, launch.threads)
        parts.append(f"{launch.threads} threads" + (f" as written, {launch.threads_lowered} as lowered" * changed))
    for size, kind in ((launch.shared_dynamic_bytes, "dynamic"), (launch.shared_static_bytes, "static")):
        if size:
            parts.append(f"{size} B of {kind} shared memory")
    return ", ".join(parts) or "not known at this stage"


def layout_words(layout: Layout | None) -> str:
    """``swizzle 64B``, ``128 registers/thread over 128 threads, replicated ×2``."""
    if layout is None:
        return ""
    parts = []
    if layout.swizzle is not None:
        parts.append("linear" if layout.swizzle == "none" else f"swizzle {layout.swizzle}")
    if layout.registers_per_thread is not None:
        over = f" over {layout.threads} threads" if layout.threads is not None else ""
        parts.append(f"{layout.registers_per_thread} registers/thread{over}")
    if layout.replicate is not None and layout.replicate > 1:
        parts.append(f"replicated ×{layout.replicate}")
    return ", ".join(parts) or layout.summary
