"""Line diff of two IR texts of 5,000 lines against ``git diff --no-index --minimal``, and against difflib.

    python benchmarks/diff.py [--runs 15]

CPU time of all in one run. Ours and difflib's begin with two strings, git's with two files; what git's process takes
to start is told in the note. difflib is set up as TileLang's lower_trace does.
"""

from __future__ import annotations

import difflib
import random
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from figures import Figure, options, report
from tilescope_passdiff.lines import count, diff, split

LINES = 5000


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


def difflib_cpu(before: str, after: str) -> float:
    """CPU seconds of difflib's matcher."""
    start = time.process_time()
    difflib.SequenceMatcher(None, before.split("\n"), after.split("\n")).get_opcodes()
    return time.process_time() - start


def measure(runs: int) -> Iterator[Figure]:
    before = ir_text(random.Random(1))
    with tempfile.TemporaryDirectory() as folder:
        old, new, nothing = (Path(folder) / name for name in ("old", "new", "nothing"))
        old.write_text("\n".join(before) + "\n")
        nothing.write_text("x\n")
        for change in (scattered, moved, rewritten):
            after = change(before, random.Random(2))
            new.write_text("\n".join(after) + "\n")
            own, git, start, library = [], [], [], []
            for _ in range(runs):
                own.append(own_cpu("\n".join(before), "\n".join(after)) * 1000)
                git.append(git_cpu(old, new) * 1000)
                start.append(git_cpu(nothing, new) * 1000)
                library.append(difflib_cpu("\n".join(before), "\n".join(after)) * 1000)
            inserted, deleted = count(diff(before, after))
            note = f"+{inserted} -{deleted} lines; git's process takes {statistics.median(start):.1f} ms to start"
            yield Figure(f"diff.{change.__name__}", tuple(own), tuple(git), note)
            yield Figure(f"diff.{change.__name__}-difflib", tuple(own), tuple(library))


def main() -> int:
    given = options(__doc__, runs=15).parse_args()
    return report(measure(given.runs), given.json)


if __name__ == "__main__":
    sys.exit(main())
