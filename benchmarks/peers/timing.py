"""How long the tools take and how much they write: whole commands, processes that are warm, language servers."""

from __future__ import annotations

import json
import os
import re
import resource
import shutil
import subprocess
import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from lsp_client import Client

from .cases import GALLERY_TARGET, Case, gallery
from .place import PROGRAMS, Place
from .tools import compile_only, compiler, pass_visualizer, tile_lsp, tilescope

KERNELS = ("gemm_relu", "attention")
REPEATS = 3
"""Times in a warm process, after one that does not count."""
HTML, TERMINAL = {"TL_LOWER_TRACE": "html"}, {"TL_LOWER_TRACE": "terminal"}
CACHED = "tilescope lint, unchanged file"
DEVKIT = ("--devkit", "instrument")


@dataclass
class Timed:
    """A thing that was timed on a kernel: wall and CPU milliseconds of each time (``cpu`` is empty where it was not
    taken), and the files and bytes that one time leaves, what it prints included."""

    what: str
    kernel: str
    ms: list[float]
    cpu: list[float]
    files: int = 0
    bytes: int = 0


def cold(place: Place, rounds: int, *, add: bool) -> None:
    """Whole commands on the first kernel, from start to end, in turns; ``add`` keeps what was measured before."""
    case = chosen(KERNELS[0])
    kept = {(one.what, one.kernel): one for one in read(place, "cold")} if add else {}
    cached, _ = commands(case, place)[CACHED]
    subprocess.run(cached, cwd=place.folder("timed"), capture_output=True, check=True)
    for _ in range(rounds):
        for what, (argv, extra) in commands(case, place).items():
            folder = empty(place, "timed", what)
            wall, cpu, printed = run(argv(folder) if callable(argv) else argv, folder, extra)
            note = kept.setdefault((what, case.kernel), Timed(what, case.kernel, [], []))
            note.ms.append(wall)
            note.cpu.append(cpu)
            note.files, note.bytes = left_in(folder)
            note.bytes += printed
        for what, spent in servers_started(case, place).items():
            kept.setdefault((what, case.kernel), Timed(what, case.kernel, [], [])).ms.append(spent)
    write(place, "cold", list(kept.values()))


def commands(case: Case, place: Place) -> dict[str, tuple[Any, Mapping[str, str]]]:
    """What is run by name: its command, or what makes it of its folder, and what is set in its environment."""
    theirs, ours = str(place.python), str(place.ours)
    program = [theirs, *compiler.command(case)]
    lint = [*tilescope.command(place, case.target, str(case.path))]
    facts = [ours, "-m", "tilescope", "trace", str(case.path), "--kernel", case.kernel]
    return {
        "TileLang alone": (program, {}),
        "lower_trace, html": (program, HTML),
        "lower_trace, terminal": (program, TERMINAL),
        "tilelang-devkit, html": ([*program, *DEVKIT], {}),
        "pass_visualizer": ([theirs, *pass_visualizer.command(case)], {}),
        "compile_only": (lambda folder: [theirs, "-I", *compile_only.command(case, folder)], {}),
        "tilescope trace": ([*facts, "--target", f"cuda:{case.target}", "-o", "kernel.tscope"], {}),
        "tilescope lint, nothing cached": ([*lint, "--no-cache"], {}),
        CACHED: ([*lint, "--cache-dir", str(place.folder("cache"))], {}),
        "tilescope lint --static": ([*lint, "--static"], {}),
    }


def servers_started(case: Case, place: Place) -> dict[str, float]:
    """Milliseconds from the start of a language server to its first diagnostics of a file, and ours to the last."""
    uri, text = case.path.as_uri(), case.path.read_text(encoding="utf-8")
    started = time.perf_counter()
    client = Client({}, place.folder("timed", "tile-lsp"), tile_lsp.command(place))
    came, _ = tile_lsp.published(client, uri, client.open(uri, text))
    client.end()
    spent = {"tile-lsp, start to diagnostics": (came - started) * 1000}
    started = time.perf_counter()
    client = Client(options_of(case), empty(place, "timed", "tilescope-lsp"))
    since = client.open(uri, text)
    spent["tilescope lsp, start to static diagnostics"] = (client.read_at(since, uri, 1) - started) * 1000
    client.complete(uri, 1)
    spent["tilescope lsp, start to all diagnostics"] = (time.perf_counter() - started) * 1000
    client.end()
    return spent


def warm(place: Place, kernels: Sequence[str] = KERNELS) -> None:
    """The same kernel again and again in one process, and edits of an open document. What was measured of other
    kernels stays."""
    found = [one for one in read(place, "warm") if one.kernel not in kernels]
    for kernel in kernels:
        case = chosen(kernel)
        found += edits(case, place)
        write(place, "warm", found)
        program = [str(place.python), *compiler.command(case), "--times", str(REPEATS)]
        record = [str(place.ours), str(PROGRAMS / "record.py"), str(case.path), case.kernel, case.target]
        for what, argv, extra in (
            ("TileLang alone", program, {}),
            ("tilescope recording", [*record, "--times", str(REPEATS)], {}),
            ("lower_trace, terminal", program, TERMINAL),
            ("lower_trace, html", program, HTML),
            ("tilelang-devkit, html", [*program, *DEVKIT], {}),
        ):
            folder = empty(place, "timed", what)
            output = folder / "stdout"
            with output.open("wb") as stream:
                subprocess.run(argv, cwd=folder, env={**os.environ, **extra}, stdout=stream, check=True)
            found.append(Timed(what, kernel, times_in(output.read_text(encoding="utf-8")), []))
            write(place, "warm", found)


def times_in(printed: str) -> list[float]:
    """The list of numbers that a program printed last; tools print around it."""
    line = [line for line in printed.splitlines() if re.match(r"\[\d", line)][-1]
    return [float(number) for number in json.loads(line)]


def edits(case: Case, place: Place) -> list[Timed]:
    """Edits of the kernel: milliseconds until diagnostics are there, each server's own waiting included."""
    uri, text = case.path.as_uri(), case.path.read_text(encoding="utf-8")
    # A parameter nobody reads: the kernel is another one each time, and as dear to compile.
    texts = [text.replace("num_stages=", f"edited_{number}=0, num_stages=", 1) for number in range(REPEATS + 1)]
    theirs = Client({}, place.folder("timed", "tile-lsp"), tile_lsp.command(place))
    tile_lsp.published(theirs, uri, theirs.open(uri, text))
    ours = Client(options_of(case), empty(place, "timed", "tilescope-lsp"))
    ours.open(uri, text)
    ours.complete(uri, 1)
    spent: dict[str, list[float]] = {
        "tile-lsp, edit": [],
        "tilescope lsp, edit, static": [],
        "tilescope lsp, edit": [],
    }
    for version, edited in enumerate(texts, start=2):
        since = theirs.change(uri, version, {"text": edited})
        spent["tile-lsp, edit"].append((tile_lsp.published(theirs, uri, since)[0] - since) * 1000)
        since = ours.change(uri, version, {"text": edited})
        spent["tilescope lsp, edit, static"].append((ours.read_at(since, uri, version) - since) * 1000)
        ours.complete(uri, version)
        spent["tilescope lsp, edit"].append((time.perf_counter() - since) * 1000)
    theirs.end()
    ours.end()
    return [Timed(what, case.kernel, times[1:], []) for what, times in spent.items()]


def run(argv: Sequence[str], folder: Path, extra: Mapping[str, str]) -> tuple[float, float, int]:
    """Wall and CPU milliseconds of a command that has to succeed, and the bytes that it prints."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    started = time.perf_counter()
    done = subprocess.run(argv, cwd=folder, env={**os.environ, **extra}, capture_output=True, check=True)
    wall = time.perf_counter() - started
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return wall * 1000, cpu * 1000, len(done.stdout) + len(done.stderr)


def left_in(folder: Path) -> tuple[int, int]:
    """Number and bytes of the files that a tool left in a folder: no links, nothing that was put there for it."""
    files = [
        path
        for path in folder.rglob("*")
        if path.is_file() and not path.is_symlink() and path.name != "builds.py" and path.suffix != ".pyc"
    ]
    return len(files), sum(path.stat().st_size for path in files)


def options_of(case: Case) -> dict[str, object]:
    return {"trusted": True, "target": f"cuda:{case.target}"}


def chosen(kernel: str) -> Case:
    (case,) = [one for one in gallery() if one.kernel == kernel and one.target == GALLERY_TARGET]
    return case


def empty(place: Place, *names: str) -> Path:
    shutil.rmtree(place.scratch.joinpath(*names), ignore_errors=True)
    return place.folder(*names)


def read(place: Place, name: str) -> list[Timed]:
    path = place.scratch / f"{name}.json"
    return [Timed(**one) for one in json.loads(path.read_text(encoding="utf-8"))] if path.exists() else []


def write(place: Place, name: str, found: Sequence[Timed]) -> None:
    text = json.dumps([asdict(one) for one in found], indent=1)
    (place.scratch / f"{name}.json").write_text(text, encoding="utf-8")
