"""Kernels as people publish them: which of them the front end reaches, with which arguments, and why not the others.

    python benchmarks/corpus.py [PACKAGE...] [--limit N] [--only GLOB...] [--json FILE [--resume]] [--cache DIR]
                                [--workers 2] [--findings] [--markdown]

Downloads source distributions from the package index (`PIP_INDEX_URL`, else PyPI) into the user's cache, checks their
hashes, unpacks them without building or installing anything, and analyses every file with kernels as `tilescope
facts` does, each kernel for the target it is written for. The tables of docs/corpus.md are what `--markdown` prints,
what docs/corpus-findings.md explains is what `--findings` lists. `--json` gets one line for each file as soon as
it is done; with `--resume` the files that are in it already are not analysed again.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import fnmatch
import sys
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import TextIO

from corpora import packages as corpus_packages
from corpora.packages import PACKAGES, Package
from corpora.report import loud_table, report
from corpora.rows import FileRun, file_run, read, write
from tilescope_trace.analyse import analyse
from tilescope_trace.errors import UsageError
from tilescope_trace.host import Host, Policy
from tilescope_trace.model import FileFacts, Options, Snapshot

PATIENCE = 240.0
"""Seconds without progress after which a kernel counts as hanging: far more than a kernel takes on a busy machine."""


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
    return file_run(package.name, name, facts, time.perf_counter() - started, broke)


async def run_package(
    package: Package, root: Path, files: Sequence[Path], workers: int, kept: TextIO | None
) -> list[FileRun]:
    """All files, ``workers`` at a time; each run is written to ``kept`` when it is over."""
    queue = list(reversed(files))
    done: list[FileRun] = []

    async def work(host: Host) -> None:
        while queue:
            run = await run_file(host, package, root, queue.pop())
            done.append(run)
            if kept is not None:
                write(kept, run)
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
    parser.add_argument(
        "--json", type=Path, metavar="FILE", help="write outcomes and findings there, a line for each file"
    )
    parser.add_argument("--resume", action="store_true", help="go on where the run that wrote FILE ended")
    parser.add_argument("--findings", action="store_true", help="list errors and warnings too")
    parser.add_argument("--cache", type=Path, default=corpus_packages.default_cache(), metavar="DIR")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--markdown", action="store_true", help="print tables as docs/corpus.md has them")
    given = parser.parse_args()
    unknown = set(given.packages) - {package.name for package in PACKAGES}
    if unknown:
        parser.error(f"no package {', '.join(sorted(unknown))}; there are {', '.join(p.name for p in PACKAGES)}")
    if given.resume and not given.json:
        parser.error("--resume needs --json FILE")
    earlier = read(given.json) if given.resume else []
    with contextlib.ExitStack() as open_files:
        mode = "a" if given.resume else "w"
        kept = open_files.enter_context(given.json.open(mode, encoding="utf-8")) if given.json else None
        broke = [
            run
            for package in chosen(given.packages)
            for run in cover(package, given, [run for run in earlier if run.package == package.name], kept)
            if run.broke is not None
        ]
    return int(bool(broke))


def chosen(names: Sequence[str]) -> list[Package]:
    """The named packages in the order of the names, else all."""
    by_name = {package.name: package for package in PACKAGES}
    return [by_name[name] for name in names] or list(PACKAGES)


def cover(
    package: Package, given: argparse.Namespace, earlier: Sequence[FileRun], kept: TextIO | None
) -> Sequence[FileRun]:
    """Analyse what ``earlier`` lacks of a package, print its tables, return all runs."""
    root = corpus_packages.fetch(package, given.cache)
    there = {run.file for run in earlier}
    files = [path for path in package.files(root) if wanted(str(path.relative_to(root)), given.only)][: given.limit]
    rest = [path for path in files if str(path.relative_to(root)) not in there]
    runs = sorted(
        [*earlier, *asyncio.run(run_package(package, root, rest, given.workers, kept))], key=lambda r: r.file
    )
    lines = [*report(package, runs, markdown=given.markdown)]
    if given.findings:
        lines += loud_table(package, runs, markdown=given.markdown)
    print(*lines, sep="\n", flush=True)
    return runs


def wanted(name: str, globs: Sequence[str] | None) -> bool:
    """Whether a path in the package is to be analysed."""
    return not globs or any(fnmatch.fnmatch(name, glob) for glob in globs)


if __name__ == "__main__":
    sys.exit(main())
