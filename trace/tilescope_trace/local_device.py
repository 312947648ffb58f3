"""The GPU of this machine as a target, asked of its driver: neither torch nor TileLang is imported for that."""

from __future__ import annotations

import functools
import os
import re
import shutil
import subprocess
from collections.abc import Iterable
from pathlib import Path

from .limits.lookup import limits_of
from .source.index import read_text

ASK_SECONDS = 5.0
"""How long the driver's tool may take: without a persistent driver it loads that first."""
OFF = "TILESCOPE_DEVICE"
"""The environment variable that makes this machine one without a GPU where it is ``none``."""
_HIDDEN = ("", "-1")
_NODES = Path("/sys/class/kfd/kfd/topology/nodes")
"""Where Linux's amdgpu driver describes the GPUs, one folder a device (processors are there too, as version 0)."""
_VERSION = re.compile(r"^gfx_target_version (\d+)$", re.MULTILINE)


@functools.cache
def target_here() -> str | None:
    """The target of the first GPU that programs see here, None where there is none or none whose limits are known.
    Takes up to `ASK_SECONDS` the first time; not for an event loop."""
    if os.environ.get(OFF) == "none":
        return None
    return nvidia_target(_nvidia_says()) or amd_target(_amd_says(_NODES))


def nvidia_target(said: str) -> str | None:
    """The target of the first of compute capabilities, a line each: ``9.0`` is ``cuda:sm_90a``, as TileLang names it
    (``nvcc.get_target_arch``). Pure."""
    found = re.match(r"(\d+)\.(\d)$", said.strip().partition("\n")[0].strip())
    if found is None:
        return None
    return _known(f"cuda:sm_{found[1]}{found[2]}{'a' if int(found[1]) >= 9 else ''}")


def amd_target(said: Iterable[str]) -> str | None:
    """The target of the first GPU among descriptions of the driver's: ``gfx_target_version 90402`` is ``gfx942``: two
    decimal digits for the minor version and two for the stepping, which are hexadecimal in the name. Pure."""
    for text in said:
        found = _VERSION.search(text)
        version = int(found[1]) if found is not None else 0
        if version:
            return _known(f"hip:gfx{version // 10_000}{version // 100 % 100:x}{version % 100:x}")
    return None


def _known(target: str) -> str | None:
    return target if limits_of(target) is not None else None


def _nvidia_says() -> str:
    seen = os.environ.get("CUDA_VISIBLE_DEVICES")
    tool = shutil.which("nvidia-smi")
    # A relative entry of PATH may lead into a project.
    if tool is None or not Path(tool).is_absolute() or (seen is not None and seen.strip() in _HIDDEN):
        return ""
    chosen = [f"--id={seen}"] if seen is not None else []
    try:
        done = subprocess.run(
            [tool, "--query-gpu=compute_cap", "--format=csv,noheader", *chosen],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=ASK_SECONDS,
            check=False,
        )
    except (OSError, subprocess.SubprocessError):
        return ""
    return done.stdout if done.returncode == 0 else ""


def _amd_says(nodes: Path) -> list[str]:
    if os.environ.get("HIP_VISIBLE_DEVICES", "0").strip() in _HIDDEN:
        return []
    found = sorted(nodes.glob("*/properties"), key=lambda path: (len(path.parent.name), path.parent.name))
    return [text for path in found if (text := read_text(str(path))) is not None]
