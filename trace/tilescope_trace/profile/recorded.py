"""What a recording says about the launches of its kernel: the facts that a profile's launches are compared with."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from tilescope_trace.model import Extent
from tilescope_trace.store.read import Recording
from tilescope_worker.annotate.names import compile_id

_DEFINITION = re.compile(r"__global__\s+(?:__\w+__\s+)*void\s+(?:__launch_bounds__\([^)]*\)\s+)?(?P<name>\w+)\s*\(")


@dataclass(frozen=True)
class RecordedKernel:
    """``symbols`` are the device functions of the generated source, several where the kernel launches more than once.
    ``threads`` of a block, ``dynamic_shared_bytes``, ``shared_bytes`` (static too) and ``registers`` are None where
    the recording does not tell; extents may be expressions in ``sizes`` known only at run time, ``arguments`` are
    those that are known. ``created`` is ISO 8601. ``warp_specialized``: producers' warps have code of their own,
    which stems from ``producer_lines`` of the kernel's Python file."""

    path: Path
    name: str
    symbols: tuple[str, ...]
    target: str
    compile_id: str | None
    created: str
    grid: tuple[Extent, ...] | None = None
    threads: Extent | None = None
    dynamic_shared_bytes: int | None = None
    shared_bytes: int | None = None
    registers: int | None = None
    arguments: Mapping[str, int] = field(default_factory=dict)
    warp_specialized: bool = False
    producer_lines: tuple[int, ...] = ()

    @property
    def is_ascend(self) -> bool:
        """Whether launches count blocks only."""
        return self.target.partition(":")[0] == "ascend"

    @property
    def blocks(self) -> int | None:
        """Blocks of a launch; None where an extent is an expression."""
        whole = [extent for extent in self.grid or () if isinstance(extent, int)]
        return math.prod(whole) if self.grid and len(whole) == len(self.grid) else None


def recorded_kernel(recording: Recording) -> RecordedKernel:
    """The facts of an open recording."""
    kernel, source = recording.info.kernel, recording.generated()
    launch = kernel.launch
    produced = [line for line in recording.generated_lines() if line.role == "producer"]
    first = [line.origins[0] for line in produced if line.origins]
    shared = next((use.bytes for use in launch.memory if use.space == "shared"), None) if launch else None
    return RecordedKernel(
        path=recording.path,
        name=kernel.name,
        symbols=kernel_symbols(source or "") or (f"{kernel.name}_kernel",),
        target=kernel.target,
        compile_id=None if source is None else compile_id(source),
        created=recording.info.created,
        grid=launch.grid if launch else None,
        threads=(launch.threads_lowered or launch.threads) if launch else None,
        dynamic_shared_bytes=launch.shared_dynamic_bytes if launch else None,
        shared_bytes=shared,
        registers=launch.registers if launch else None,
        arguments={
            name: argument.value
            for name, argument in kernel.specialization.args.items()
            if isinstance(argument.value, int) and not isinstance(argument.value, bool)
        },
        warp_specialized=bool(produced),
        producer_lines=tuple(sorted({origin.line for origin in first if origin.file == first[0].file})),
    )


def kernel_symbols(source: str) -> tuple[str, ...]:
    """The device functions that generated CUDA, HIP or Ascend C defines or declares, in order."""
    return tuple(dict.fromkeys(found["name"] for found in _DEFINITION.finditer(source)))
