"""How fast large profiles are imported, and what memory that takes.

    python benchmarks/profile_import.py [--runs 5] [--megabytes 200] [--keep FOLDER] [KIND ...]

Each file is generated, then imported in a process of its own, whose largest resident set counts, in turn with a
process that only loads it with the standard library's json. Speeds are of CPU time; that of wall time is in the note.
What was imported is held against what was generated: kernels and their time.
"""

from __future__ import annotations

import argparse
import json
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from figures import Figure, options, report
from traces import KINDS, kept

_MIB_KIB = 1024


Work = Callable[[Path], dict[str, float]]


def importing() -> Work:
    """What imports a file and says what was found."""
    from tilescope_trace.profile.load import load_profiles

    def work(path: Path) -> dict[str, float]:
        launches = [launch for profile in load_profiles(path) for launch in profile.launches]
        return {"launches": len(launches), "launch_ns": sum(launch.duration_ns or 0 for launch in launches)}

    return work


def loading() -> Work:
    """What reads a file with the standard library."""

    def work(path: Path) -> dict[str, float]:
        with path.open(encoding="utf-8") as file:
            return {"keys": len(json.load(file))}

    return work


WORK = {"import": importing, "load": loading}


def timed(work: str, path: Path) -> dict[str, float]:
    """One piece of work in this process, and what it took."""
    prepared = WORK[work]()
    wall, cpu = time.perf_counter(), time.process_time()
    found = prepared(path)
    return {
        **found,
        "wall_s": time.perf_counter() - wall,
        "cpu_s": time.process_time() - cpu,
        "memory_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / _MIB_KIB,
    }


def apart(work: str, path: Path) -> dict[str, float]:
    """The same in a process of its own."""
    command = [sys.executable, __file__, "--part", work, "--file", str(path)]
    found: dict[str, float] = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    return found


def measure(kind: str, folder: Path, megabytes: float, runs: int) -> Iterator[Figure]:
    path, written = kept(kind, folder, megabytes)
    pairs = [(apart("import", path), apart("load", path)) for _ in range(runs)]
    found = pairs[0][0]
    if kind != "simulator" and (found["launches"], found["launch_ns"]) != (written.kernels, written.kernel_ns):
        raise SystemExit(f"{kind}: {found['launches']:.0f} launches were imported, {written.kernels} were written")
    size = written.bytes / 1e6
    wall = statistics.median(size / ours["wall_s"] for ours, _ in pairs)
    note = f"{size:.0f} MB, {found['launches']:,.0f} launches; {wall:.0f} MB/s of wall time"
    speeds, memory = ([tuple(each(side)) for side in zip(*pairs, strict=True)] for each in (
        lambda runs: (size / one["cpu_s"] for one in runs),
        lambda runs: (one["memory_mb"] for one in runs),
    ))  # fmt: skip
    yield Figure(f"import.speed-{kind}", *speeds, note=note)
    yield Figure(f"import.memory-{kind}", *memory)


def main() -> int:
    parser = options(__doc__)
    parser.add_argument("kinds", metavar="KIND", nargs="*", choices=[*KINDS, []], help=", ".join(KINDS))
    parser.add_argument("--megabytes", type=float, default=200)
    parser.add_argument("--keep", type=Path, help="a folder for the profiles; made there if they are not there")
    parser.add_argument("--part", choices=list(WORK), help=argparse.SUPPRESS)
    parser.add_argument("--file", type=Path, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.part is not None:
        print(json.dumps(timed(given.part, given.file)))
        return 0
    code = 0
    with tempfile.TemporaryDirectory() as folder:
        for kind in given.kinds or KINDS:
            code |= report(measure(kind, given.keep or Path(folder), given.megabytes, given.runs), given.json)
    return code


if __name__ == "__main__":
    sys.exit(main())
