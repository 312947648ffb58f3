"""What rules add to the time of facts: findings of all rules against the compile that gives their facts.

    python benchmarks/rules.py [--runs 5]

Kernels are the bundled ones and those of the tests' GEMM and attention, all of them in each run, in CPU time. The
note names the dearest rules.
"""

from __future__ import annotations

import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from figures import Figure, options, report
from tilescope_trace.gather import Gathered
from tilescope_trace.model import Kernel, Options, Snapshot
from tilescope_trace.rules.check import Subject
from tilescope_trace.rules.checks import CHECKS
from tilescope_trace.source.plan import plan_file
from tilescope_trace.source.tolerant import parse
from tilescope_worker import work
from tilescope_worker.wire.messages import Event, Job

ROOT = Path(__file__).parent.parent
FILES = (
    *sorted((ROOT / "cli" / "tilescope" / "kernels").glob("[a-z]*.py")),
    ROOT / "tests" / "kernels" / "staged_gemm.py",
    ROOT / "tests" / "kernels" / "lines_attention.py",
)


def analysed(path: Path) -> tuple[list[Kernel], str, float]:
    """The kernels of a file as compiled, its text, and the seconds that took (all stages, rules included)."""
    text = path.read_text(encoding="utf-8")
    snapshot = Snapshot(str(path), text)
    started = time.process_time()
    plan = plan_file(snapshot, Options(targets=("cuda:sm_90a",)))
    gathered = Gathered(snapshot, plan)

    def send(event: Event) -> None:
        gathered.take(event, 0)

    work.run_job(Job(str(path), text, plan.requests), send)
    return gathered.kernels, text, time.process_time() - started


def once(by_rule: Counter[str]) -> tuple[float, float]:
    """CPU milliseconds of all rules, and of the facts without them, over all files."""
    total = spent = 0.0
    for path in FILES:
        kernels, text, seconds = analysed(path)
        total += seconds
        parsed = parse(text)
        for kernel in kernels:
            for rule, check in CHECKS:
                started = time.process_time()
                # Rules look at a kernel anew when it is planned, and at each of its three stages.
                for _ in range(4):
                    list(check(Subject(kernel, text, str(path), lambda parsed=parsed: parsed.tree)))
                took = time.process_time() - started
                spent += took
                by_rule[rule.code] += took
    return spent * 1000, (total - spent) * 1000


def measure(runs: int) -> Iterator[Figure]:
    work.warm(("cuda:sm_90a",))
    by_rule: Counter[str] = Counter()
    rules, facts = zip(*(once(by_rule) for _ in range(runs)), strict=True)
    dearest = ", ".join(f"{code} {took / runs * 1000:.1f} ms" for code, took in by_rule.most_common(3))
    yield Figure("rules.share", rules, facts, f"dearest: {dearest}")


def main() -> int:
    given = options(__doc__).parse_args()
    return report(measure(given.runs), given.json)


if __name__ == "__main__":
    sys.exit(main())
