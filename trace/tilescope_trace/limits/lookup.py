"""From a target's name to its limits."""

from __future__ import annotations

import re

from .amd import AMD
from .ascend import ASCEND
from .model import Limits
from .nvidia import NVIDIA
from .others import OTHERS

_ALL = (*NVIDIA, *AMD, *ASCEND, *OTHERS)
TARGETS: dict[str, Limits] = {limits.target: limits for limits in _ALL}
"""The limits of every architecture that is known, by target."""

_FEATURES = re.compile(r"(cuda:sm_\d+)[af]$")


def limits_of(target: str) -> Limits | None:
    """The limits of a target (``cuda:sm_90a`` has those of ``cuda:sm_90``), None for one that is not known."""
    return TARGETS.get(_FEATURES.sub(r"\1", target))
