"""What the browser reads in background threads: texts, counts, sources, and what each pass changed."""

from __future__ import annotations

import time

from textual import work
from textual.worker import get_current_worker

from tilescope_passdiff.tui.document import Document
from tilescope_passdiff.tui.life import Touches, touches
from tilescope_passdiff.tui.loading import counts_of, pass_document, telling_of
from tilescope_passdiff.tui.messages import CountsReady, DocumentReady, SourcesReady, TellingReady, Touched
from tilescope_passdiff.tui.sources import prepare, prepare_generated
from tilescope_passdiff.tui.state import Counts
from tilescope_trace.errors import UsageError
from tilescope_trace.store.read import Recording

from .reader import Reader

KEPT_DOCUMENTS = 6
"""Documents kept for going back and forth; each may be megabytes."""
BATCH = 8
"""Passes whose results are shown at once: each batch redraws the list."""
BREATH_S = 0.002
"""Pause between passes of a survey, for the thread that draws."""


class Background(Reader):
    """Reads ``recording`` without ever making a key wait."""

    def __init__(self, recording: Recording) -> None:
        super().__init__()
        self.recording = recording
        self._documents: dict[tuple[int, bool], Document] = {}

    def document_of(self, position: int, hide_renumbering: bool) -> Document | None:
        """The text of a pass if it was read already; else it is read, and `DocumentReady` tells when it is there."""
        found = self._documents.get((position, hide_renumbering))
        if found is None:
            self._read(position, hide_renumbering)
        return found

    def keep(self, position: int, hide_renumbering: bool, document: Document) -> None:
        """Keeps a text that was read, in place of the oldest."""
        self._documents.pop((position, hide_renumbering), None)
        self._documents[position, hide_renumbering] = document
        while len(self._documents) > KEPT_DOCUMENTS:
            del self._documents[next(iter(self._documents))]

    @work(thread=True, exclusive=True, group="document")
    def _read(self, position: int, hide_renumbering: bool) -> None:
        worker = get_current_worker()
        if worker.is_cancelled:
            return
        document = pass_document(self.recording, position, hide_renumbering)
        if worker.is_cancelled:
            return
        self.post_message(DocumentReady(position, document))

    @work(thread=True, exclusive=True, group="telling")
    def tell(self, position: int) -> None:
        """Works out what a pass did; `TellingReady` brings it."""
        worker = get_current_worker()
        # Of passes gone by quickly only the last one is to be told.
        time.sleep(0.03)
        if not worker.is_cancelled and self.recording.passes:
            self.post_message(TellingReady(position, telling_of(self.recording, position)))

    @work(thread=True, exclusive=True, group="sources")
    def read_sources(self) -> None:
        """Reads the Python and the generated source; `SourcesReady` brings them."""
        self.post_message(SourcesReady(prepare(self.recording), prepare_generated(self.recording)))

    @work(thread=True, exclusive=True, group="survey")
    def survey(self) -> None:
        """Counts the changed lines of all passes (`CountsReady`), then finds what each changed (`Touched`)."""
        worker = get_current_worker()
        batch: dict[int, Counts] = {}
        for position in range(len(self.recording.passes)):
            if worker.is_cancelled:
                return
            counts = counts_of(self.recording, position)
            if counts is not None:
                batch[position] = counts
            if len(batch) == BATCH:
                self.post_message(CountsReady(batch))
                batch = {}
            time.sleep(BREATH_S)
        self.post_message(CountsReady(batch))
        found: dict[int, Touches] = {}
        try:
            for position, touched in touches(self.recording):
                if worker.is_cancelled:
                    return
                found[position] = touched
                if len(found) == BATCH:
                    self.post_message(Touched(found))
                    found = {}
                time.sleep(BREATH_S)
        except UsageError:
            # What is damaged is told where it is looked at; what came before it is known.
            pass
        self.post_message(Touched(found, done=True))

    @work(thread=True, exclusive=True, group="summaries")
    def summarise(self, known: frozenset[int]) -> None:
        """Tells what all passes did that are not ``known``: for a list that is wide enough to say so."""
        worker = get_current_worker()
        for position, record in enumerate(self.recording.passes):
            if worker.is_cancelled:
                return
            if record.changed and position not in known:
                self.post_message(TellingReady(position, telling_of(self.recording, position)))
                time.sleep(BREATH_S)
