"""Latencies of the language server as an editor has them: a client over stdio that waits for what it asked for.

    python benchmarks/lsp_latency.py [--edits 60] [--layouts 24] [--runs 5] [--typing 30] [--only gemm] [--json OUT]

Documents: a GEMM, causal attention, and a file of 2,000 lines with 30 kernels. RUNS are those of cancelling and
crashing. ``source`` is from writing an edit to the diagnostics that the server sends with its facts: one that keeps
the lines of the text, and, of the long file, one that moves all its kernels by a line. ``range`` is a request for the
hints of 13 lines while nothing changes, against an exchange of the same client that is for a document not open, which
costs nothing but the exchange; ``range-busy`` is the same request right after an edit, while the compiler is at work
on the same cores. Under typing (an edit each 60 ms) the last state has to be that of a fresh session, or it ends.
Wall times suffer from whatever else runs: some come with the CPU time of the server, and the time that a piece of
fixed work took meanwhile is printed (``pace``).
"""

from __future__ import annotations

import argparse
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import psutil

from figures import Figure, options, p95
from figures import report as report_figures
from lsp_client import Client

BENCHMARKS = Path(__file__).parent
KERNELS = BENCHMARKS.parent / "cli/tilescope/kernels"
OPTIONS = {"trusted": True, "debounce": {"minMs": 0, "maxMs": 0}}
TYPING = {"trusted": True}
EDIT_SECONDS = 0.05
"""Between two edits."""
RANGES = 300


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


def pace_ms() -> float:
    """Fixed work: what the machine is worth at this moment."""
    started = time.perf_counter()
    sum(number * number for number in range(100_000))
    return (time.perf_counter() - started) * 1000


class Report:
    """Prints each figure, and keeps it in the file ``out``."""

    def __init__(self, out: Path | None) -> None:
        self.out = out
        self.broken = 0

    def take(self, key: str, values: Sequence[float], against: Sequence[float] = (), note: str = "") -> None:
        """A figure of `budgets.py`."""
        self.broken |= report_figures([Figure(f"server.{key}", tuple(values), tuple(against), note)], self.out)

    def say(self, subject: str, what: str, value: float, unit: str, more: str = "") -> None:
        """What helps to understand a figure."""
        print(f"  {subject}: {what} {value:.2f} {unit}{f' ({more})' if more else ''}", flush=True)


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
        time.sleep(EDIT_SECONDS)
    used = (client.cpu_seconds() - used) * 1000 / count
    report.take(f"source-{subject.name}", static, note=f"CPU of the server per edit {used:.1f} ms")
    report.take(f"range-busy-{subject.name}", ranges)
    report.say(subject.name, "pace", statistics.median(paces), "ms", f"p95 {p95(paces):.1f}")
    return version


def moves(report: Report, key: str, subject: Subject, client: Client, uri: str, version: int, count: int) -> int:
    """Facts of the source after edits that move all kernels by a line, an edit each 50 ms. Without a debounce each of
    them has all kernels compiled, on the processors that the server has to do with; with the default one the last."""
    line = next(number for number, text in enumerate(subject.text.split("\n")) if text.startswith("@tilelang"))
    place, static, used = {"line": line, "character": 0}, [], client.cpu_seconds()
    for _ in range(count):
        version += 1
        sent = client.change(uri, version, {"range": {"start": place, "end": place}, "text": "\n"})
        static.append((client.read_at(sent, uri, version) - sent) * 1000)
        time.sleep(EDIT_SECONDS)
    used = (client.cpu_seconds() - used) * 1000 / count
    report.take(f"{key}-{subject.name}", static, note=f"CPU of the server per edit {used:.1f} ms")
    return version


def cached_ranges(report: Report, subject: Subject, client: Client, uri: str, count: int) -> None:
    """Range requests while nothing changes, each after an exchange in which there is nothing to do."""
    ranges, empty = [], []
    for _ in range(count):
        empty.append(client.range_ms(f"{uri}.not-open", *subject.lines))
        ranges.append(client.range_ms(uri, *subject.lines))
    more = f"an empty exchange: median {statistics.median(empty):.2f}, p95 {p95(empty):.2f}"
    report.take(f"range-{subject.name}", ranges, note=f"median {statistics.median(ranges):.2f}; {more}")


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
    note = ""
    if bare is not None and bare.stdin is not None:
        bare.stdin.close()
        bare.wait()
        # What a loaded machine leaves of it.
        note = f"fastest ÷ fastest {min(ours[2:]) / min(theirs[2:]):.2f}"
    report.take(f"layouts-{subject.name}", ours[2:], theirs[2:], note)
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
    report.take("cancel", taken)


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
    report.take("crash", taken)
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
    # As far in as the line below: TileLang refuses what stands left of an indented kernel.
    below = next(one for one in text.split("\n")[line:] if one.strip())
    margin = len(below) - len(below.lstrip())
    version, column, answers, used = 1, 0, [], client.cpu_seconds()
    place = {"line": line, "character": 0}
    client.change(uri, 2, {"range": {"start": place, "end": place}, "text": " " * margin + "\n"})
    version, began = 2, time.perf_counter()
    while time.perf_counter() - began < seconds:
        version += 1
        due = began + (version - 2) * 0.06
        time.sleep(max(0.0, due - time.perf_counter()))
        at = {"line": line, "character": margin + column}
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
    comment = "".join(typed[number % len(typed)] for number in range(column))
    rows = [*lines[:line], " " * margin + comment, *lines[line:]]
    fresh = Client(TYPING, folder)
    fresh.open(uri, "\n".join(rows).replace(subject.old, subject.new[1], 1))
    fresh.complete(uri, 1)
    expected = [(one["position"], one["label"]) for one in fresh.hints(uri)]
    third = len(answers) // 3
    note = f"{version} edits, CPU of the server per edit {used:.1f} ms, layouts of the last after {settled:.2f} s"
    report.take(f"typing-{subject.name}", answers[-third:], answers[:third], note)
    for one in (client, fresh):
        end(one)
    if final != expected:
        raise SystemExit(f"{subject.name}: hints after typing differ from those of a fresh session")


def end(client: Client) -> None:
    """End a session, in which no error may have come."""
    client.end()
    if client.errors:
        raise SystemExit(f"{len(client.errors)} protocol errors: {client.errors[0]}")


def measure(report: Report, subject: Subject, arguments: argparse.Namespace) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name).resolve()
        uri = (folder / "kernel.py").as_uri()
        client = Client(OPTIONS, folder)
        opened = client.open(uri, subject.text)
        report.say(subject.name, "open to source facts", (client.read_at(opened, uri, 1) - opened) * 1000, "ms")
        client.complete(uri, 1)
        version = edits_and_ranges(report, subject, client, uri, 1, arguments.edits)
        client.complete(uri, version)
        cached_ranges(report, subject, client, uri, RANGES)
        if subject.name == "file":
            version = moves(report, "moved-busy", subject, client, uri, version, arguments.edits)
            client.complete(uri, version)
        if subject.name != "file":
            version = layouts(report, subject, client, uri, version, folder, arguments.layouts)
        if subject.name == "gemm":
            version = crashes(report, subject, client, uri, version, arguments.runs)
            cancels(report, subject, client, folder, arguments.runs)
        end(client)
        if subject.name == "file":
            client = Client(TYPING, folder)
            client.open(uri, subject.text)
            client.complete(uri, 1)
            moves(report, "moved", subject, client, uri, 1, arguments.edits)
            end(client)
        if arguments.typing:
            typing(report, subject, folder, arguments.typing)


def main() -> int:
    parser = options(__doc__)
    parser.add_argument("--edits", type=int, default=60)
    parser.add_argument("--layouts", type=int, default=24)
    parser.add_argument("--typing", type=float, default=30, help="seconds; 0 leaves it out")
    parser.add_argument("--only", choices=("gemm", "attention", "file"))
    arguments = parser.parse_args()
    report = Report(arguments.json)
    for subject in subjects():
        if arguments.only in (None, subject.name):
            measure(report, subject, arguments)
    return report.broken


if __name__ == "__main__":
    sys.exit(main())
