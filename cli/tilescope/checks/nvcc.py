"""nvcc, which turns generated CUDA source into machine code."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

from .check import Check

LOST = "registers and spills after device compilation (facts --device-compile)"


def check_nvcc() -> Check:
    """The nvcc that CUDA_HOME or PATH names, and its version."""
    found = _find()
    if found is None:
        return Check("nvcc", "missing", "not on PATH, and CUDA_HOME is not set", LOST, "install the CUDA toolkit")
    try:
        done = subprocess.run([found, "--version"], capture_output=True, text=True, timeout=20, check=False)
    except (OSError, subprocess.TimeoutExpired) as error:
        return Check("nvcc", "broken", f"{found} does not run: {error}", LOST, "mend or remove this CUDA toolkit")
    version = re.search(r"release ([\d.]+)", done.stdout)
    if done.returncode != 0 or version is None:
        said = (done.stderr or done.stdout).strip().splitlines()
        return Check(
            "nvcc", "broken", f"{found}: {said[-1] if said else 'no version'}", LOST, "mend this CUDA toolkit"
        )
    return Check("nvcc", "ok", f"{version.group(1)} at {found}")


def _find() -> str | None:
    for variable in ("CUDA_HOME", "CUDA_PATH"):
        home = os.environ.get(variable)
        if home and (Path(home) / "bin" / "nvcc").exists():
            return str(Path(home) / "bin" / "nvcc")
    return shutil.which("nvcc")
