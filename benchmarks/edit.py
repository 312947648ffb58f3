"""Edit latency: from a changed GEMM to its layouts, through the host, against a bare warm front end, in one run.

    python benchmarks/edit.py [--runs 15]

Budget: compiled layout facts after an edit ÷ bare execute-elaborate-to-layouts ≤ 1.3 (GEMM, cuda:sm_90a, debounce
excluded). Both sides see the same edits in turn; medians are compared.
"""

from __future__ import annotations

import argparse
import asyncio
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from tilescope_trace.analyse import analyse
from tilescope_trace.host import Host
from tilescope_trace.model import Options, Snapshot

KERNEL = Path(__file__).parent.parent / "cli/tilescope/kernels/gemm.py"
BUDGET = 1.3


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


async def measure(runs: int) -> tuple[list[float], list[float], list[float]]:
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


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--runs", type=int, default=15)
    statics, ours, theirs = asyncio.run(measure(parser.parse_args().runs))
    ratio = statistics.median(ours) / statistics.median(theirs)
    print(f"static facts          {statistics.median(statics):7.1f} ms (max {max(statics):.1f})")
    print(f"layouts, tilescope    {statistics.median(ours):7.1f} ms (min {min(ours):.1f}, max {max(ours):.1f})")
    print(f"layouts, bare         {statistics.median(theirs):7.1f} ms (min {min(theirs):.1f}, max {max(theirs):.1f})")
    print(f"ratio                 {ratio:7.2f}    budget {BUDGET}: {'holds' if ratio <= BUDGET else 'DOES NOT HOLD'}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
