"""Tasks of an Ascend device: which of them are kernels, and on how many blocks they run."""

from __future__ import annotations

import re
from functools import lru_cache

from tilescope_trace.profile.model import Extent

_NO_KERNEL = re.compile(
    r"EVENT|PLACE_HOLDER|NOTIFY|HCCL|COMMUNICATION|MEMCPY|(PCIE_|^)S?DMA|WRITE.VALUE|PROFIL|BARRIER|FLIP",
    re.IGNORECASE,
)
"""Kinds of tasks of the scheduler and the copy engines. Told so, and not by a list of kernels' kinds, because older
tools call every kernel "Other". The kinds are those of the recorded files and of CANN's task types."""


@lru_cache(maxsize=256)
def is_kernel(task_type: str) -> bool:
    """Whether a task of this type (``AI_CORE``, ``MIX_AIV``, ``SDMA`` ...) runs a kernel."""
    return _NO_KERNEL.search(task_type) is None


def grid_of(block_dim: int | None) -> Extent | None:
    """A number of blocks as a grid. 0 is what profilers write for what has none (communication)."""
    return (block_dim, 1, 1) if block_dim else None
