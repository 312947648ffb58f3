"""Kernels as people publish them: which of them the front end reaches, with which arguments, and why not the others.

    python benchmarks/corpus.py [PACKAGE...] [--limit N] [--only GLOB...] [--json FILE] [--cache DIR] [--workers 2]
                                [--markdown]

Downloads source distributions from the package index (`PIP_INDEX_URL`, else PyPI) into the user's cache, checks their
hashes, unpacks them without building or installing anything, and analyses every file with kernels as `tilescope
facts` does, each kernel for the target it is written for. The table of docs/corpus.md is what `--markdown` prints.
"""

from __future__ import annotations

import argparse
import asyncio
import fnmatch
import json
import sys
import time
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from corpora import packages as corpus_packages
from corpora.outcome import OUTCOMES, Outcome, outcomes
from corpora.packages import PACKAGES, Package
from tilescope_trace.analyse import analyse
from tilescope_trace.errors import UsageError
from tilescope_trace.host import Host, Policy
from tilescope_trace.model import FileFacts, Options, Snapshot

ORIGINS = ("command-line", "editor", "directive", "config", "captured", "call", "autotune", "default", "none")
"""Origins of arguments that were found; the one left is ``assumed``."""


PATIENCE = 240.0
"""Seconds without progress after which a kernel counts as hanging: far more than a kernel takes on a busy machine."""


@dataclass(frozen=True)
class FileRun:
    """One analysed file: its kernels' outcomes, the wall time, what broke the host (nothing may)."""

    file: str
    outcomes: tuple[Outcome, ...]
    seconds: float
    broke: str | None = None


async def run_file(host: Host, package: Package, root: Path, path: Path) -> FileRun:
    """Analyse one file of an unpacked package."""
    name = str(path.relative_to(root))
    options = Options(targets=package.targets_of(name))
    started = time.perf_counter()
    facts: FileFacts | None = None
    broke = None
    try:
        text = path.read_text(encoding="utf-8")
        async for newer in analyse(Snapshot(str(path), text), options, host):
            facts = newer
    except UsageError as error:
        broke = str(error)
    except Exception as error:  # noqa: BLE001 - a benchmark of robustness counts what goes wrong
        broke = f"{type(error).__name__}: {error}"
    finally:
        await host.forget(str(path))
    found = outcomes(name, facts) if facts is not None else ()
    return FileRun(name, found, time.perf_counter() - started, broke)


async def run_package(package: Package, root: Path, files: Sequence[Path], workers: int) -> list[FileRun]:
    """All files, ``workers`` at a time."""
    queue = list(reversed(files))
    done: list[FileRun] = []

    async def work(host: Host) -> None:
        while queue:
            run = await run_file(host, package, root, queue.pop())
            done.append(run)
            if run.outcomes or run.broke:
                tell(len(done), len(files), run)

    async with Host(sys.executable, Policy(step_seconds=PATIENCE)) as host:
        await asyncio.gather(*(work(host) for _ in range(workers)))
    return sorted(done, key=lambda run: run.file)


def tell(number: int, total: int, run: FileRun) -> None:
    """One line of progress on stderr."""
    counts = Counter(outcome.outcome for outcome in run.outcomes)
    said = ", ".join(f"{count} {name}" for name, count in counts.items()) or run.broke
    print(f"[{number}/{total}] {run.file}: {said} ({run.seconds:.1f} s)", file=sys.stderr, flush=True)


def report(package: Package, runs: Sequence[FileRun], *, markdown: bool) -> Iterable[str]:
    """The figures of a package as lines."""
    found = [outcome for run in runs for outcome in run.outcomes]
    reached = [one for one in found if one.outcome == "layouts"]
    origins = Counter(one.origin or "none" for one in reached)
    with_found = sum(count for origin, count in origins.items() if origin != "assumed")
    # What no analysis can give layouts to: other versions, other machines, stubs, definitions not in force.
    counted = [one for one in found if one.outcome not in ("not in force",)]
    seconds = sum(run.seconds for run in runs if run.outcomes)
    broke = [run for run in runs if run.broke]
    title = f"{package.name} {package.version}"
    yield f"### {title}" if markdown else f"== {title}"
    yield ""
    rows = [
        ("files with kernels", str(sum(bool(run.outcomes) for run in runs))),
        ("kernels", str(len(found))),
        ("reach layouts, arguments found", share(with_found, len(counted))),
        ("reach layouts in all", share(len(reached), len(counted))),
        *(
            (f"- with arguments from: {origin}", str(origins[origin]))
            for origin in (*ORIGINS, "assumed")
            if origins[origin]
        ),
        *((name, share(n, len(counted))) for name in OUTCOMES[1:] if (n := sum(o.outcome == name for o in found))),
        ("host errors", str(len(broke))),
        ("ms per kernel", f"{1000 * seconds / len(found):.0f}" if found else "-"),
    ]
    if markdown:
        yield "| what | figure |"
        yield "|---|---|"
        yield from (f"| {what} | {figure} |" for what, figure in rows)
    else:
        width = max(len(what) for what, _ in rows)
        yield from (f"{what:<{width}}  {figure}" for what, figure in rows)
    rest = Counter((one.outcome, one.reason) for one in found if one.outcome != "layouts")
    if rest:
        yield ""
        yield "| kernels | outcome | reason |" if markdown else "reasons:"
        if markdown:
            yield "|---|---|---|"
        for (outcome, reason), count in sorted(rest.items(), key=lambda item: (OUTCOMES.index(item[0][0]), -item[1])):
            text = reason.replace("|", "\\|")
            yield f"| {count} | {outcome} | {text} |" if markdown else f"  {count:4}  {outcome:<14} {text}"
    for run in broke:
        yield f"{run.file}: {run.broke}"
    yield ""


def share(count: int, whole: int) -> str:
    return f"{count} ({100 * count / whole:.1f} %)" if whole else str(count)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("packages", nargs="*", metavar="PACKAGE", help="names; all of them without")
    parser.add_argument("--limit", type=int, metavar="N", help="only the first N files with kernels of each package")
    parser.add_argument(
        "--only",
        metavar="GLOB",
        action="append",
        help="only files whose path in the package matches; may be repeated",
    )
    parser.add_argument("--json", type=Path, metavar="FILE", help="write every kernel's outcome there")
    parser.add_argument("--cache", type=Path, default=corpus_packages.default_cache(), metavar="DIR")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--markdown", action="store_true", help="print tables as docs/corpus.md has them")
    given = parser.parse_args()
    unknown = set(given.packages) - {package.name for package in PACKAGES}
    if unknown:
        parser.error(f"no package {', '.join(sorted(unknown))}; there are {', '.join(p.name for p in PACKAGES)}")
    rows = []
    bad = 0
    for package in PACKAGES:
        if given.packages and package.name not in given.packages:
            continue
        root = corpus_packages.fetch(package, given.cache)
        files = package.files(root)
        if given.only:
            files = [
                path
                for path in files
                if any(fnmatch.fnmatch(str(path.relative_to(root)), glob) for glob in given.only)
            ]
        runs = asyncio.run(run_package(package, root, files[: given.limit], given.workers))
        print(*report(package, runs, markdown=given.markdown), sep="\n", flush=True)
        rows += [{"package": package.name} | asdict(outcome) for run in runs for outcome in run.outcomes]
        bad += sum(run.broke is not None for run in runs)
    if given.json:
        given.json.write_text(json.dumps(rows, indent=1), encoding="utf-8")
    return int(bad > 0)


if __name__ == "__main__":
    sys.exit(main())
