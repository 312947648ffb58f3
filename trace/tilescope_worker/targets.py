"""Target names of ours (``cuda:sm_90a``) and the compiler's target objects.

Bare ``cuda`` is refused: without a GPU the compiler silently takes it for sm_50.
"""

from __future__ import annotations

import re
from typing import Any

from .compat import make_target, target_kinds

_ARCHITECTURE = {"cuda": re.compile(r"sm_\d{2,3}[af]?"), "hip": re.compile(r"gfx[0-9a-f]{3,4}")}
_ARCHITECTURE_KEY = {"cuda": "arch", "hip": "mcpu"}
_EXAMPLE = {"cuda": "cuda:sm_90a", "hip": "hip:gfx942"}
_PLAIN = ("ascend", "metal", "webgpu", "c")
_LANGUAGE = {"ascend": "ascend-c"}


_LACKS = {
    "hip": "hip: the source is not assembled: registers and spills are not known, and occupancy leaves them out",
    "metal": "metal: Apple tells no registers and no occupancy; shared memory is threadgroup memory",
    "webgpu": "webgpu: this TileLang has no T.gemm for it; limits are the defaults of the standard",
    "c": "c: one thread runs a block: no fragments, no T.gemm, and layouts tell nothing of a GPU",
    "ascend": "ascend: Ascend C source for Ascend 950; cycles are the compiler's estimates, and nothing is assembled",
}
"""What facts for a kind of target leave out or mean; nothing is to be said of cuda."""


class TargetError(ValueError):
    """A target that does not exist, or that this TileLang cannot lower for; the text says what to write instead."""


def resolve(name: str) -> Any:
    """The compiler's target object for one of our names; raises TargetError."""
    kind, _, architecture = name.partition(":")
    pattern = _ARCHITECTURE.get(kind)
    if pattern is None and kind not in _PLAIN:
        known = ", ".join([*_EXAMPLE.values(), *_PLAIN])
        raise TargetError(f"unknown target {name!r}; write one such as {known}")
    if pattern is None and architecture:
        raise TargetError(f"unknown target {name!r}; {kind} takes no architecture: write {kind!r}")
    if pattern is not None and not pattern.fullmatch(architecture):
        raise TargetError(f"target {name!r} needs an architecture: write one such as {_EXAMPLE[kind]!r}")
    if kind not in target_kinds():
        raise TargetError(
            f"target {name!r} cannot be lowered: the TileLang in this interpreter has no {kind} back end"
        )
    try:
        return make_target({"kind": kind} | ({_ARCHITECTURE_KEY[kind]: architecture} if pattern else {}))
    except ValueError as error:
        raise TargetError(f"target {name!r} was refused by the compiler: {error}") from error


def notes(name: str) -> tuple[str, ...]:
    """What is to be known of facts for the target of this name."""
    said = _LACKS.get(name.partition(":")[0])
    return (said,) if said is not None else ()


def language(name: str) -> str:
    """The language generated for a target: cuda, hip, metal, ascend-c, webgpu or c."""
    kind = name.partition(":")[0]
    return _LANGUAGE.get(kind, kind)
