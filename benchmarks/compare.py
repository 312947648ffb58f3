"""Comparing two recordings of attention, as `tilescope compare` does it.

    python benchmarks/compare.py [--runs 5]

Two recordings that differ from the middle on (sm_80 against sm_90a), and one against itself. Recording them is apart.
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from figures import Figure, options, report
from tilescope_passdiff.compare import compare
from tilescope_trace.model import Options, Snapshot
from tilescope_trace.source.plan import plan_file
from tilescope_trace.store.read import open_recording
from tilescope_trace.store.write import RecordingWriter
from tilescope_worker.wire.messages import Event, Generated, Job, PassBegan, PassEnded, PassText
from tilescope_worker.work import run_job

KERNEL = Path(__file__).parent.parent / "cli/tilescope/kernels/attention.py"


def record(target: str, out: Path) -> None:
    snapshot = Snapshot(str(KERNEL), KERNEL.read_text(encoding="utf-8"))
    plan = plan_file(snapshot, Options(targets=(target,)))
    with RecordingWriter(out) as writer:

        def send(event: Event) -> None:
            if isinstance(event, (PassBegan, PassText, PassEnded, Generated)):
                writer.add(event)

        run_job(Job(snapshot.path, snapshot.text, plan.requests[:1], record=True), send)


def compared_ms(a: Path, b: Path) -> float:
    started = time.perf_counter()
    with open_recording(a) as old, open_recording(b) as new:
        compare(old, new)
    return (time.perf_counter() - started) * 1000


def measure(runs: int) -> Iterator[Figure]:
    with tempfile.TemporaryDirectory() as folder:
        old, new = paths = [Path(folder) / f"{target}.tscope" for target in ("sm_80", "sm_90a")]
        for path in paths:
            record(f"cuda:{path.stem}", path)
        yield Figure("compare.target", tuple(compared_ms(old, new) for _ in range(runs)))
        yield Figure("compare.itself", tuple(compared_ms(old, old) for _ in range(runs)))


def main() -> int:
    given = options(__doc__).parse_args()
    return report(measure(given.runs), given.json)


if __name__ == "__main__":
    sys.exit(main())
