"""What TileLang had and has no more, from 0.1.9 to 0.1.15.

Compared were the Python sources of 0.1.9, 0.1.11, 0.1.13, 0.1.14 and 0.1.15 as published: names that can be imported,
parameters, members of ``PassConfigKey`` and their values. ``last`` is the last of these versions that has a thing
(None: none of them), ``first`` the first one after it that has not.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Removed:
    """``instead`` says what to use, in words; ``name`` is what can be put in its place as it stands, where sure."""

    what: str
    last: str | None
    first: str
    instead: str | None = None
    name: str | None = None

    @property
    def said(self) -> str:
        """In words."""
        had = f"TileLang {self.last} has {self.what}, {self.first} has not" if self.last else None
        return had or f"TileLang has no {self.what} (since {self.first} or before)"


def _module(name: str, last: str, first: str, instead: str | None = None) -> tuple[str, Removed]:
    return name, Removed(name, last, first, instead)


MODULES = dict(
    [
        _module("tilelang.utils.target", "0.1.11", "0.1.13", "tilelang.backend.target, tilelang.cuda.target"),
        _module("tilelang.utils.sparse", "0.1.11", "0.1.13"),
        _module("tilelang.intrinsics", "0.1.11", "0.1.13", "tilelang.cuda.intrinsics or tilelang.rocm.intrinsics"),
        _module("tilelang.quantize", "0.1.11", "0.1.13"),
        _module("tilelang.common", "0.1.11", "0.1.13"),
        _module("tilelang.contrib.dlpack", "0.1.11", "0.1.13"),
        _module("tilelang.engine.phase", "0.1.9", "0.1.11"),
        _module("tilelang.jit.env", "0.1.13", "0.1.14", "tilelang.env"),
        _module("tilelang.language.fastmath", "0.1.13", "0.1.14"),
    ]
)
"""By the module's name; what is below it is gone too."""

NAMES = {
    "tilelang.clear_cache": Removed("tilelang.clear_cache", "0.1.11", "0.1.13"),
    "tilelang.language.sync_global": Removed("T.sync_global", "0.1.14", "0.1.15", "T.sync_grid"),
    "tilelang.language.gemm_sp_v2": Removed("T.gemm_sp_v2", "0.1.9", "0.1.11", "T.gemm_sp"),
} | {
    f"tilelang.language.{name}": Removed(f"T.{name}", "0.1.11", "0.1.13", f"{name} of tilelang.rocm.language")
    for name in ("tvm_mfma", "tvm_mfma_store", "tvm_rdna_wmma", "tvm_rdna_wmma_store", "ds_read_tr16_b64")
}
"""By dotted name."""

PARAMETERS = {
    ("gemm", "k_pack"): Removed("k_pack of T.gemm", "0.1.14", "0.1.15", "T.gemm of tilelang.rocm.language"),
    ("gemm_sp", "k_pack"): Removed("k_pack of T.gemm_sp", "0.1.14", "0.1.15"),
    ("gemm", "wg_wait"): Removed("wg_wait of T.gemm", None, "0.1.9", "T.wgmma_gemm and T.warpgroup_wait"),
    ("Pipelined", "sync"): Removed("sync of T.Pipelined", "0.1.14", "0.1.15"),
    ("Pipelined", "group"): Removed("group of T.Pipelined", "0.1.14", "0.1.15"),
    ("Kernel", "is_cpu"): Removed("is_cpu of T.Kernel", "0.1.11", "0.1.13"),
}
"""By function of the tile language and keyword."""

KEYS = {
    "TL_ENABLE_PTXAS_VERBOSE_OUTPUT": Removed("TL_ENABLE_PTXAS_VERBOSE_OUTPUT", "0.1.11", "0.1.13"),
    "TL_DISABLE_FAST_MATH": Removed("TL_DISABLE_FAST_MATH", None, "0.1.9", "TL_ENABLE_FAST_MATH: False"),
}
"""Members of ``PassConfigKey``."""

CONFIGS = {
    "tl.enable_ptxas_verbose_output": Removed('"tl.enable_ptxas_verbose_output"', "0.1.11", "0.1.13"),
    "tl.disable_fast_math": Removed('"tl.disable_fast_math"', None, "0.1.9", '"tl.enable_fast_math": False'),
} | {
    f"tir.{name}": Removed(f'"tir.{name}"', "0.1.9", "0.1.11", f'"tirx.{name}"', f"tirx.{name}")
    for name in (
        "disable_cse_tir",
        "Simplify",
        "disable_storage_rewrite",
        "disable_vectorize",
        "use_async_copy",
        "enable_debug",
        "merge_static_smem",
        "add_lower_pass",
        "noalias",
    )
}
"""Pass configs by their text."""


def of_module(name: str) -> Removed | None:
    """What is known of a module that is gone, or of the package it was in."""
    parts = name.split(".")
    return next((found for n in range(len(parts), 0, -1) if (found := MODULES.get(".".join(parts[:n])))), None)


def is_older(version: str, than: str) -> bool:
    """Whether a version comes before another; of what is no version, nothing is said."""
    try:
        one, two = ([int(part) for part in text.split("+")[0].split(".")[:3]] for text in (version, than))
    except ValueError:
        return False
    return one < two
