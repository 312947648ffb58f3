"""The language server: how session, flow and features are put together."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import sys
from collections.abc import Callable, Collection, Coroutine, Iterable
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal

from lsprotocol import types
from pygls.lsp.server import LanguageServer
from pygls.workspace import PositionCodec

from tilescope_trace.errors import UsageError
from tilescope_trace.model import Finding

from . import freshness, garbage, trust
from .compiler import Compiler
from .features import (
    analysis,
    code_action,
    code_lens,
    commands,
    configuration,
    definition,
    diagnostics,
    document_symbol,
    documents,
    hover,
    inlay_hint,
    lifecycle,
    notebooks,
    panels,
    semantic_tokens,
    settings,
    status,
    transports,
    watching,
    workspace_symbol,
)
from .features.guard import guarded
from .features.mistakes import is_clients
from .features.protocol import Protocol, plain_converter
from .features.refresh import Refresh
from .flow import Flow
from .indexing import Index, Reader
from .session import Document, Session
from .settings import Settings
from .status import Status
from .version import VERSION

if TYPE_CHECKING:
    from .panels.recordings import Recordings
    from .symbols import SymbolIndex

log = logging.getLogger(__name__)

ENDED = "TS004"
"""The finding of a process that did not come to its end."""

FEATURES = (
    lifecycle,
    documents,
    notebooks,
    inlay_hint,
    hover,
    analysis,
    watching,
    code_action,
    code_lens,
    commands,
    document_symbol,
    workspace_symbol,
    definition,
    semantic_tokens,
    settings,
    panels,
)

SWITCH_SECONDS = 0.0005
"""How long a thread that reads a long file may keep the interpreter from the loop, which answers the client (Python's
own 5 ms are more than a range request may take)."""


class Server(LanguageServer):
    """Serves one client. ``session``, ``flow`` and ``index`` begin with initialize; trusted sessions have a
    ``compiler``."""

    session: Session
    flow: Flow
    index: Index

    def __init__(self) -> None:
        super().__init__(
            "tilescope",
            VERSION,
            protocol_cls=Protocol,
            converter_factory=plain_converter,
            notebook_document_sync=notebooks.SYNC,
        )
        self.compiler: Compiler | None = None
        self.left_properly = False
        self.client_name = ""
        self.problems: tuple[str, ...] = ()
        self.pushed: dict[str, tuple[int | None, list[types.Diagnostic]]] = {}
        self.fetched: dict[str, str] = {}
        self.refresh_hints = self._refresh(types.WORKSPACE_INLAY_HINT_REFRESH)
        self.refresh_diagnostics = self._refresh(types.WORKSPACE_DIAGNOSTIC_REFRESH)
        self.lenses: dict[str, tuple[tuple[str, str], ...]] = {}
        self.refresh_lenses = self._refresh(types.WORKSPACE_CODE_LENS_REFRESH)
        self.reported: dict[str | None, Status] = {}
        self._ending: asyncio.Task[None] | None = None
        self._tasks: set[asyncio.Task[None]] = set()
        self.watching: asyncio.Task[None] | None = None
        self.shown = asyncio.Event()
        """Set when anything changes in what is known of a document; another one each time."""
        self.configured: dict[str, tuple[Finding, ...]] = {}
        self._recordings: Recordings | None = None
        self.symbols: SymbolIndex | None = None
        self._retried: dict[str, str] = {}
        for feature in FEATURES:
            feature.register(self)

    @property
    def codec(self) -> PositionCodec:
        """Converts to and from the code units agreed with the client."""
        return self.workspace.position_codec

    def on(self, method: str, handler: Callable[[Any], Any], empty: Any = None, options: Any = None) -> None:
        """Answer ``method`` with ``handler``, with ``empty`` where it fails; ``options`` are told to the client."""
        self.feature(method, options)(guarded(method, handler, empty))

    def _refresh(self, method: str) -> Refresh:
        return Refresh(lambda: self.protocol.send_request_async(method))

    def begin(self, session: Session) -> None:
        """Start to work for an initialized client."""
        self.session = session
        if session.trust.may_execute:
            self.compiler = self._new_compiler()
            self.spawn(self._ask_device())
        self.flow = Flow(session, self.compiler or Reader(session), self._shown)
        self.index = Index(session, self.flow.refresh)

    def grant(self) -> None:
        """The workspace may be executed from now on."""
        self.session.settings = replace(self.session.settings, trusted=True)
        self.session.trust = trust.decide(self.session.settings)
        self.compiler = self._new_compiler()
        self.flow.use(self.compiler)
        self.spawn(self._ask_device())
        self._again(self.session.documents())

    async def _ask_device(self) -> None:
        """Find out which GPU is here, and compile for it what nothing names a target for."""
        if self.session.settings.device:
            from tilescope_trace.local_device import target_here

            self.session.device = await asyncio.to_thread(target_here)
        if self.session.device is not None:
            self._again(self.session.documents())

    def adopt(self, chosen: Settings) -> None:
        """Go on with other settings."""
        before, self.session.settings = self.session.settings, chosen
        self.session.trust = trust.decide(chosen)
        self.flow.adopt(chosen)
        replaced = self.compiler is not None and self.compiler.reconsider()
        if self.compiler is not None and chosen.device != before.device:
            self.spawn(self._ask_device())
        if replaced or (chosen.target, chosen.pass_configs) != (before.target, before.pass_configs):
            self._again(self.session.documents())
            return
        for document in self.session.documents():
            self._shown(document, hints=chosen.hints != before.hints, own=False)

    def _again(self, documents: Iterable[Document]) -> None:
        for document in documents:
            self.flow.refresh(document)
        status.report(self, None)

    def _new_compiler(self) -> Compiler:
        return Compiler(self.session, self._worker_changed, self._worker_restarted)

    def _worker_restarted(self) -> None:
        """Analyse again, once for each text, what ended with the processes: most of it was not to blame."""
        for document in self.session.documents():
            ended = any(one.code == ENDED for one in document.analysis.findings())
            if ended and self._retried.get(document.uri) is not document.snapshot.text:
                self._retried[document.uri] = document.snapshot.text
                self.flow.refresh(document)

    def spawn(self, work: Coroutine[Any, Any, None]) -> None:
        """Do something beside."""
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def end(self) -> asyncio.Task[None]:
        """Stop all work and all processes; asked again, the same task."""
        if self._ending is None:
            self._ending = asyncio.create_task(self._end())
        return self._ending

    async def _end(self) -> None:
        if self.watching is not None:
            self.watching.cancel()
        if hasattr(self, "flow"):
            await self.index.close()
            await self.flow.close()
        if self._recordings is not None:
            await self._recordings.close()
        if self.compiler is not None:
            await self.compiler.close()

    @property
    def recordings(self) -> Recordings:
        """The recordings of this session. Raises UsageError where nothing may be executed."""
        if self.compiler is None:
            raise UsageError("the workspace is not trusted: recording a kernel executes its file")
        if self._recordings is None:
            from .panels.recordings import Recordings  # slow to import: not at every start

            self._recordings = Recordings(self.compiler.host)
        return self._recordings

    def modules(self, path: str) -> tuple[str, ...]:
        """The workspace modules that an open document imports, as far as they are known."""
        return self.compiler.modules(path) if self.compiler is not None else ()

    def changed_on_disk(self, paths: Collection[str]) -> None:
        """Analyse what depends on changed files. What an open document holds does not change with its file."""
        concerned = []
        for path in paths:
            document = self.session.at(path)
            if document is not None:
                before = document.dirty
                document.compare()
            if document is None or (document.dirty and not before):
                concerned.append(path)
        self.index.written(paths)
        self.changed(concerned)

    def changed(self, paths: Collection[str]) -> None:
        """Analyse the open documents that depend on one of the files, which have changed on disk or in the editor."""
        documents = freshness.dependents(paths, self.session, self.modules)
        if any(map(freshness.is_setting, paths)):
            if self.compiler is not None and self.compiler.reconsider():
                documents = list(self.session.documents())
            configuration.report(self)
        for document in documents:
            self.flow.refresh(document)

    def forget(self, document: Document) -> None:
        """Drop what belongs to a closed document, its processes included."""
        self.reported.pop(document.uri, None)
        self.lenses.pop(document.uri, None)
        self._retried.pop(document.uri, None)
        for part in document.parts():
            diagnostics.clear(self, part.uri)
        self.spawn(self._forget(document, self.flow.forget(document)))
        if document.dirty:
            self.index.written([document.snapshot.path])
            self.changed([document.snapshot.path])

    async def _forget(self, document: Document, ending: asyncio.Task[None] | None) -> None:
        if ending is not None:
            await asyncio.wait({ending})
        if self.compiler is not None and self.session.get(document.uri) is None:
            await self.compiler.forget(document.snapshot.path)

    def report_server_error(self, error: Exception, source: Any) -> None:
        """Log it: pygls would pop a window up. Of what a client did wrong the log tells already."""
        if not is_clients(error):
            log.error("%s: %s", getattr(source, "__name__", source), error)

    def _shown(self, document: Document, *, hints: bool, own: bool) -> None:
        news, self.shown = self.shown, asyncio.Event()
        news.set()
        parts = tuple(document.parts())
        if hints:
            inlay_hint.refresh(self)  # first: its answer is what somebody waits for
        diagnostics.show(self, parts, asks=own and len(parts) == 1)  # clients ask for the edited cell only
        code_lens.refresh(self, document)
        configuration.report(self, document)
        status.report(self, document)

    def _worker_changed(self) -> None:
        for document in (None, *self.session.documents()):
            status.report(self, document)


def serve(transport: Literal["stdio"] | tuple[str, int]) -> int:
    """Serve one client over standard input and output, or over TCP at (host, port), until it leaves. The exit code
    is 0 after a proper shutdown, 1 otherwise. Raises UsageError where the address cannot be used."""
    sys.setswitchinterval(SWITCH_SECONDS)
    garbage.seldom()
    logging.basicConfig(stream=sys.stderr, level=logging.WARNING, format="%(levelname)s %(name)s: %(message)s")
    server = Server()
    # The exit notification, an interrupt, a client that is gone: all mean that it is over.
    with contextlib.suppress(SystemExit, KeyboardInterrupt, asyncio.CancelledError):
        asyncio.run(transports.stdio(server) if transport == "stdio" else transports.tcp(server, *transport))
    return 0 if server.left_properly else 1
