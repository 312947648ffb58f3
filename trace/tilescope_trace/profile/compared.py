"""One launch against one recording, fact by fact."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

from .extents import Fit, fit
from .model import Launch
from .recorded import RecordedKernel

_ASCEND_SUFFIXES = ("_mix_aic", "_mix_aiv")
"""The halves of a kernel that runs on cube and vector cores, as msprof names them."""


@dataclass(frozen=True)
class Compared:
    """A fact by name: whether it fits, None where one side does not tell; ``words`` says the values where they differ
    or cannot be compared, or what an expression was solved to."""

    fact: str
    fits: bool | None
    words: str = ""


def name_fits(launch: Launch, kernel: RecordedKernel) -> bool:
    """Whether the launched function is one of the recorded ones."""
    name = launch.name
    if kernel.is_ascend:
        for suffix in _ASCEND_SUFFIXES:
            name = name.removesuffix(suffix)
    return name in kernel.symbols


def compared(launch: Launch, kernel: RecordedKernel) -> tuple[Compared, ...]:
    """All facts but the name, in the order in which they count. Where the recorded source launches several kernels,
    its facts are those of none in particular."""
    if len(kernel.symbols) > 1:
        return (Compared("grid", None, "the recorded source launches several kernels"),)
    return tuple(_facts(launch, kernel))


def _facts(launch: Launch, kernel: RecordedKernel) -> Iterator[Compared]:
    yield _grid(launch, kernel)
    if not kernel.is_ascend:
        yield _block(launch, kernel)
        yield _shared(launch, kernel)
        yield _number("registers", launch.registers, kernel.registers)


def _grid(launch: Launch, kernel: RecordedKernel) -> Compared:
    if launch.grid is None or kernel.grid is None:
        return _missing("grid", launch.grid is None)
    if kernel.is_ascend:
        return _number("block dim", launch.grid[0], kernel.blocks)
    extents = (*kernel.grid, 1, 1, 1)[:3]
    return _fitted("grid", fit(extents, launch.grid, kernel.arguments), str(launch.grid), _shown(extents))


def _block(launch: Launch, kernel: RecordedKernel) -> Compared:
    if launch.block is None or kernel.threads is None:
        return _missing("block", launch.block is None)
    threads = math.prod(launch.block)
    found = fit((kernel.threads,), (threads,), kernel.arguments)
    return _fitted("block", found, f"{threads} threads", f"{kernel.threads}")


def _shared(launch: Launch, kernel: RecordedKernel) -> Compared:
    fact = "dynamic shared memory"
    recorded, both = kernel.dynamic_shared_bytes, launch.shared_bytes
    if launch.dynamic_shared_bytes is not None or both is None or recorded is None:
        return _number(fact, launch.dynamic_shared_bytes, recorded, " bytes")
    if both == (recorded if kernel.shared_bytes is None else kernel.shared_bytes):
        return Compared("shared memory", True)
    if both < recorded:
        return Compared("shared memory", False, f"launched with {both} bytes in all, recorded {recorded} dynamic")
    words = f"{both} bytes are static and dynamic together, recorded are {recorded} dynamic"
    return Compared(fact, None, words)


def _number(fact: str, launched: int | None, recorded: int | None, unit: str = "") -> Compared:
    if launched is None or recorded is None:
        return _missing(fact, launched is None)
    words = "" if launched == recorded else f"launched with {launched}{unit}, recorded {recorded}"
    return Compared(fact, launched == recorded, words)


def _fitted(fact: str, found: Fit, launched: str, recorded: str) -> Compared:
    if found.fits is False:
        return Compared(fact, False, f"launched with {launched}, recorded {recorded}")
    if found.fits is None:
        return Compared(fact, None, f"{', '.join(found.unknown)} depends on sizes known at run time")
    return Compared(fact, True, ", ".join(_range(name, values) for name, values in found.ranges.items()))


def _range(name: str, values: range) -> str:
    first, last = values[0], values[-1]
    return f"{name} = {first}" if first == last else f"{name} from {first} to {last}"


def _missing(fact: str, in_profile: bool) -> Compared:
    return Compared(fact, None, "not in the profile" if in_profile else "not recorded")


def _shown(extents: tuple[int | str, ...]) -> str:
    return f"({', '.join(str(extent) for extent in extents)})"
