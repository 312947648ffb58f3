"""Memory of a session of the language server: all its processes, with a GEMM open and compiled.

    python benchmarks/memory.py [--runs 5]

Counted is proportional memory (PSS): what processes share counts once, since workers are forks of one that has
imported TileLang. The alternative is the bare front end of `edit.py`, one process that did the same compile.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path

import psutil

from figures import Figure, options, report
from lsp_client import Client

BENCHMARKS = Path(__file__).parent
KERNEL = BENCHMARKS.parent / "cli/tilescope/kernels/gemm.py"


def proportional_mb(processes: Iterable[psutil.Process]) -> float:
    return sum(process.memory_full_info().pss for process in processes) / 1e6


def session(folder: Path) -> tuple[float, int]:
    """MB of a server and its workers when everything of the GEMM is known, and how many processes that are."""
    client = Client({"trusted": True}, folder)
    uri = (folder / "gemm.py").as_uri()
    client.open(uri, KERNEL.read_text(encoding="utf-8"))
    client.complete(uri, 1)
    family = [client.family, *client.family.children(recursive=True)]
    used = proportional_mb(family)
    client.end()
    return used, len(family)


def bare() -> float:
    """MB of the bare front end after one compile."""
    pipe = subprocess.PIPE
    command = [sys.executable, str(BENCHMARKS / "bare_front_end.py")]
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL, text=True) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(f"{KERNEL}\n")
        process.stdin.flush()
        process.stdout.readline()
        used = proportional_mb([psutil.Process(process.pid)])
        process.stdin.close()
    return used


def measure(runs: int) -> Iterator[Figure]:
    ours, theirs, counts = [], [], set()
    for _ in range(runs):
        with tempfile.TemporaryDirectory() as name:
            used, count = session(Path(name).resolve())
        ours.append(used)
        counts.add(count)
        theirs.append(bare())
    yield Figure("memory.session", tuple(ours), tuple(theirs), f"{' or '.join(map(str, sorted(counts)))} processes")


def main() -> int:
    given = options(__doc__).parse_args()
    return report(measure(given.runs), given.json)


if __name__ == "__main__":
    sys.exit(main())
