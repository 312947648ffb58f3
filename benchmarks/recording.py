"""Recording against plain lowering, and against TileLang's own lower_trace, in one run.

    python benchmarks/recording.py [--runs 5]

Budgets: record_ms (texts and line maps included) ÷ plain `lower` ≤ 1.6 on the GEMM, ≤ 1.25 on attention; a GEMM's
recording ≤ 100 KB. Plain and recorded lowerings alternate in one warm process; TileLang's html trace, which is
switched on by the environment, runs in a process of its own that also times plain lowering there.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import tilelang

from tilescope_trace.model import Options, RecordingInfo, Snapshot
from tilescope_trace.source.plan import FilePlan, plan_file
from tilescope_trace.store.write import RecordingWriter
from tilescope_worker import load, targets
from tilescope_worker.definitions import definitions_of
from tilescope_worker.elaborate import elaborate
from tilescope_worker.wire.messages import Event, Generated, Job, PassBegan, PassEnded, PassText, RequestDone
from tilescope_worker.work import run_job

KERNELS = Path(__file__).parent.parent / "cli/tilescope/kernels"
BUDGETS = {"gemm": 1.6, "attention": 1.25}
SIZE_BUDGET_KB = 100


def plan_of(name: str) -> tuple[Snapshot, FilePlan]:
    path = KERNELS / f"{name}.py"
    snapshot = Snapshot(str(path), path.read_text(encoding="utf-8"))
    return snapshot, plan_file(snapshot, Options(targets=("cuda:sm_90a",)))


def plain_lowering(name: str) -> Callable[[], float]:
    """A call that lowers the kernel once, nothing watching, and returns the milliseconds."""
    snapshot, plan = plan_of(name)
    with load.importable(snapshot.path):
        loaded = load.execute(snapshot.path, snapshot.text)
        made = elaborate(loaded.namespace, definitions_of(snapshot.path, snapshot.text), plan.requests[0])
    target = targets.resolve("cuda:sm_90a")

    def lower() -> float:
        started = time.perf_counter()
        with tilelang.transform.PassContext(opt_level=3, config=made.pass_configs), target:
            tilelang.lower(made.func, target=target)
        return (time.perf_counter() - started) * 1000

    return lower


def recorded(name: str) -> tuple[float, list[Event]]:
    """record_ms of one recording, and its events."""
    snapshot, plan = plan_of(name)
    events: list[Event] = []
    run_job(Job(snapshot.path, snapshot.text, plan.requests, record=True), events.append)
    (done,) = [event for event in events if isinstance(event, RequestDone)]
    return done.record_ms, events


def size_kb(events: list[Event], info: RecordingInfo | None = None) -> float:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "x.tscope"
        with RecordingWriter(path, info) as writer:
            for event in events:
                if isinstance(event, (PassBegan, PassText, PassEnded, Generated)):
                    writer.add(event)
        return path.stat().st_size / 1024


def html_trace_ratio(name: str, runs: int) -> float:
    """TileLang's own html trace ÷ plain lowering, both in processes of their own with the same warm-up."""

    def median_ms(extra: dict[str, str]) -> float:
        code = f"import sys; sys.path.insert(0, {str(Path(__file__).parent)!r}); import recording; recording.child()"
        with tempfile.TemporaryDirectory() as folder:
            environment = {**os.environ, **extra, "TL_LOWER_TRACE_DIR": folder}
            command = [sys.executable, "-c", code, name, str(runs)]
            done = subprocess.run(command, env=environment, cwd=folder, capture_output=True, text=True, check=True)
        return statistics.median(json.loads(done.stdout.splitlines()[-1]))

    return median_ms({"TL_LOWER_TRACE": "html"}) / median_ms({})


def child() -> None:
    name, runs = sys.argv[1], int(sys.argv[2])
    lower = plain_lowering(name)
    lower()
    print(json.dumps([lower() for _ in range(runs)]))


def main() -> int:
    parser = argparse.ArgumentParser(description=str(__doc__).split("\n")[0])
    parser.add_argument("--runs", type=int, default=5)
    runs = parser.parse_args().runs
    holds = True
    for name, budget in BUDGETS.items():
        lower = plain_lowering(name)
        lower(), recorded(name)
        pairs: list[tuple[float, Any]] = [(lower(), recorded(name)) for _ in range(runs)]
        plain = statistics.median(pair[0] for pair in pairs)
        ours = statistics.median(pair[1][0] for pair in pairs)
        ratio, size = ours / plain, size_kb(pairs[-1][1][1])
        holds &= ratio <= budget and size <= SIZE_BUDGET_KB
        print(f"{name}: plain {plain:.0f} ms, recorded {ours:.0f} ms, ratio {ratio:.2f} (budget {budget})")
        print(f"{name}: recording of {size:.0f} KB (budget {SIZE_BUDGET_KB})")
        print(f"{name}: TileLang's html trace ÷ plain {html_trace_ratio(name, runs):.2f}")
    return 0 if holds else 1


if __name__ == "__main__":
    sys.exit(main())
