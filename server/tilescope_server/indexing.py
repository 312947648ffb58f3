"""The other files of a workspace, indexed in the background: who calls the kernels of open documents with what."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncGenerator, Callable, Iterable, Mapping
from contextlib import aclosing
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from tilescope_trace.errors import UsageError
from tilescope_trace.model import Argument, FileFacts, Options, Snapshot

from .session import Document, Session

if TYPE_CHECKING:
    from tilescope_trace.source.workspace import Workspace

log = logging.getLogger(__name__)

Arguments: TypeAlias = "tuple[tuple[str, str, dict[str, Argument]], ...]"
"""(kernel, target, arguments) of each kernel of a file, as far as its own and other files say."""

REST_SECONDS = 0.3
"""How long files have to rest before they are read again: a checkout changes many at once."""


class Index:
    """Keeps the indices of the workspaces of the open documents up to date; ``changed(document)`` is called where
    other files now say something else about a document's kernels. Reads files, executes nothing."""

    def __init__(self, session: Session, changed: Callable[[Document], None]) -> None:
        self._session = session
        self._changed = changed
        self._known: dict[str, Arguments] = {}
        self._task: asyncio.Task[None] | None = None
        self._edited: set[str] = set()
        self._written: set[str] = set()
        self._opened = False

    def opened(self) -> None:
        """A document was opened: what do other files say about it?"""
        self._opened = True
        self._begin()

    def edited(self, path: str) -> None:
        """The text of an open document has changed, and with it what it says about the others."""
        if len(self._session.documents()) > 1:
            self._edited.add(path)
            self._begin()

    def written(self, paths: Iterable[str]) -> None:
        """Files have changed on disk."""
        found = [path for path in paths if path.endswith(".py")]
        if found and self._session.documents():
            self._written.update(found)
            self._begin()

    async def close(self) -> None:
        """Stop looking."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.wait({self._task})

    def _begin(self) -> None:
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._work())

    async def _work(self) -> None:
        while self._opened or self._edited or self._written:
            await asyncio.sleep(REST_SECONDS)
            walks, paths = self._opened or bool(self._written), self._edited | self._written
            self._opened, self._edited, self._written = False, set(), set()
            try:
                await self._look(paths, walks=walks)
            except Exception:
                log.exception("other files could not be indexed")

    async def _look(self, paths: set[str], *, walks: bool) -> None:
        documents = [document for document in self._session.documents() if document.analysis.kernels]
        self._known = {one.uri: self._known[one.uri] for one in documents if one.uri in self._known}
        workspaces = {one.uri: workspace for one in documents if (workspace := claim(one.snapshot.path)) is not None}
        for workspace in {id(one): one for one in workspaces.values()}.values():
            workspace.overlay(self._session.overlays(""))
            if walks:
                await asyncio.to_thread(workspace.refresh)
        texts = await asyncio.to_thread(self._texts, paths)
        for document in documents:
            if document.uri in workspaces and (document.uri not in self._known or _is_meant(document, texts)):
                await self._compare(document, workspaces[document.uri])

    async def _compare(self, document: Document, workspace: Workspace) -> None:
        snapshot, options = document.snapshot, self._session.options_for(document.snapshot.path)
        before = self._known.get(document.uri)
        if before is None:
            before = await asyncio.to_thread(_arguments, snapshot, options, None)
        now = await asyncio.to_thread(_arguments, snapshot, options, workspace)
        self._known[document.uri] = now
        if now != before and self._session.get(document.uri) is document:
            self._changed(document)

    def _texts(self, paths: set[str]) -> dict[str, str | None]:
        """The texts of changed files by path; None for one that is gone."""
        found: dict[str, str | None] = {}
        for path in paths:
            document = self._session.at(path)
            try:
                text = document.snapshot.text if document is not None else Path(path).read_text("utf-8", "replace")
            except (OSError, ValueError):
                text = None
            found[path] = text
        return found


def claim(path: str) -> Workspace | None:
    """The workspace of a file. It is walked in the background from now on: that can take seconds, and nobody's first
    hints wait for it."""
    from tilescope_trace.source.workspace import shared_workspace  # slow to import: not at every start

    workspace = shared_workspace(path)
    if workspace is not None:
        workspace.lazy = False
    return workspace


def _is_meant(document: Document, texts: Mapping[str, str | None]) -> bool:
    """Whether one of the changed files, itself left out, imports the document's module or package, or is gone."""
    from tilescope_trace.source.workspace import imported_words

    own = Path(document.snapshot.path)
    names = {own.stem, own.parent.name}
    others = (text for path, text in texts.items() if path != str(own))
    return any(text is None or not names.isdisjoint(imported_words(text)) for text in others)


class Reader:
    """The analyser of a session that may execute nothing: static facts, with what other files say."""

    def __init__(self, session: Session) -> None:
        self._session = session

    async def __call__(self, snapshot: Snapshot) -> AsyncGenerator[FileFacts, None]:
        from tilescope_trace.analyse import analyse

        options, overlays = self._session.options_for(snapshot.path), self._session.overlays(snapshot.path)
        claim(snapshot.path)
        async with aclosing(analyse(snapshot, options, None, overlays)) as states:
            async for facts in states:
                yield facts


def _arguments(snapshot: Snapshot, options: Options, workspace: Workspace | None) -> Arguments:
    from tilescope_trace.source.plan import plan_file

    try:
        plan = plan_file(snapshot, options, workspace)
    except UsageError:
        return ()
    return tuple((kernel.qualname, kernel.target, kernel.specialization.args) for kernel in plan.statics)
