"""Line diff of two IR texts of 5,000 lines, as a ratio against ``git diff --no-index --minimal``: CPU time of both in
one run, medians. Ours begins with two strings, git's with two files. The budget is 1.5 of the git process; the ratio
to git's work without its process start is printed as well. Run: ``python benchmarks/diff.py``.
"""

from __future__ import annotations

import random
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from tilescope_passdiff.lines import count, diff, split

LINES, ROUNDS, BUDGET = 5000, 15, 1.5


def ir_text(chance: random.Random) -> list[str]:
    """Lines as a lowered kernel has them: deep nests, long indices, many that repeat."""
    text = []
    for n in range(LINES):
        indent = "    " * (3 + n // 7 % 6)
        kind = n % 7
        if kind == 0:
            text.append(f"{indent}for i in T.unroll({chance.choice((2, 4, 8, 16))}):")
        elif kind == 1:
            text.append(f"{indent}T.mbarrier_wait_parity(mbarrier[k % 3 + 3], T.bitwise_xor(k % 6 // 3, 1))")
        else:
            at, to = chance.randrange(400), chance.randrange(400)
            text.append(f"{indent}C_local[i * {at} + vec] = T.Cast('float16', A_shared[k % 3 * 4096 + tx * {to}])")
    return text


def scattered(text: list[str], chance: random.Random) -> list[str]:
    """200 edits: replaced, deleted and inserted lines."""
    edited = list(text)
    for _ in range(200):
        at = chance.randrange(len(edited))
        line = edited[at].replace("k % 3", f"k % {chance.randrange(4, 99)}")
        edited[at : at + chance.randrange(2)] = [line] * chance.randrange(3)
    return edited


def moved(text: list[str], chance: random.Random) -> list[str]:
    """Three blocks of 100 lines somewhere else, on top of scattered edits."""
    edited = scattered(text, chance)
    for _ in range(3):
        at, to = chance.randrange(len(edited) - 100), chance.randrange(len(edited) - 200)
        block = edited[at : at + 100]
        del edited[at : at + 100]
        edited[to:to] = block
    return edited


def rewritten(text: list[str], chance: random.Random) -> list[str]:
    """Six lines in ten are others."""
    return [line if chance.random() > 0.6 else f"{line}  # {chance.randrange(10**6)}" for line in text]


def git_cpu(before: Path, after: Path) -> float:
    """User and system seconds of one git process."""
    start = resource.getrusage(resource.RUSAGE_CHILDREN)
    command = ["git", "diff", "--no-index", "--minimal", "--numstat", str(before), str(after)]
    subprocess.run(command, stdout=subprocess.DEVNULL, check=False)
    end = resource.getrusage(resource.RUSAGE_CHILDREN)
    return end.ru_utime + end.ru_stime - start.ru_utime - start.ru_stime


def own_cpu(before: str, after: str) -> float:
    """CPU seconds of one diff: lines split, matched, and slid to natural boundaries."""
    start = time.process_time()
    diff(split(before), split(after))
    return time.process_time() - start


def main() -> int:
    """Prints a line per kind of change; exit status 1 where the budget is broken."""
    before = ir_text(random.Random(1))
    broken = False
    with tempfile.TemporaryDirectory() as folder:
        old, new, nothing = (Path(folder) / name for name in ("old", "new", "nothing"))
        old.write_text("\n".join(before) + "\n")
        nothing.write_text("x\n")
        for change in (scattered, moved, rewritten):
            after = change(before, random.Random(2))
            new.write_text("\n".join(after) + "\n")
            own, git, start = [], [], []
            for _ in range(ROUNDS):
                own.append(own_cpu("\n".join(before), "\n".join(after)))
                git.append(git_cpu(old, new))
                start.append(git_cpu(nothing, new))
            ours, whole, empty = (statistics.median(times) * 1000 for times in (own, git, start))
            ratio = ours / whole
            broken |= ratio > BUDGET
            inserted, deleted = count(diff(before, after))
            print(
                f"{change.__name__:>10}: +{inserted} -{deleted}; diff {ours:.1f} ms, git {whole:.1f} ms "
                f"(start {empty:.1f}); ratio {ratio:.2f}, budget {BUDGET}; "
                f"without git's start {ours / max(whole - empty, 0.001):.2f}"
            )
    return int(broken)


if __name__ == "__main__":
    sys.exit(main())
