"""How fast large profiles are imported, and what memory that takes.

    python benchmarks/profile_import.py [--megabytes 200] [KIND ...]

Budgets: 50 MB/s or more, 400 MB of memory at most, on a file of 200 MB. Each file is generated, then imported in a
process of its own, whose largest resident set counts. What was imported is held against what was generated: kernels,
their time, arrows. `MB/s CPU` counts the process's own time, which says more on a busy machine.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from traces import KINDS, write

SPEED_MB_S, MEMORY_MB = 50, 400
_MIB_KIB = 1024


def imported(path: Path) -> dict[str, float]:
    """Import a file in this process; what it took and what was found."""
    from tilescope_trace.profile.load import load_profiles

    wall, cpu = time.perf_counter(), time.process_time()
    profiles = load_profiles(path)
    launches = [launch for profile in profiles for launch in profile.launches]
    return {
        "wall_s": time.perf_counter() - wall,
        "cpu_s": time.process_time() - cpu,
        "memory_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / _MIB_KIB,
        "launches": len(launches),
        "launch_ns": sum(launch.duration_ns or 0 for launch in launches),
        "slices": sum(len(profile.slices) for profile in profiles),
        "flows": sum(len(profile.flows) for profile in profiles),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kinds", metavar="KIND", nargs="*", choices=[*KINDS, []], help=", ".join(KINDS))
    parser.add_argument("--megabytes", type=float, default=200)
    parser.add_argument("--import", dest="path", type=Path, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.path is not None:
        print(json.dumps(imported(given.path)))
        return
    columns = ("MB", "MB/s", "MB/s CPU", "memory MB", "launches", "slices")
    print(f"{'kind':12}", *(f"{column:>9}" for column in columns), " as generated")
    for kind in given.kinds or KINDS:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "trace.json"
            written = write(kind, path, int(given.megabytes * 1e6))
            command = [sys.executable, __file__, "--import", str(path)]
            found = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
        size = written.bytes / 1e6
        same = (found["launches"], found["launch_ns"]) == (written.kernels, written.kernel_ns) or kind == "simulator"
        within = size / found["cpu_s"] >= SPEED_MB_S and found["memory_mb"] <= MEMORY_MB
        speeds = (size / found["wall_s"], size / found["cpu_s"])
        numbers = (size, *speeds, found["memory_mb"], found["launches"], found["slices"])
        verdict = ("yes" if same else "NO") + ("" if within else ", over budget")
        print(f"{kind:12}", *(f"{number:9.0f}" for number in numbers), f" {verdict}")


if __name__ == "__main__":
    main()
