"""Every figure that is measured, and its budget: the one table of both. `page.py` makes docs/benchmarks.md of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True)
class Row:
    """A figure. ``key`` is the name of its part, a dot, and a name in it; ``against`` names the alternative measured
    in the same run. The budget is for the figure itself, its ratio to the alternative, or what it is more than that;
    it is the most that is allowed, with ``at_least`` the least. ``in_turn``: both sides were measured pair by pair,
    so that ratios are those of pairs. ``reason`` says why a budget does not hold, where that is known.
    """

    key: str
    what: str
    unit: str
    budget: float | None = None
    of: Literal["figure", "ratio", "difference"] = "figure"
    against: str | None = None
    statistic: Literal["median", "p95"] = "median"
    at_least: bool = False
    in_turn: bool = True
    reason: str = ""

    @property
    def part(self) -> str:
        return self.key.partition(".")[0]


BARE = "bare front end"
PLAIN = "plain `lower`"
NAMES = {"gemm": "GEMM", "attention": "attention", "file": "file of 2,000 lines, 30 kernels"}
PROFILES = {
    "kineto": "torch.profiler",
    "trace-view": "trace_view",
    "msprof": "msprof",
    "simulator": "Ascend's simulator",
}


def _edit() -> tuple[Row, ...]:
    return (
        Row("edit.layouts", "GEMM: from an edit to layouts", "ms", 1.3, "ratio", BARE),
        Row("edit.static", "GEMM: from an edit to facts of the source", "ms"),
    )


def _server() -> tuple[Row, ...]:
    named = tuple(NAMES.items())
    return (
        *(
            Row(f"server.source-{key}", f"{name}: source facts after an edit", "ms", 20, statistic="p95")
            for key, name in named
        ),
        Row("server.moved-file", f"{NAMES['file']}: the same where all kernels move", "ms", 20, statistic="p95"),
        Row("server.moved-busy-file", f"{NAMES['file']}: the same, each edit compiled", "ms", statistic="p95"),
        *(
            Row(f"server.range-{key}", f"{name}: range request from cache", "ms", 3, statistic="p95")
            for key, name in named
        ),
        *(
            Row(f"server.range-busy-{key}", f"{name}: range request right after an edit", "ms", statistic="p95")
            for key, name in named
        ),
        Row(
            "server.layouts-gemm",
            "GEMM: layouts after an edit",
            "ms",
            1.3,
            "ratio",
            BARE,
            reason="Beside what the bare front end takes, measured apart: 5 ms until the process has the text, 7 for "
            "watching passes, a race check that is off otherwise and describing layouts, 4 until the client has been "
            "told and has asked for the hints",
        ),
        Row("server.layouts-attention", "attention: layouts after an edit", "ms"),
        Row("server.cancel", "close to death of the process that ran the file", "ms", 50),
        Row("server.crash", "death of a document's process to fresh layouts", "s", 1.0),
        *(
            Row(
                f"server.typing-{key}",
                f"{name}: range request under typing, last third",
                "ms",
                1.5,
                "ratio",
                "first third",
                in_turn=False,
            )
            for key, name in named
        ),
    )


def _recording() -> tuple[Row, ...]:
    budgets = {"gemm": 1.6, "attention": 1.25}
    why = {
        "attention": "Between 1.25 and 1.34 in the runs of one day: passes are printed beside the lowering, in a "
        "thread that takes a seventh of its time and gets what the other of two processors has left, which here is "
        "the same core. What remains on the lowering's own way is asking each statement for its line, to repair "
        "spans and to map lines, and comparing each pass with the one before"
    }
    rows: list[Row] = []
    for key, budget in budgets.items():
        name = NAMES[key]
        rows += [
            Row(
                f"recording.time-{key}",
                f"{name}: recording",
                "ms",
                budget,
                "ratio",
                PLAIN,
                reason=why.get(key, ""),
            ),
            Row(
                f"recording.terminal-{key}",
                f"{name}: TileLang's lower_trace, terminal",
                "ms",
                None,
                "ratio",
                PLAIN,
                in_turn=False,
            ),
            Row(
                f"recording.html-{key}",
                f"{name}: TileLang's lower_trace, html",
                "ms",
                None,
                "ratio",
                PLAIN,
                in_turn=False,
            ),
            Row(
                f"recording.size-{key}",
                f"{name}: size of the recording",
                "KB",
                100,
                "figure",
                "files of lower_trace, html",
                in_turn=False,
            ),
        ]
    return tuple(rows)


def _diff() -> tuple[Row, ...]:
    rows: list[Row] = []
    for key, name in (
        ("scattered", "200 edits"),
        ("moved", "200 edits, 3 blocks moved"),
        ("rewritten", "six lines in ten"),
    ):
        rows += [
            Row(f"diff.{key}", f"{name}: line diff", "ms", 1.5, "ratio", "`git diff --minimal`"),
            Row(f"diff.{key}-difflib", f"{name}: the same", "ms", None, "ratio", "`difflib` (what lower_trace uses)"),
        ]
    return tuple(rows)


def _capture() -> tuple[Row, ...]:
    calls = {"kernel": "`kernel(...)`", "lazy": "lazy factory and kernel", "eager": "eager kernel"}
    again = {"get-tir": "`get_tir` again", "compile": "`tilelang.compile`, cached"}
    return (
        *(Row(f"capture.{key}", f"{name}, captured", "µs", 20, "difference", "plain") for key, name in calls.items()),
        *(
            Row(f"capture.{key}", f"{name}, captured", "µs", None, "difference", "plain")
            for key, name in again.items()
        ),
    )


def _timeline() -> tuple[Row, ...]:
    why = {
        "simulator": "The screen begins at the first slice, and around it all rows of a simulated kernel are full: "
        "forty rows with up to a bar in each column are drawn anew. Half of that is looking up slices and making "
        "bars, half the terminal library's own"
    }
    rows: list[Row] = []
    for key in ("kineto", "trace-view", "simulator"):
        name = PROFILES[key]
        rows += [
            Row(f"timeline.paint-{key}", f"{name}: first lanes on the screen", "ms", 500),
            Row(f"timeline.pan-{key}", f"{name}: panning, key to frame", "ms", 16, statistic="p95"),
            Row(
                f"timeline.zoom-{key}",
                f"{name}: zooming, key to frame",
                "ms",
                16,
                statistic="p95",
                reason=why.get(key, ""),
            ),
            Row(f"timeline.memory-{key}", f"{name}: resident memory", "MB"),
        ]
    return tuple(rows)


def _imports() -> tuple[Row, ...]:
    loaded = "`json.load` of the file"
    rows: list[Row] = []
    for key, name in PROFILES.items():
        rows += [
            Row(f"import.speed-{key}", f"{name}: import", "MB/s", 50, against=loaded, at_least=True),
            Row(f"import.memory-{key}", f"{name}: peak memory", "MB", 400, against=loaded),
        ]
    return tuple(rows)


def _stamps() -> tuple[Row, ...]:
    named = {
        "gemm": "GEMM 4096³ with stamps in 8 of 512 blocks",
        "attention": "attention with stamps in 8 of 2,048 blocks",
        "one-wave": "attention of 128 blocks (one wave), stamps in 8",
    }
    against = "the same without"
    return tuple(
        Row(f"stamps.{key}", name, "µs", None, "ratio", against, in_turn=False) for key, name in named.items()
    )


ROWS: tuple[Row, ...] = (
    *_edit(),
    *_server(),
    Row("start.time", "process start to the answer to `initialize`", "ms", 1.3, "ratio", "empty pygls server"),
    Row("start.memory", "resident memory of the server, a file open", "MB", 80),
    Row("memory.session", "GEMM open and compiled: memory of all processes", "MB", None, "ratio", BARE),
    Row("facts.gemm", "GEMM: lowering with all facts", "ms", 1.5, "ratio", PLAIN),
    Row("facts.attention", "attention: lowering with all facts", "ms", 1.25, "ratio", PLAIN),
    Row("rules.share", "all rules, at each stage of each kernel", "ms", 0.10, "ratio", "facts of these kernels"),
    *_recording(),
    *_capture(),
    Row("compare.target", "attention: sm_80 against sm_90a", "ms", 1000),
    Row("compare.itself", "attention: sm_80 against itself", "ms", 1000),
    *_diff(),
    Row("tui.paint", "first paint (CPU, imports apart)", "ms", 300),
    Row("tui.keys", "key to frame", "ms", 16, statistic="p95"),
    Row("tui.search", "search of all passes, first hit in the last (CPU)", "ms", 300),
    Row("tui.memory", "resident memory", "MB", 150),
    *_timeline(),
    *_imports(),
    Row(
        "lint.workers",
        "cold, two workers",
        "s",
        0.6,
        "ratio",
        "cold, one worker",
        reason="At the edge: importing TileLang is 2.3 s of both, which two workers do not share, and the two "
        "processors here are one core",
    ),
    Row("lint.shards", "cold, slowest of four shards, two workers each", "s", None, "ratio", "cold, two workers"),
    Row("lint.warm", "warm cache, per 100 kernels", "s", 1.0),
    Row(
        "lint.changed",
        "warm cache, one file changed",
        "s",
        2.0,
        against="importing TileLang alone",
        reason="The changed kernel is compiled in a new process, and importing TileLang takes most of the time; "
        "`tilescope lint --watch` keeps its workers",
    ),
    *_stamps(),
)  # fmt: skip

BY_KEY = {row.key: row for row in ROWS}
