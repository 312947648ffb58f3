"""Recording against plain lowering, and against TileLang's own lower_trace, in one run.

    python benchmarks/recording.py [--runs 5]

The time of a recording includes texts and line maps. Plain and recorded lowerings alternate in one warm process;
TileLang's trace, which is switched on by the environment, runs in processes of its own with the same warm-up, against
plain lowering in one of its own. The size of its files is that of one lowering.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import tilelang

from figures import Figure, options, report
from tilescope_trace.model import Options, RecordingInfo, Snapshot
from tilescope_trace.source.plan import FilePlan, plan_file
from tilescope_trace.store.write import RecordingWriter
from tilescope_worker import load, targets
from tilescope_worker.definitions import definitions_of
from tilescope_worker.elaborate import elaborate
from tilescope_worker.wire.messages import Event, Generated, Job, PassBegan, PassEnded, PassText, RequestDone
from tilescope_worker.work import run_job

KERNELS = Path(__file__).parent.parent / "cli/tilescope/kernels"
NAMES = ("gemm", "attention")


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


def traced(name: str, mode: str, runs: int) -> tuple[tuple[float, ...], float]:
    """Milliseconds of lowerings in a process of its own, TileLang's trace in that mode; KB of its files for one."""
    code = f"import sys; sys.path.insert(0, {str(Path(__file__).parent)!r}); import recording; recording.child()"
    with tempfile.TemporaryDirectory() as folder:
        out, traces = Path(folder) / "times.json", Path(folder) / "traces"
        environment = {**os.environ, "TL_LOWER_TRACE": mode, "TL_LOWER_TRACE_DIR": str(traces)}
        command = [sys.executable, "-c", code, name, str(runs), str(out)]
        subprocess.run(command, env=environment, cwd=folder, capture_output=True, check=True)
        written = sum(path.stat().st_size for path in traces.rglob("*") if path.is_file())
        return tuple(json.loads(out.read_text(encoding="utf-8"))), written / 1024 / (runs + 1)


def child() -> None:
    name, runs, out = sys.argv[1:]
    lower = plain_lowering(name)
    lower()
    times = [lower() for _ in range(int(runs))]
    Path(out).write_text(json.dumps(times), encoding="utf-8")


def measure(runs: int) -> Iterator[Figure]:
    for name in NAMES:
        lower = plain_lowering(name)
        lower(), recorded(name)
        pairs = [(lower(), recorded(name)) for _ in range(runs)]
        yield Figure(
            f"recording.time-{name}", tuple(ours for _, (ours, _) in pairs), tuple(plain for plain, _ in pairs)
        )
        plain, _ = traced(name, "0", runs)
        terminal, _ = traced(name, "terminal", runs)
        html, html_kb = traced(name, "html", runs)
        yield Figure(f"recording.terminal-{name}", terminal, plain)
        yield Figure(f"recording.html-{name}", html, plain)
        yield Figure(f"recording.size-{name}", tuple(size_kb(events) for _, (_, events) in pairs), (html_kb,))


def main() -> int:
    given = options(__doc__).parse_args()
    return report(measure(given.runs), given.json)


if __name__ == "__main__":
    sys.exit(main())
