"""What figures depend on beside the code: the machine, versions, and how busy it is."""

from __future__ import annotations

import os
import platform
import statistics
import subprocess
import sys
import time
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import psutil

ROOT = Path(__file__).parent.parent
PACKAGES = ("tilescope", "tilelang", "torch", "textual", "pygls", "rapidfuzz", "msgspec")
TVM = "import tilelang, tvm; print(tvm.__version__)"


def machine() -> dict[str, str]:
    """CPU, cores, memory, operating system."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return {
        "CPU": _cpu(),
        "cores": str(cores),
        "memory": f"{psutil.virtual_memory().total / 1e9:.0f} GB",
        "OS": platform.platform(),
    }


def versions() -> dict[str, str]:
    """Of Python and of what is measured and measured against; what is not there is left out."""
    found = {"Python": platform.python_version()}
    found |= {package: said for package in PACKAGES if (said := _version(package))}
    # TileLang brings a TVM of its own, which is no distribution.
    said = _output(sys.executable, "-c", TVM)
    return found | ({"tvm (of tilelang)": said.splitlines()[-1]} if said else {}) | _git()


def revision() -> str:
    """The commit that is measured, and whether files differ from it."""
    commit = _output("git", "-C", str(ROOT), "rev-parse", "--short=12", "HEAD")
    if not commit:
        return "unknown"
    changed = _output("git", "-C", str(ROOT), "status", "--porcelain", "--untracked-files=no", "--", "*.py")
    return commit + (" with changes" if changed else "")


def load() -> float:
    """Runnable tasks, mean of the last minute."""
    return os.getloadavg()[0]


def pace() -> float:
    """Milliseconds of a fixed piece of work: a machine that slows down, or is slowed down, shows here."""

    def once() -> float:
        started = time.perf_counter()
        sum(number * number for number in range(200_000))
        return (time.perf_counter() - started) * 1000

    return statistics.median(once() for _ in range(9))


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return ""


def _cpu() -> str:
    try:
        for line in Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    except OSError:
        pass
    return platform.processor() or platform.machine()


def _git() -> dict[str, str]:
    said = _output("git", "--version")
    return {"git": said.rpartition(" ")[2]} if said else {}


def _output(*command: str) -> str:
    try:
        return subprocess.run(command, capture_output=True, text=True, check=True, timeout=60).stdout.strip()
    except (OSError, subprocess.SubprocessError):
        return ""
