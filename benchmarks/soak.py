"""Thousands of edits, hostile files among them, at one language server; everything follows from the seed.

    python benchmarks/soak.py [--edits 5000] [--seed 20251129] [--minutes 60]

Asked of it: the server lives and keeps the protocol (no error response, nothing unreadable, every request answered),
its memory is flat (±10 % after a warm-up), what it says at the end of a spell of edits is what a fresh session says
of the same text, and when it leaves no process of it is left. Exits with 1 where something of this does not hold.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import random
import statistics
import sys
import tempfile
import time
import uuid
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import psutil

from lsp_client import Client, ServerGone
from lsp_fuzz import HELPER, HOSTILE, PLACES, edit
from tilescope_server.labels import STALE
from tilescope_trace.text_lines import line_starts, lines_of

KERNELS = Path(__file__).parent.parent / "cli/tilescope/kernels"
OPTIONS = {"trusted": True, "worker": {"silenceSeconds": 4, "memoryMiB": 4096}}
MARK = "TILESCOPE_SOAK"
"""Variable in the environment of the server and of all that it starts."""
SPELL = 25
"""Edits after which a document comes to rest on a text of its own."""
ASKED = ("hover", "codeAction", "codeLens", "documentSymbol", "definition", "inlayHint")


@dataclass
class Document:
    name: str
    good: str
    path: Path
    text: str = ""
    version: int = 1
    history: list[str] = field(default_factory=list)

    @property
    def uri(self) -> str:
        return self.path.as_uri()


class Soak:
    """One run; ``problems`` says what did not hold."""

    def __init__(self, folder: Path, seed: int, names: Sequence[str]) -> None:
        self.dice = random.Random(seed)
        self.folder = folder
        self.problems: list[str] = []
        self.resident: list[float] = []
        self.slowest = 0.0
        self.hostile = 0
        self.compared = 0
        self.client = Client(OPTIONS, folder)
        self.documents = []
        for name in names:
            text = (KERNELS / f"{name}.py").read_text(encoding="utf-8")
            document = Document(name, text, folder / f"{name}.py", text)
            self.documents.append(document)
            self.client.open(document.uri, text)

    def replace(self, document: Document, text: str) -> None:
        document.history.append(document.text)
        document.text = text
        document.version += 1
        self.client.change(document.uri, document.version, {"text": text})

    def step(self) -> None:
        """One edit, and perhaps questions."""
        document = self.dice.choice(self.documents)
        chance = self.dice.random()
        if chance < 0.75:
            self.type(document)
        elif chance < 0.87 and document.history:
            self.replace(document, document.history.pop())
            document.history.pop()
        elif chance < 0.92:
            self.replace(document, document.good)
        elif chance < 0.97:
            self.attack(document)
        elif chance < 0.98:
            self.client.close(document.uri)
            document.version = 1
            self.client.open(document.uri, document.text)
        else:
            self.client.notify("textDocument/didSave", {"textDocument": {"uri": document.uri}})
        if self.dice.random() < 0.4:
            self.ask(document, self.dice.choice(ASKED))
        time.sleep(self.dice.random() * 0.03)

    def type(self, document: Document) -> None:
        change = edit(self.dice, document.text)
        new = change.of(document.text)
        ends = [_place(document.text, offset) for offset in (change.start, change.end)]
        if None in ends or _lone(new):
            self.replace(document, new.encode("utf-8", "replace").decode())
            return
        document.history.append(document.text)
        document.text = new
        document.version += 1
        place = {"start": ends[0], "end": ends[1]}
        self.client.change(document.uri, document.version, {"range": place, "text": change.text})

    def attack(self, document: Document) -> None:
        self.hostile += 1
        name, snippet = self.dice.choice(sorted(HOSTILE.items()))
        place = self.dice.choice(sorted(PLACES))
        if place == "import":
            (self.folder / f"{HELPER}.py").write_text(f"{snippet}\n", encoding="utf-8")
        self.replace(document, PLACES[place](document.good, snippet))
        if self.dice.random() < 0.5:
            self.settle(document, f"{name} ({place})")

    def ask(self, document: Document, what: str) -> None:
        lines = lines_of(document.text)
        row = self.dice.randrange(len(lines))
        at = {"line": row, "character": self.dice.randint(0, len(lines[row]) + 3)}
        params: dict[str, Any] = {"textDocument": {"uri": document.uri}}
        if what in ("hover", "definition"):
            params["position"] = at
        elif what in ("codeAction", "inlayHint"):
            params["range"] = {"start": {"line": max(row - 20, 0), "character": 0}, "end": at}
            params["context"] = {"diagnostics": []}
        taken, _ = self.client.timed(f"textDocument/{what}", params)
        self.slowest = max(self.slowest, taken)

    def settle(self, document: Document, what: str) -> None:
        try:
            self.client.complete(document.uri, document.version)
        except ServerGone as error:
            self.problems.append(f"{what}: {error}")
            raise

    def rest(self) -> None:
        """Let all documents come to rest, and see what the server weighs then."""
        for document in self.documents:
            self.settle(document, f"{document.name}, version {document.version}")
        self.resident.append(self.client.family.memory_info().rss / 2**20)

    def compare(self) -> None:
        """A fresh session must say the same of each text."""
        self.compared += 1
        (self.folder / f"{HELPER}.py").unlink(missing_ok=True)
        for document in self.documents:
            if (
                any(snippet.split("\n")[0] in document.text for snippet in HOSTILE.values())
                or HELPER in document.text
            ):
                self.replace(document, document.good)
        self.rest()
        with contextlib.closing(_Fresh(self.folder)) as fresh:
            for document in self.documents:
                ours, theirs = _said(self.client, document, document.version), fresh.said(document)
                _leave_out_stale(ours["hints"], theirs["hints"])
                for what, mine in ours.items():
                    if mine != theirs[what]:
                        self.problems.append(_difference(document, what, mine, theirs[what]))
                        kept = Path(tempfile.gettempdir()) / f"soak-{document.name}-{document.version}.py"
                        kept.write_text(document.text, encoding="utf-8")

    def end(self) -> None:
        mine = self.client.family.children(recursive=True)
        code = self.client.end()
        if code != 0:
            self.problems.append(f"the server left with exit code {code}")
        self.problems.extend(f"protocol: {error}" for error in self.client.errors[:5])
        _, alive = psutil.wait_procs(mine, 10)
        left = [*alive, *_marked()]
        self.problems.extend(f"left behind: {process}" for process in left)
        for process in left:
            process.kill()

    def weigh(self) -> None:
        """Memory after the warm-up, the first fifth: the last fifth against the one that follows the warm-up."""
        fifth = len(self.resident) // 5
        if fifth < 3:
            return
        before = statistics.median(self.resident[fifth : 2 * fifth])
        after = statistics.median(self.resident[-fifth:])
        print(f"resident: {before:.0f} MiB after the warm-up, {after:.0f} MiB at the end ({after / before - 1:+.1%})")
        if after > before * 1.1:
            self.problems.append(f"memory grew from {before:.0f} to {after:.0f} MiB")


class _Fresh:
    def __init__(self, folder: Path) -> None:
        self.client = Client(OPTIONS, folder)

    def said(self, document: Document) -> dict[str, Any]:
        self.client.open(document.uri, document.text)
        self.client.complete(document.uri, 1)
        return _said(self.client, document, 1)

    def close(self) -> None:
        self.client.end()


def _said(client: Client, document: Document, version: int) -> dict[str, Any]:
    hints = [(hint["position"], hint["label"]) for hint in client.hints(document.uri)]
    facts = client.request("tilescope/analysis", {"textDocument": {"uri": document.uri}})["facts"]
    told = [
        [(one["code"], one["range"], one["message"]) for one in params["diagnostics"]]
        for _, method, params in reversed(client.notes)
        if method == "textDocument/publishDiagnostics"
        and params["uri"] == document.uri
        and params.get("version") == version
    ]
    return {"hints": hints, "facts": facts, "diagnostics": told[:1]}


def _leave_out_stale(ours: list[Any], theirs: list[Any]) -> None:
    """Without hints that are marked as of an older text, and what a fresh session has in their places: they stay
    while a text does not compile, and no fresh session can have them."""
    old = [position for position, label in ours if _is_stale(label)]
    for hints in (ours, theirs):
        hints[:] = [hint for hint in hints if hint[0] not in old]


def _is_stale(label: Any) -> bool:
    text = label if isinstance(label, str) else "".join(part["value"] for part in label)
    return STALE in text.rpartition(" ")[2]


def _difference(document: Document, what: str, mine: Any, theirs: Any) -> str:
    if isinstance(mine, list):
        mine, theirs = [one for one in mine if one not in theirs], [one for one in theirs if one not in mine]
    return f"{document.name}: {what} differ from a fresh session's: {str(mine)[:400]} against {str(theirs)[:400]}"


def _place(text: str, offset: int) -> dict[str, int] | None:
    """An offset as the protocol counts, in UTF-16; None inside a line end, which it cannot name."""
    if text[offset - 1 : offset + 1] == "\r\n":
        return None
    starts = line_starts(text)
    row = next(number for number in range(len(starts) - 1, -1, -1) if starts[number] <= offset)
    return {"line": row, "character": len(text[starts[row] : offset].encode("utf-16-le", "surrogatepass")) // 2}


def _lone(text: str) -> bool:
    return any("\ud800" <= character <= "\udfff" for character in text)


def _marked() -> list[psutil.Process]:
    """Processes, of whatever parent, that come from this run."""
    found = []
    for process in psutil.process_iter():
        with contextlib.suppress(psutil.Error):
            if process.pid != os.getpid() and process.environ().get(MARK) == os.environ[MARK]:
                found.append(process)
    return found


def run(edits: int, seed: int, minutes: float, names: Sequence[str]) -> list[str]:
    """What did not hold."""
    os.environ[MARK] = uuid.uuid4().hex
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as name:
        soak = Soak(Path(name).resolve(), seed, names)
        done = 0
        try:
            soak.rest()
            while done < edits and time.monotonic() - began < minutes * 60:
                soak.step()
                done += 1
                if done % SPELL == 0:
                    soak.rest()
                if done % 250 == 0 or done == edits:
                    soak.compare()
                    print(
                        f"{done} edits, {time.monotonic() - began:.0f} s, {len(soak.problems)} problems", flush=True
                    )
        except ServerGone as error:
            soak.problems.append(f"after {done} edits: {error}")
        log = (soak.folder / "server.log").read_text(encoding="utf-8", errors="replace")
        soak.end()
        soak.weigh()
        print(
            f"{done} edits ({soak.hostile} of them hostile files), {soak.compared} comparisons with fresh sessions, "
            f"slowest answer {soak.slowest:.0f} ms, {time.monotonic() - began:.0f} s"
        )
        if "Traceback" in log:
            soak.problems.append(f"the server's log has a traceback:\n{log[-3000:]}")
        return soak.problems


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--edits", type=int, default=5_000)
    parser.add_argument("--seed", type=int, default=20251129)
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument(
        "--documents", nargs="+", default=["gemm", "attention", "elementwise"], help="bundled kernels"
    )
    arguments = parser.parse_args()
    problems = run(arguments.edits, arguments.seed, arguments.minutes, arguments.documents)
    for problem in problems:
        print(f"DOES NOT HOLD: {problem}")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
