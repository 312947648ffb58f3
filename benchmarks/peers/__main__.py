"""Run the peers: ``python -m peers [find|published|cold|warm|write]...`` (all without one)."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from . import findings, page, published, timing
from .cases import ROOT
from .place import Place

STEPS = ("find", "published", "cold", "warm", "write")


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="python -m peers", description="tilescope and its peers on the same kernels"
    )
    parser.add_argument("steps", nargs="*", choices=[*STEPS, []], help="what to do (default: all)")
    parser.add_argument("--env", type=Path, default=ROOT / ".compat" / "peers", help="environment with the peers")
    parser.add_argument("--keep", type=Path, default=ROOT / "build" / "peers", help="where results are kept")
    parser.add_argument("--only", action="append", default=[], metavar="TOOL", help="find: this tool only")
    parser.add_argument("--rounds", type=int, default=3, help="cold: how often each command is run")
    parser.add_argument("--add", action="store_true", help="cold: keep the times of the run before")
    parser.add_argument("--kernel", action="append", choices=timing.KERNELS, help="warm: this kernel only")
    parser.add_argument("--page", type=Path, default=ROOT / "docs" / "peers.md")
    options = parser.parse_args()
    place = Place(options.env / "bin" / "python", Path(sys.executable), options.keep.resolve())
    steps = options.steps or STEPS
    if "find" in steps:
        findings.collect(place, options.only)
    if "published" in steps:
        published.collect(place)
    if "cold" in steps:
        timing.cold(place, options.rounds, add=options.add)
    if "warm" in steps:
        timing.warm(place, options.kernel or timing.KERNELS)
    if "write" in steps:
        options.page.write_text(page.text(place), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
