"""Comparing two recordings of attention, as `tilescope compare` does it.

    python benchmarks/compare.py [--runs 5]

Budget: ≤ 1 s, for two recordings that differ from the middle on (sm_80 against sm_90a) and for one against itself.
Recording is not part of it.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import tempfile
import time
from pathlib import Path

from tilescope_passdiff.compare import compare
from tilescope_trace.model import Options, Snapshot
from tilescope_trace.source.plan import plan_file
from tilescope_trace.store.read import open_recording
from tilescope_trace.store.write import RecordingWriter
from tilescope_worker.wire.messages import Event, Generated, Job, PassBegan, PassEnded, PassText
from tilescope_worker.work import run_job

KERNEL = Path(__file__).parent.parent / "cli/tilescope/kernels/attention.py"
BUDGET_S = 1.0


def record(target: str, out: Path) -> None:
    snapshot = Snapshot(str(KERNEL), KERNEL.read_text(encoding="utf-8"))
    plan = plan_file(snapshot, Options(targets=(target,)))
    with RecordingWriter(out) as writer:

        def send(event: Event) -> None:
            if isinstance(event, (PassBegan, PassText, PassEnded, Generated)):
                writer.add(event)

        run_job(Job(snapshot.path, snapshot.text, plan.requests[:1], record=True), send)


def seconds(a: Path, b: Path) -> float:
    started = time.perf_counter()
    with open_recording(a) as old, open_recording(b) as new:
        compare(old, new)
    return time.perf_counter() - started


def main() -> int:
    parser = argparse.ArgumentParser(description=str(__doc__).split("\n")[0])
    parser.add_argument("--runs", type=int, default=5)
    runs = parser.parse_args().runs
    holds = True
    with tempfile.TemporaryDirectory() as folder:
        paths = [Path(folder) / f"{target}.tscope" for target in ("sm_80", "sm_90a")]
        for path in paths:
            record(f"cuda:{path.stem}", path)
        for name, pair in (("other target", paths), ("itself", paths[:1] * 2)):
            taken = statistics.median(seconds(*pair) for _ in range(runs))
            holds &= taken <= BUDGET_S
            print(f"attention sm_80 against {name}: {taken * 1000:.0f} ms (budget {BUDGET_S * 1000:.0f})")
    return 0 if holds else 1


if __name__ == "__main__":
    sys.exit(main())
