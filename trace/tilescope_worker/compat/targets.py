"""Targets of this TileLang."""

from __future__ import annotations

from functools import cache
from typing import Any

import tvm_ffi
from tvm.target import Target

_CODE_GENERATORS = {
    "cuda": ("target.build.tilelang_cuda_without_compile", "target.build.tilelang_cuda"),
    "hip": ("target.build.tilelang_hip_without_compile", "target.build.tilelang_hip"),
    "metal": ("target.build.tilelang_metal_without_compile", "target.build.tilelang_metal", "target.build.metal"),
    "webgpu": ("target.build.tilelang_webgpu", "target.build.webgpu"),
    "ascend": ("target.build.tilelang_ascend_without_compile", "target.build.tilelang_ascend"),
    "c": ("target.build.tilelang_c", "target.build.tilelang_cpp"),
}


@cache
def target_kinds() -> tuple[str, ...]:
    """The target kinds this TileLang has a code generator for."""
    return tuple(
        kind
        for kind, names in _CODE_GENERATORS.items()
        if any(tvm_ffi.get_global_func(name, allow_missing=True) is not None for name in names)
    )


def make_target(config: dict[str, str]) -> Any:
    """The compiler's target object; raises ValueError with the compiler's text."""
    return Target(config)


def generate_source(mod: Any, target: Any) -> str:
    """The device source of a lowered module, made under the PassContext and the target that are in scope; nothing
    is compiled. Raises what the code generator raises."""
    names = _CODE_GENERATORS[target.kind.name]
    generators = (tvm_ffi.get_global_func(name, allow_missing=True) for name in names)
    generator = next(found for found in generators if found is not None)
    return str(generator(mod, target).inspect_source())
