"""The search of all passes: counts a pass, and where each text first comes up or goes."""

from __future__ import annotations

import time

from textual import on, work
from textual.message import Message
from textual.worker import get_current_worker

from tilescope_passdiff.tui.everywhere import Found, everywhere, total
from tilescope_passdiff.tui.paint import clean, filled
from tilescope_passdiff.tui.search import Query, SlowPatternError
from tilescope_trace.store.read import Recording

from .finder import Entry, Finder

SHOW_S = 0.05
"""Time between two looks at what was found so far."""

Target = tuple[Found, Query]


class FoundMore(Message):
    """Results of the search so far; ``done`` with the last, which may have a ``problem``."""

    def __init__(self, query: Query, found: tuple[Found, ...], done: bool, problem: str = "") -> None:
        super().__init__()
        self.query, self.found, self.done, self.problem = query, found, done, problem


class SearchAll(Finder[Target]):
    """Searches as it is typed; a new letter stops the search of the old ones."""

    def __init__(self, recording: Recording, start: int, query: Query) -> None:
        super().__init__("Search all passes", "text to find · Ctrl+R: regular expression", query.text)
        self.recording, self.start = recording, start
        self.regex = query.regex
        self.found: tuple[Found, ...] = ()

    def list_for(self, typed: str) -> None:
        query = Query(typed, self.regex)
        self.found = ()
        self.entries.take((), keep=False)
        if not typed or query.problem:
            self.workers.cancel_group(self, "everywhere")
            self.say(query.problem)
            return
        self.say("searching …")
        self._search(query)

    def toggle_regex(self) -> None:
        self.regex = not self.regex
        self.query_one("Vertical").border_title = f"Search all passes{' by regular expression' * self.regex}"
        self.list_for(self.typed)

    @work(thread=True, exclusive=True, group="everywhere")
    def _search(self, query: Query) -> None:
        worker = get_current_worker()
        found: list[Found] = []
        told = 0.0
        problem = ""
        try:
            for one in everywhere(self.recording, query, self.start):
                if worker.is_cancelled:
                    return
                if one is None:
                    continue
                found.append(one)
                # The first hit at once, the rest a few times a second.
                if time.monotonic() - told >= SHOW_S:
                    self.post_message(FoundMore(query, tuple(found), False))
                    told = time.monotonic()
        except SlowPatternError as error:
            problem = str(error)
        self.post_message(FoundMore(query, tuple(found), True, problem))

    @on(FoundMore)
    def _found_more(self, message: FoundMore) -> None:
        if message.query != Query(self.typed, self.regex):
            return
        self.found = message.found
        ordered = sorted(message.found, key=lambda one: (one.position is None, one.position))
        most = max((one.count for one in ordered), default=0)
        self.entries.take([self._entry(one, most, message.query) for one in ordered], keep=True)
        self.say(message.problem or total(ordered) + ("" if message.done else " so far …"))

    def _entry(self, one: Found, most: int, query: Query) -> Entry[object]:
        label = "generated source"
        if one.position is not None:
            record = self.recording.passes[one.position]
            label = f"{record.index:>3} {clean(record.label)}"
        came = f"{one.came:+}" if one.came else ""
        bar = "█" * round(8 * one.count / most) if most else ""
        return Entry(
            (
                (filled(label, 34) + " ", "text" if one.came or one.position is None else "dim"),
                (f"{one.count:>6} ", "bold"),
                (f"{came:>6} ", "inserted" if one.came > 0 else "deleted"),
                (f"{bar:<9}", "changed"),
                (clean(one.problem) or one.preview, "error" if one.problem else "dim"),
            ),
            (one, query),
        )
