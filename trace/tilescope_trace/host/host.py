"""All workers of one interpreter: a zygote, and the processes of the documents in use."""

from __future__ import annotations

import asyncio
import os
import shutil
import socket
import subprocess
import tempfile
from collections import OrderedDict
from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from types import TracebackType

import tilescope_worker
from tilescope_trace.errors import UsageError
from tilescope_worker.wire.messages import Event, Hello, Job, JobDone

from .child import Child, largest_resident, signal_name, tail
from .document import Document
from .errors import WorkerEnded
from .forker import Forker
from .policy import Policy
from .single import start_single

BOOTSTRAP = Path(tilescope_worker.__file__).with_name("bootstrap.py")


class Host:
    """Runs jobs in worker processes under ``interpreter``; an asynchronous context manager.

    Nothing starts before the first `hello` or `run`. Jobs of one document wait for each other; jobs of different
    documents run side by side.
    """

    def __init__(self, interpreter: str, policy: Policy | None = None) -> None:
        self.interpreter = interpreter
        self.policy = policy or Policy()
        self._forks = hasattr(os, "fork") if self.policy.fork is None else self.policy.fork
        self._scratch: Path | None = None
        self._zygote: Forker | None = None
        self._parent: Forker | None = None
        """Whom bases are forked from: the zygote, later its warm fork."""
        self._process: subprocess.Popen[bytes] | None = None
        self._single: Child | None = None
        self._single_hello: Hello | None = None
        self._documents: OrderedDict[str, Document] = OrderedDict()
        self._used: set[str] = set()
        self._ending: set[asyncio.Task[None]] = set()
        self._locks: dict[str, asyncio.Lock] = {}
        self._modules: dict[str, tuple[str, ...]] = {}
        self._starting = asyncio.Lock()
        self._warming: asyncio.Task[None] | None = None

    async def __aenter__(self) -> Host:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def hello(self) -> Hello:
        """What the worker says of itself, starting it when needed. Raises WorkerEnded, and UsageError when
        ``interpreter`` cannot be run."""
        async with self._starting:
            if self._forks:
                return (await self._ensure_zygote()).hello
            await self._ensure_single()
            assert self._single_hello is not None
            return self._single_hello

    async def run(self, document: str, job: Job, imports: tuple[str, ...] = ()) -> AsyncGenerator[Event, None]:
        """Events of a job, JobDone last; raises WorkerEnded. ``imports`` are third-party modules of the document.

        Close the iterator (``aclose``) or cancel its task to abandon the job: its process is killed after a moment.
        """
        await self.hello()
        async with self._using(document if self._forks else ""):
            if not self._forks:
                async for event in self._run_single(job):
                    self._note(document, event)
                    yield event
                return
            runner = (await self._ready(document, imports, job)).run(job)
            try:
                async for event in runner:
                    self._note(document, event)
                    yield event
            finally:
                await runner.aclose()
                self._warm_behind_first_job()

    def modules(self, document: str) -> tuple[str, ...]:
        """The workspace modules, as real paths, that the document's last finished job has imported or tried to."""
        return self._modules.get(document, ())

    def _note(self, document: str, event: Event) -> None:
        if isinstance(event, JobDone):
            self._modules[document] = event.modules

    async def forget(self, document: str) -> None:
        """End the processes of a document that was closed."""
        self._modules.pop(document, None)
        found = self._documents.pop(document, None)
        self._locks.pop(document, None)
        if found is not None:
            await found.close()

    async def close(self) -> None:
        """End every process and remove the scratch folder."""
        if self._warming is not None:
            self._warming.cancel()
            await asyncio.wait({self._warming})
        for document in list(self._documents):
            await self.forget(document)
        if self._ending:
            await asyncio.wait(set(self._ending))
        for forker in (self._parent, self._zygote):
            if forker is not None:
                forker.close()
        if self._single is not None:
            self._single.close()
            await self._single.end()
        if self._process is not None:
            if self._zygote is None:
                # Still importing TileLang, for seconds in which it hears nothing and has no children to end.
                self._process.kill()
            await asyncio.to_thread(_wait_or_kill, self._process)
        self._zygote = self._parent = self._process = self._single = None
        if self._scratch is not None:
            await asyncio.to_thread(shutil.rmtree, self._scratch, True)
            self._scratch = None

    async def lost(self) -> None:
        """Return once the process that all others come from has ended by itself; to be asked after `hello`."""
        if self._zygote is None:
            await asyncio.Event().wait()  # a single process is started anew by the next job
        else:
            await self._zygote.gone.wait()

    def resident_bytes(self) -> int | None:
        """Resident memory of the largest of all processes, None while there is none. Takes milliseconds."""
        root = self._process.pid if self._process is not None else self._single.pid if self._single else None
        return largest_resident(root) if root is not None else None

    def log(self) -> str:
        """The tail of the zygote's log."""
        return "" if self._scratch is None else tail(self._scratch / "zygote.log")

    async def _ready(self, key: str, imports: tuple[str, ...], job: Job) -> Document:
        """The document with a child to run in. A parent process that died is noticed only now: then once again."""
        document = await self._document(key, imports)
        try:
            await document.ready(job.overlays)
        except WorkerEnded:
            if not document.parent.gone.is_set():
                raise
            document = await self._document(key, imports)
            await document.ready(job.overlays)
        return document

    async def _document(self, key: str, imports: tuple[str, ...]) -> Document:
        async with self._starting:
            await self._ensure_zygote()
        parent = self._parent
        assert parent is not None
        found = self._documents.get(key)
        if found is not None and (found.imports != imports or found.parent is not parent):
            await found.close()
            found = None
        if found is None:
            found = self._documents[key] = Document(parent, imports, self.policy)
        self._documents.move_to_end(key)
        self._drop_idle()
        return found

    @asynccontextmanager
    async def _using(self, key: str) -> AsyncGenerator[None, None]:
        """Have a document for oneself; its processes are not dropped within."""
        async with self._locks.setdefault(key, asyncio.Lock()):
            self._used.add(key)
            try:
                yield
            finally:
                self._used.discard(key)
                self._drop_idle()

    def _drop_idle(self) -> None:
        """End the processes of documents over ``policy.documents``, the least recently used first; nobody waits."""
        idle = [key for key in self._documents if key not in self._used]
        for key in idle[: max(0, len(self._documents) - self.policy.documents)]:
            ending = asyncio.create_task(self._documents.pop(key).close())
            self._ending.add(ending)
            ending.add_done_callback(self._ending.discard)

    async def _ensure_zygote(self) -> Forker:
        # Its end of the socket may not have been read yet: ask for the process as well.
        alive = self._process is not None and self._process.poll() is None
        if self._zygote is not None and alive and not self._zygote.gone.is_set():
            if self._parent is None or self._parent.gone.is_set():
                self._parent = self._zygote
            return self._zygote
        self._zygote = self._parent = None
        ours, theirs = socket.socketpair()
        scratch = self._ensure_scratch()
        command = [self.interpreter, str(BOOTSTRAP), "fork", str(theirs.fileno()), str(scratch)]
        try:
            with (scratch / "start.log").open("wb") as log:
                self._process = subprocess.Popen(
                    command,
                    pass_fds=[theirs.fileno()],
                    stdin=subprocess.DEVNULL,
                    stdout=subprocess.DEVNULL,
                    stderr=log,
                )
                if self.policy.nice:
                    with suppress(OSError):  # gone already: told below
                        os.setpriority(os.PRIO_PROCESS, self._process.pid, self.policy.nice)
        except OSError as error:
            ours.close()
            raise UsageError(f"cannot run the interpreter {self.interpreter}: {error.strerror}") from None
        finally:
            theirs.close()
        try:
            self._zygote = await Forker.open(ours, scratch, self.policy.start_seconds)
        except WorkerEnded as error:
            said = tail(scratch / "start.log").strip() or self.log().strip()
            reason = said.splitlines()[-1] if said else await self._killed_by() or error.detail
            raise WorkerEnded("start", f"does not start under {self.interpreter}: {reason}", said) from None
        self._parent = self._zygote
        self._warming = None
        return self._zygote

    async def _killed_by(self) -> str | None:
        """What killed the process that was to start, where something did: a broken library, as it was loaded."""
        assert self._process is not None
        with suppress(subprocess.TimeoutExpired):
            # Its end of the socket is closed: it has ended, or is about to.
            code = await asyncio.to_thread(self._process.wait, 1.0)
            return f"killed by {signal_name(-code)} as it imported tilelang" if code < 0 else None
        return None

    async def _ensure_single(self, overlays: Mapping[str, str] | None = None) -> Child:
        stale = self._single is not None and overlays is not None and self._single.stale(overlays)
        if self._single is None or not self._single.fit or stale:
            if self._single is not None:
                self._single.close()
                await self._single.end()
            scratch = self._ensure_scratch()
            self._single = await start_single(self.interpreter, BOOTSTRAP, scratch)
            self._single_hello = await self._single.greet(self.policy.start_seconds)
        return self._single

    async def _run_single(self, job: Job) -> AsyncGenerator[Event, None]:
        async with self._starting:
            child = await self._ensure_single(job.overlays)
        events = child.run(job, self.policy)
        try:
            async for event in events:
                yield event
        finally:
            await events.aclose()
            if not child.fit:
                child.close()
                await child.end()

    def _ensure_scratch(self) -> Path:
        if self._scratch is None or not self._scratch.exists():
            self._scratch = Path(tempfile.mkdtemp(prefix="tilescope-"))
        return self._scratch

    def _warm_behind_first_job(self) -> None:
        """Have a fork of the zygote warm itself, once; it takes the zygote's place as the parent of bases."""
        if self.policy.warm_targets and self._warming is None and self._zygote is not None:
            self._warming = asyncio.create_task(self._warm(self._zygote))

    async def _warm(self, zygote: Forker) -> None:
        # In a fork: warming takes seconds, in which the zygote itself could not serve a document just opened.
        try:
            handle = await zygote.fork("warm", "base")
            warm = await Forker.open(handle.sock, handle.log.parent, self.policy.start_seconds)
            await warm.warm(self.policy.warm_targets)
        except (OSError, WorkerEnded):
            return
        self._parent = warm
        for key, document in list(self._documents.items()):
            async with self._using(key):
                if self._documents.get(key) is document:
                    await document.renew(warm)


def _wait_or_kill(process: subprocess.Popen[bytes]) -> None:
    try:
        process.wait(5.0)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
