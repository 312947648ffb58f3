"""The machine code of a recorded kernel in TileLang's cache: the library whose source is, letter for letter, the
recorded one."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from tilescope_trace.store.read import Recording

SOURCE = "device_kernel.cu"
_LIBRARIES = ("executable.so", "kernel_lib.so", "kernel.cubin")
_MOST = 20_000
"""Sources that are looked at; larger caches are not searched to the end."""


def cache_folder() -> Path:
    """Where TileLang keeps compiled kernels."""
    given = os.environ.get("TILELANG_CACHE_DIR")
    return Path(given) if given else Path.home() / ".tilelang" / "cache"


def cached_library(recording: Recording, folder: Path | None = None) -> Path | None:
    """The library of a recording's kernel; None where the cache has none."""
    source = (recording.generated() or "").encode()
    for path in _sources(folder or cache_folder(), len(source)) if source else ():
        try:
            if path.read_bytes() != source:
                continue
        except OSError:
            continue
        for name in _LIBRARIES:
            if (path.parent / name).is_file():
                return path.parent / name
    return None


def _sources(folder: Path, size: int) -> Iterator[Path]:
    """Sources of that size, as far down as TileLang puts them: version, platform, ``kernels``, key."""
    seen = 0
    for pattern in (f"*/*/kernels/*/{SOURCE}", f"*/kernels/*/{SOURCE}", f"kernels/*/{SOURCE}", f"*/{SOURCE}"):
        for path in folder.glob(pattern):
            seen += 1
            if seen > _MOST:
                return
            try:
                if path.stat().st_size == size:
                    yield path
            except OSError:
                continue
