"""The layouts that layout inference chose."""

from __future__ import annotations

import logging
import math
import re
from dataclasses import replace
from typing import Any

from tilescope_worker.wire.facts import Buffer, Layout, Swizzle

from .buffers import Key, allocated, bits
from .cells import layout_map_of
from .ir import as_int, kernel_bodies, statements

logger = logging.getLogger(__name__)

_SWIZZLES: dict[str, Swizzle] = {"NONE": "none", "32B": "32B", "64B": "64B", "128B": "128B"}

_MOST_KNOWN = 1024
_known: dict[tuple[str, str, str | None], Layout] = {}
"""Layouts that were described in this process, by what is printed of them, scope and element type of the buffer."""
_ROW_MAJOR = Layout(kind="shared", summary="row-major, no swizzle", swizzle="none")


def laid_out(buffers: dict[Key, Buffer], mod: Any) -> dict[Key, Buffer]:
    """``buffers`` with the layouts of the module that layout inference returned."""
    layouts = layout_map(mod)
    current = allocated(mod)
    return {key: _with_layout(buffer, current.get(key), layouts) for key, buffer in buffers.items()}


def layout_map(mod: Any) -> dict[Any, Any]:
    """The compiler's layouts by the data variable of the buffer: unlike the Buffer it survives a reshape."""
    found: dict[Any, Any] = {}
    for body in kernel_bodies(mod):
        for stmt in statements(body):
            annotations = getattr(stmt, "annotations", None) if type(stmt).__name__ == "SBlock" else None
            if not annotations or "layout_map" not in annotations:
                continue
            for buffer, layout in annotations["layout_map"].items():
                # Before inference the front end may key a layout by the data variable itself.
                found.setdefault(getattr(buffer, "data", buffer), layout)
            if found:
                break  # the outermost block has them all; inner ones repeat them
    return found


def _with_layout(buffer: Buffer, current: Any | None, layouts: dict[Any, Any]) -> Buffer:
    if current is None:
        return buffer
    layout = layouts.get(current.data)
    if layout is None:
        return replace(buffer, layout=_ROW_MAJOR) if _is_plain_shared(buffer.scope) else buffer
    try:
        return replace(buffer, layout=describe(layout, buffer))
    except Exception:
        logger.warning("layout of %s could not be described", buffer.name, exc_info=True)
        return buffer


def _is_plain_shared(scope: str) -> bool:
    """Whether a buffer that inference gave no layout lies in memory as declared. Barriers, tensor memory and Ascend's
    cube buffers are other things."""
    return scope in ("shared", "shared.dyn")


def describe(layout: Any, buffer: Buffer) -> Layout:
    """A compiler layout as a fact about ``buffer``."""
    # What the compiler prints of a layout is all there is to it, and most edits leave most layouts as they were.
    key = str(layout), buffer.scope, buffer.dtype
    found = _known.get(key)
    if found is None:
        found = replace(_described(layout, buffer), map=layout_map_of(layout))
        if len(_known) < _MOST_KNOWN:
            _known[key] = found
    return found


def _described(layout: Any, buffer: Buffer) -> Layout:
    if hasattr(layout, "replicate_size"):
        return _fragment(layout, buffer)
    if "Fractal" in type(layout).__name__:
        return _fractal(layout)
    return _composed(layout, buffer)


def _sizes(shape: Any) -> list[int] | None:
    sizes = [as_int(size) for size in shape]
    return None if None in sizes else [size for size in sizes if size is not None]


def _fragment(layout: Any, buffer: Buffer) -> Layout:
    elements = _sizes(layout.get_output_shape())
    threads = as_int(layout.get_thread_size())
    replicate = as_int(layout.replicate_size)
    registers = None
    if elements is not None and buffer.dtype is not None:
        registers = -(-math.prod(elements) * bits(buffer.dtype) // 32)
    known = registers if registers is not None else "unknown"
    summary = f"{known} registers/thread over {threads if threads is not None else 'unknown'} threads"
    if replicate is not None and replicate > 1:
        summary += f", {replicate} copies of each element"
    return Layout(
        kind="fragment", summary=summary, registers_per_thread=registers, replicate=replicate, threads=threads
    )


def _fractal(layout: Any) -> Layout:
    return Layout(kind="fractal", summary=f"fractal {_mapping(layout)}")


def _mapping(layout: Any) -> str:
    return f"{_times(_sizes(layout.get_input_shape()))} → {_times(_sizes(layout.get_output_shape()))}"


def _composed(layout: Any, buffer: Buffer) -> Layout:
    from tilelang.layout import cute

    if buffer.scope == "shared.tmem" or not buffer.scope.startswith("shared"):
        return Layout(kind="other", summary=_mapping(layout))
    composed = cute.ComposedLayout.from_tilelang(layout)
    if composed is None or buffer.dtype is None:
        return Layout(kind="shared", summary=_mapping(layout))
    parameters = composed.recast(bits(buffer.dtype), 8).swizzle
    swizzle = _swizzle(parameters)
    name = "no swizzle"
    if swizzle != "none":
        function = f"Sw<{parameters.b_bits},{parameters.m_base},{parameters.s_shift}>"
        name = f"swizzle {swizzle} {function}" if swizzle is not None else f"swizzle {function}"
    return Layout(kind="shared", summary=f"{name} {composed.layout}", swizzle=swizzle)


def _swizzle(parameters: Any) -> Swizzle | None:
    """The hardware's name of a swizzle, None for one that has none."""
    if int(parameters.b_bits) == 0:
        return "none"
    try:
        mode = parameters.to_swizzle_mode()
    except Exception:
        logger.info("no named swizzle mode for %s", parameters, exc_info=True)
        return None
    return _SWIZZLES.get(re.split(r"[._]", str(mode))[-1])


def _times(sizes: list[int] | None) -> str:
    return "unknown shape" if sizes is None else "×".join(map(str, sizes))
