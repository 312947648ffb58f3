"""Edit latency: from a changed GEMM to its layouts, through the host, against a bare warm front end, in one run.

    python benchmarks/edit.py [--runs 15]

Compiled layout facts after an edit against bare execute-elaborate-to-layouts (GEMM, cuda:sm_90a, debounce excluded).
Both sides see the same edits in turn.
"""

from __future__ import annotations

import asyncio
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from figures import Figure, options, report
from tilescope_trace.analyse import analyse
from tilescope_trace.host import Host
from tilescope_trace.model import Options, Snapshot

KERNEL = Path(__file__).parent.parent / "cli/tilescope/kernels/gemm.py"


def edited(text: str, number: int) -> str:
    """The GEMM with another block size: an edit that changes layouts."""
    return text.replace("block_K=32", f"block_K={(32, 64)[number % 2]}")


async def host_ms(host: Host, path: str, text: str) -> tuple[float, float]:
    """Milliseconds to static facts and to layouts."""
    started = time.perf_counter()
    static = layouts = 0.0
    async for facts in analyse(Snapshot(path, text), Options(), host):
        now = (time.perf_counter() - started) * 1000
        static = static or now
        if not layouts and facts.kernels[0].stage == "layouts":
            layouts = now
    return static, layouts


async def edits(runs: int) -> tuple[list[float], list[float], list[float]]:
    text = KERNEL.read_text(encoding="utf-8")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "gemm.py"
        bare = subprocess.Popen(
            [sys.executable, str(Path(__file__).with_name("bare_front_end.py"))],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        assert bare.stdin is not None
        assert bare.stdout is not None
        statics, ours, theirs = [], [], []
        async with Host(sys.executable) as host:
            for number in range(runs + 2):
                path.write_text(edited(text, number), encoding="utf-8")
                bare.stdin.write(f"{path}\n")
                bare.stdin.flush()
                theirs.append(float(bare.stdout.readline()))
                static, layouts = await host_ms(host, str(path), edited(text, number))
                statics.append(static)
                ours.append(layouts)
        bare.stdin.close()
        bare.wait()
    return statics[2:], ours[2:], theirs[2:]


def measure(runs: int) -> Iterator[Figure]:
    statics, ours, theirs = asyncio.run(edits(runs))
    yield Figure("edit.layouts", tuple(ours), tuple(theirs))
    yield Figure("edit.static", tuple(statics))


def main() -> int:
    given = options(__doc__, runs=15).parse_args()
    return report(measure(given.runs), given.json)


if __name__ == "__main__":
    sys.exit(main())
