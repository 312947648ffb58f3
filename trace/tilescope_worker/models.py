"""GPU models that stand for an architecture where a program asks the device it runs on.

Counts and sizes are those of the product data sheets (and of NVIDIA's CUDA Programming Guide for memory per SM); an
AMD Instinct of two dies counts one of them where the runtime shows one.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

KIB = 1 << 10
GIB = 1 << 30


@dataclass(frozen=True)
class Model:
    """What a runtime says of a device. ``architecture`` is ``sm_90`` or ``gfx942``, ``capability`` (major, minor);
    sizes are bytes, ``multiprocessors`` SMs or compute units, ``threads`` those an SM can hold."""

    name: str
    architecture: str
    capability: tuple[int, int]
    multiprocessors: int
    threads: int
    shared_per_block: int
    shared_per_multiprocessor: int
    l2: int
    memory: int
    warp: int = 32
    shared_static: int = 48 * KIB

    @property
    def is_amd(self) -> bool:
        return self.architecture.startswith("gfx")


def _nvidia(
    name: str, number: str, sms: int, threads: int, block: int, sm: int, l2: float, memory: int, *, static: int = 48
) -> Model:
    """Shared memory in KiB, L2 in MiB, memory in GiB."""
    capability = (int(number[:-1]), int(number[-1]))
    sizes = (block * KIB, sm * KIB, int(l2 * KIB) * KIB, memory * GIB)
    return Model(name, f"sm_{number}", capability, sms, threads, *sizes, shared_static=static * KIB)


def _amd(name: str, architecture: str, capability: tuple[int, int], units: int, lds: int, memory: int) -> Model:
    sizes = (lds * KIB, lds * KIB, 4096 * KIB, memory * GIB)
    return Model(name, architecture, capability, units, 2048, *sizes, warp=64, shared_static=lds * KIB)


MODELS: tuple[Model, ...] = (
    _nvidia("Tesla V100-SXM2-32GB", "70", 80, 2048, 96, 96, 6, 32),
    _nvidia("Tesla T4", "75", 40, 1024, 64, 64, 4, 16),
    _nvidia("NVIDIA A100-SXM4-80GB", "80", 108, 2048, 163, 164, 40, 80),
    _nvidia("NVIDIA A40", "86", 84, 1536, 99, 100, 6, 48),
    _nvidia("NVIDIA Jetson AGX Orin", "87", 16, 1536, 163, 164, 4, 64),
    _nvidia("NVIDIA L40S", "89", 142, 1536, 99, 100, 96, 48),
    _nvidia("NVIDIA H100 80GB HBM3", "90", 132, 2048, 227, 228, 50, 80),
    _nvidia("NVIDIA B200", "100", 148, 2048, 227, 228, 126, 180),
    _nvidia("NVIDIA RTX PRO 6000 Blackwell", "120", 188, 1536, 99, 100, 128, 96),
    _amd("AMD Instinct MI250X", "gfx90a", (9, 0), 110, 64, 64),
    _amd("AMD Instinct MI300X", "gfx942", (9, 4), 304, 64, 192),
    _amd("AMD Instinct MI355X", "gfx950", (9, 5), 256, 160, 288),
)


def model_of(target: str) -> Model | None:
    """The model for a target of ours; None for one that is no GPU of NVIDIA's or AMD's, or that no model is known of.

    An architecture without a model of its own is told with its own capability and the figures of the nearest one
    before it."""
    kind, _, architecture = target.partition(":")
    if kind == "hip":
        return next((model for model in MODELS if model.architecture == architecture), None)
    number = re.fullmatch(r"sm_(\d+)(\d)[af]?", architecture)
    if kind != "cuda" or number is None:
        return None
    capability = (int(number[1]), int(number[2]))
    known = [model for model in MODELS if not model.is_amd and model.capability <= capability]
    if not known:
        return None
    best = max(known, key=lambda model: model.capability)
    fields = {**vars(best), "capability": capability, "architecture": f"sm_{number[1]}{number[2]}"}
    return Model(**fields)
