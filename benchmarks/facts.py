"""All facts of a kernel against its plain lowering, alternating in one warm process.

    python benchmarks/facts.py [--runs 7] [--profile gemm]

Compared are one lowering with everything that facts take (`attempt`, as a job that records nothing runs it: the
compiler's optional checks, repair of lines, layouts, instructions, accesses with verdicts, warp accesses, resources;
the facts are read at each of the three stages) and one bare `tilelang.lower` of the same PrimFunc with the same pass
configs. Both end with generated source. Executing the file and elaborating the kernel are in neither.

Times are CPU times of the process (the ratio of wall time is in the note). Both kernels are for sm_90a.
"""

from __future__ import annotations

import cProfile
import pstats
import statistics
import sys
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import tilelang

from figures import Figure, options, report
from tilescope_trace.model import Options, Snapshot
from tilescope_trace.source.plan import plan_file
from tilescope_worker import load, spans, targets
from tilescope_worker.attempts import Setting, attempt
from tilescope_worker.definitions import definitions_of
from tilescope_worker.elaborate import Elaborated, elaborate

KERNELS = Path(__file__).parent.parent / "cli/tilescope/kernels"
TARGET = "cuda:sm_90a"
NAMES = ("gemm", "attention")
_READ = ("launch", "buffers", "operations", "accesses", "coverage", "warp_accesses", "notes")


def elaborated(name: str) -> tuple[Elaborated, str]:
    """The kernel of a bundled file as a PrimFunc, and the file's path."""
    path = KERNELS / f"{name}.py"
    snapshot = Snapshot(str(path), path.read_text(encoding="utf-8"))
    plan = plan_file(snapshot, Options(targets=(TARGET,)))
    with load.importable(snapshot.path):
        loaded = load.execute(snapshot.path, snapshot.text)
        made = elaborate(loaded.namespace, definitions_of(snapshot.path, snapshot.text), plan.requests[0])
    return made, snapshot.path


def plain(made: Elaborated) -> None:
    target = targets.resolve(TARGET)
    with tilelang.transform.PassContext(opt_level=3, config=made.pass_configs), target:
        tilelang.lower(made.func, target=target)


def with_facts(made: Elaborated, path: str) -> None:
    def read(_: Any, facts: Any) -> None:
        for name in _READ:
            getattr(facts, name)

    done = attempt(made, Setting(0, path, targets.resolve(TARGET), TARGET, checks=True), told=read)
    if done.lowered.error is not None:
        raise done.lowered.error
    read("lowered", done.facts)


def timed(work: Callable[[], None]) -> tuple[float, float]:
    """CPU and wall milliseconds of one call."""
    wall, cpu = time.perf_counter(), time.process_time()
    work()
    return (time.process_time() - cpu) * 1000, (time.perf_counter() - wall) * 1000


def profiled(name: str) -> None:
    made, path = elaborated(name)
    with_facts(made, path)
    profile = cProfile.Profile()
    profile.runcall(with_facts, made, path)
    pstats.Stats(profile, stream=sys.stdout).sort_stats("cumulative").print_stats("tilescope_worker", 60)


def measure(runs: int) -> Iterator[Figure]:
    for name in NAMES:
        made, path = elaborated(name)
        bare, observed = partial(plain, made), partial(with_facts, made, path)
        for warm in (bare, observed):
            warm()
        pairs = [(timed(bare), timed(observed)) for _ in range(runs)]
        wall = statistics.median(facts[1] / alone[1] for alone, facts in pairs)
        facts_ms, bare_ms = (tuple(pair[side][0] for pair in pairs) for side in (1, 0))
        yield Figure(f"facts.{name}", facts_ms, bare_ms, f"of wall time {wall:.2f}")


def main() -> int:
    parser = options(__doc__, runs=7)
    parser.add_argument("--profile", choices=NAMES, help="where the time of facts goes, instead")
    given = parser.parse_args()
    spans.keep_user_lines()
    if given.profile:
        profiled(given.profile)
        return 0
    return report(measure(given.runs), given.json)


if __name__ == "__main__":
    sys.exit(main())
