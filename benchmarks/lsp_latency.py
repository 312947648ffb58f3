"""Latencies of the language server as an editor has them: a client over stdio that waits for what it asked for.

    python benchmarks/lsp_latency.py [--edits 60] [--layouts 12] [--typing 30] [--only gemm] [--json OUT]

Documents: a GEMM, causal attention, and a file of 2,000 lines with 30 kernels. Budgets: facts of the source after an
edit p95 ≤ 20 ms; range request from cache p95 ≤ 3 ms; compiled layouts after an edit ÷ a bare warm front end ≤ 1.3
(GEMM, debounce off); the process of a cancelled analysis is gone after 50 ms; from the death of a document's process
to fresh layouts 1.0 s; under typing (an edit each 60 ms) answers do not get later and the last state is that of a
fresh session. Wall times suffer from whatever else runs: each comes with the server's own CPU time, and the time that
a piece of fixed work took meanwhile is printed (``pace``).
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psutil

from lsp_client import Client

BENCHMARKS = Path(__file__).parent
KERNELS = BENCHMARKS.parent / "cli/tilescope/kernels"
OPTIONS = {"trusted": True, "debounce": {"minMs": 0, "maxMs": 0}}
TYPING = {"trusted": True}


@dataclass(frozen=True)
class Subject:
    """A document: ``old`` in its text becomes one of ``new`` in turn, an edit that changes layouts; hints on the
    0-based ``lines`` show them."""

    name: str
    text: str
    old: str
    new: tuple[str, str]
    lines: tuple[int, int]

    def edited(self, number: int) -> str:
        return self.text.replace(self.old, self.new[number % 2], 1)


def subjects() -> list[Subject]:
    gemm = (KERNELS / "gemm.py").read_text(encoding="utf-8")
    attention = causal((KERNELS / "attention.py").read_text(encoding="utf-8"))
    long = file_of(gemm, kernels=30, lines=2_000)
    return [
        Subject("gemm", gemm, "block_K=32", ("block_K=32", "block_K=64"), _kernel_lines(gemm)),
        Subject("attention", attention, "block_N=128", ("block_N=128", "block_N=64"), _kernel_lines(attention)),
        Subject("file", long, "block_K=32", ("block_K=32", "block_K=64"), _kernel_lines(long)),
    ]


def causal(text: str) -> str:
    """The attention kernel with a causal mask."""
    plain = "                T.clear(scores)\n"
    mask = (
        "                for i, j in T.Parallel(block_M, block_N):\n"
        "                    scores[i, j] = T.if_then_else("
        'bx * block_M + i >= k * block_N + j, 0, -T.infinity("float32"))\n'
    )
    assert plain in text
    return text.replace(plain, mask)


def file_of(kernel: str, kernels: int, lines: int) -> str:
    """A long file: one kernel under many names, with functions that have nothing to do with them between."""
    head, mark, body = kernel.partition("@tilelang.jit")
    named = (body.replace("def matmul(", f"def matmul_{number}(") for number in range(kernels))
    parts = [head, *(f"{mark}{one}\n\n" for one in named)]
    rest = lines - sum(part.count("\n") for part in parts)
    filler = [f"def helper_{number}(value):\n    return value + {number}\n" for number in range(max(rest, 0) // 4)]
    share = -(-len(filler) // kernels)
    for number in range(kernels):
        parts[number + 1] += "\n\n".join([*filler[number * share : (number + 1) * share], ""]) + "\n"
    return "".join(parts)


def _kernel_lines(text: str) -> tuple[int, int]:
    lines = text.split("\n")
    first = next(number for number, line in enumerate(lines) if "T.Kernel(" in line)
    return first, first + 12


def p95(values: Sequence[float]) -> float:
    return sorted(values)[min(len(values) - 1, int(len(values) * 0.95))]


def pace_ms() -> float:
    """Fixed work: what the machine is worth at this moment."""
    started = time.perf_counter()
    sum(number * number for number in range(100_000))
    return (time.perf_counter() - started) * 1000


class Report:
    """Prints each figure with its budget, and remembers them."""

    def __init__(self) -> None:
        self.figures: dict[str, dict[str, Any]] = {}

    def add(
        self, subject: str, what: str, value: float, unit: str, budget: float | None = None, more: str = ""
    ) -> None:
        said = "" if budget is None else f"  budget {budget:g}: {'holds' if value <= budget else 'DOES NOT HOLD'}"
        print(f"{subject:10} {what:42} {value:9.2f} {unit:2}{said}{f'   ({more})' if more else ''}", flush=True)
        self.figures.setdefault(subject, {})[what] = {"value": value, "unit": unit, "budget": budget, "note": more}


def edits_and_ranges(report: Report, subject: Subject, client: Client, uri: str, version: int, count: int) -> int:
    """Facts of the source after each edit, and range requests in between. Layouts are not waited for: the compiler
    is at work on the edit before, as it is under somebody who types."""
    static, ranges, paces, used = [], [], [], client.cpu_seconds()
    for number in range(count):
        version += 1
        paces.append(pace_ms())
        sent = client.change(uri, version, {"text": subject.edited(number)})
        static.append((client.read_at(sent, uri, version) - sent) * 1000)
        ranges.extend(client.range_ms(uri, *subject.lines) for _ in range(3))
        time.sleep(0.05)
    used = (client.cpu_seconds() - used) * 1000 / count
    more = f"median {statistics.median(static):.1f}, CPU of the server per edit {used:.1f} ms"
    report.add(subject.name, "source facts after an edit, p95", p95(static), "ms", 20, more)
    more = f"median {statistics.median(ranges):.2f}"
    report.add(subject.name, "range request from cache, p95", p95(ranges), "ms", 3, more)
    report.add(
        subject.name, "pace, median (p95 in brackets)", statistics.median(paces), "ms", None, f"{p95(paces):.1f}"
    )
    return version


def layouts(
    report: Report, subject: Subject, client: Client, uri: str, version: int, folder: Path, count: int
) -> int:
    """Compiled layouts after an edit, for the GEMM against a bare front end that gets the same edits in turn."""
    bare = _bare() if subject.name == "gemm" else None
    ours, theirs = [], []
    for number in range(count + 2):
        version += 1
        text = subject.edited(number)
        sent = client.change(uri, version, {"text": text})
        ours.append((client.stage_at(sent, uri, version, "layouts", subject.lines) - sent) * 1000)
        client.complete(uri, version)
        if bare is not None and bare.stdin is not None and bare.stdout is not None:
            (folder / "bare.py").write_text(text, encoding="utf-8")
            bare.stdin.write(f"{folder / 'bare.py'}\n")
            bare.stdin.flush()
            theirs.append(float(bare.stdout.readline()))
    more = f"p95 {p95(ours[2:]):.0f}"
    report.add(subject.name, "layouts after an edit, median", statistics.median(ours[2:]), "ms", None, more)
    if bare is not None and bare.stdin is not None:
        bare.stdin.close()
        bare.wait()
        ratio = statistics.median(ours[2:]) / statistics.median(theirs[2:])
        more = f"bare {statistics.median(theirs[2:]):.0f} ms"
        report.add(subject.name, "layouts after an edit ÷ bare", ratio, "", 1.3, more)
        best = min(ours[2:]) / min(theirs[2:])
        report.add(subject.name, "the same, fastest ÷ fastest", best, "", None, "what a loaded machine leaves of it")
    return version


def _bare() -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, str(BENCHMARKS / "bare_front_end.py")],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )


def cancels(report: Report, subject: Subject, client: Client, folder: Path, count: int) -> None:
    """From closing a document whose file never ends to the death of the process that ran it."""
    taken = []
    for number in range(count):
        path = folder / f"hang{number}.py"
        others = set(client.family.children(recursive=True))
        client.open(path.as_uri(), subject.text + "\nwhile True:\n    pass\n")
        running = _busy(client, others)
        closed = client.close(path.as_uri())
        _dead([running])
        taken.append((time.perf_counter() - closed) * 1000)
    report.add(subject.name, "cancel to idle, median", statistics.median(taken), "ms", 50, f"max {max(taken):.0f}")


def _busy(client: Client, others: set[psutil.Process]) -> psutil.Process:
    """The process that runs a hanging file: the one of the server's family, ``others`` left out, that uses the
    processor."""
    end = time.perf_counter() + 60
    while time.perf_counter() < end:
        family = [one for one in client.family.children(recursive=True) if one.is_running() and one not in others]
        before = {one: one.cpu_times().user for one in family}
        time.sleep(0.2)
        for process in family:
            if process.is_running() and process.cpu_times().user - before[process] > 0.05:
                return process
    raise SystemExit("the hanging file does not run")


def _runs(process: psutil.Process) -> bool:
    try:
        return process.is_running() and process.status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


def _dead(processes: Sequence[psutil.Process]) -> None:
    while any(map(_runs, processes)):
        time.sleep(0.001)


def crashes(report: Report, subject: Subject, client: Client, uri: str, version: int, count: int) -> int:
    """From the death of the worker's children to fresh layouts of the next edit."""
    taken = []
    for number in range(count):
        leaves = [one for one in client.family.children(recursive=True) if not one.children()]
        for leaf in leaves:
            leaf.kill()
        _dead(leaves)
        version += 1
        sent = client.change(uri, version, {"text": subject.edited(number + 1)})
        taken.append(client.stage_at(sent, uri, version, "layouts", subject.lines) - sent)
        client.complete(uri, version)
    more = f"max {max(taken):.2f}"
    report.add(subject.name, "crash to fresh layouts, median", statistics.median(taken), "s", 1.0, more)
    return version


def typing(report: Report, subject: Subject, folder: Path, seconds: float) -> None:
    """Keystrokes every 60 ms, with the server's own debounce: does anything pile up, and is the end right?"""
    path = folder / f"typing_{subject.name}.py"
    uri, text = path.as_uri(), subject.text
    client = Client(TYPING, folder)
    client.open(uri, text)
    client.complete(uri, 1)
    line = subject.lines[1]
    typed = "# the quick brown fox jumps over the lazy dog "
    version, column, answers, used = 1, 0, [], client.cpu_seconds()
    place = {"line": line, "character": 0}
    client.change(uri, 2, {"range": {"start": place, "end": place}, "text": "\n"})
    version, began = 2, time.perf_counter()
    while time.perf_counter() - began < seconds:
        version += 1
        due = began + (version - 2) * 0.06
        time.sleep(max(0.0, due - time.perf_counter()))
        at = {"line": line, "character": column}
        client.change(uri, version, {"range": {"start": at, "end": at}, "text": typed[column % len(typed)]})
        column += 1
        answers.append(client.range_ms(uri, *subject.lines))
    used = (client.cpu_seconds() - used) * 1000 / (version - 2)
    # The last edit turns layouts over, somewhere else than where was typed.
    lines = text.split("\n")
    row = next(number for number, one in enumerate(lines) if subject.old in one)
    start = lines[row].index(subject.old)
    ends = {"start": {"line": row, "character": start}, "end": {"line": row, "character": start + len(subject.old)}}
    version += 1
    sent = client.change(uri, version, {"range": ends, "text": subject.new[1]})
    settled = client.stage_at(sent, uri, version, "layouts", subject.lines) - sent
    client.complete(uri, version)
    final = [(one["position"], one["label"]) for one in client.hints(uri)]
    rows = [*lines[:line], "".join(typed[number % len(typed)] for number in range(column)), *lines[line:]]
    fresh = Client(TYPING, folder)
    fresh.open(uri, "\n".join(rows).replace(subject.old, subject.new[1], 1))
    fresh.complete(uri, 1)
    expected = [(one["position"], one["label"]) for one in fresh.hints(uri)]
    third = len(answers) // 3
    growth = statistics.median(answers[-third:]) / statistics.median(answers[:third])
    more = f"p95 {p95(answers):.1f}, CPU of the server per edit {used:.1f} ms, {version} edits"
    report.add(subject.name, "hints while typing, median", statistics.median(answers), "ms", None, more)
    report.add(subject.name, "last third ÷ first third of them", growth, "", 1.5)
    report.add(subject.name, "layouts of the last edit", settled, "s")
    report.add(subject.name, "differences from a fresh session", float(final != expected), "", 0)
    for one in (client, fresh):
        one.end()
        if one.errors:
            report.add(subject.name, "protocol errors", float(len(one.errors)), "", 0, str(one.errors[0]))


def measure(report: Report, subject: Subject, arguments: argparse.Namespace) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name).resolve()
        uri = (folder / "kernel.py").as_uri()
        client = Client(OPTIONS, folder)
        opened = client.open(uri, subject.text)
        report.add(subject.name, "open to source facts", (client.read_at(opened, uri, 1) - opened) * 1000, "ms")
        client.complete(uri, 1)
        version = edits_and_ranges(report, subject, client, uri, 1, arguments.edits)
        client.complete(uri, version)
        if subject.name != "file":
            version = layouts(report, subject, client, uri, version, folder, arguments.layouts)
        if subject.name == "gemm":
            version = crashes(report, subject, client, uri, version, 5)
            cancels(report, subject, client, folder, 5)
        client.end()
        if client.errors:
            report.add(subject.name, "protocol errors", float(len(client.errors)), "", 0, str(client.errors[0]))
        if arguments.typing:
            typing(report, subject, folder, arguments.typing)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--edits", type=int, default=60)
    parser.add_argument("--layouts", type=int, default=12)
    parser.add_argument("--typing", type=float, default=30, help="seconds; 0 leaves it out")
    parser.add_argument("--only", choices=("gemm", "attention", "file"))
    parser.add_argument("--json", type=Path, help="write the figures there")
    arguments = parser.parse_args()
    report = Report()
    for subject in subjects():
        if arguments.only in (None, subject.name):
            measure(report, subject, arguments)
    if arguments.json:
        arguments.json.write_text(json.dumps(report.figures, indent=1), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
