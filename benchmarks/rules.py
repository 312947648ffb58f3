"""What rules add to the time of facts: findings of all rules against the compile that gives their facts.

Budget: 10 %. Kernels are the bundled ones and those of the tests' GEMM and attention; each rule is timed over all of
them, so that the dearest are named.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

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
BUDGET = 0.10


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


def main() -> int:
    work.warm(("cuda:sm_90a",))
    total = spent = 0.0
    by_rule: dict[str, float] = {}
    for path in FILES:
        kernels, text, seconds = analysed(path)
        total += seconds
        tree = parse(text).tree
        for kernel in kernels:
            for rule, check in CHECKS:
                started = time.process_time()
                # Rules look at a kernel anew when it is planned, and at each of its three stages.
                for _ in range(4):
                    list(check(Subject(kernel, text, str(path), tree)))
                took = time.process_time() - started
                spent += took
                by_rule[rule.code] = by_rule.get(rule.code, 0.0) + took
    share = spent / (total - spent)
    dearest = ", ".join(f"{code} {by_rule[code] * 1000:.1f} ms" for code in sorted(by_rule, key=by_rule.get)[:-4:-1])  # type: ignore[arg-type]
    sys.stdout.write(f"facts {total * 1000:.0f} ms, rules {spent * 1000:.1f} ms ({share:.1%}); dearest: {dearest}\n")
    if share > BUDGET:
        sys.stdout.write(f"over the budget of {BUDGET:.0%}\n")
    return int(share > BUDGET)


if __name__ == "__main__":
    sys.exit(main())
