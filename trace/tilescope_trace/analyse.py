"""From a snapshot of a file to its facts: static ones at once, then each stage that the compiler reaches."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncGenerator, Mapping
from contextlib import aclosing

from tilescope_worker.wire.messages import Job, RequestBegan

from .gather import Gathered
from .host import Host, WorkerEnded
from .model import FileFacts, Options, Snapshot
from .rules.analysis import no_tilelang
from .source.imports import third_party, workspace_of
from .source.plan import FilePlan, plan_file
from .source.tolerant import prepare
from .source.workspace import shared_workspace


async def analyse(
    snapshot: Snapshot,
    options: Options,
    host: Host | None,
    overlays: Mapping[str, str] | None = None,
    plan: FilePlan | None = None,
    *,
    beside: bool = True,
) -> AsyncGenerator[FileFacts, None]:
    """Facts of a file, each newer and fuller than the one before; the last one is complete.

    Without a host (or with ``options.static``) only static facts are given and nothing is executed. ``overlays`` are
    texts, by real path, of modules that are imported as they stand in an editor; ``plan`` is that of the file for
    these options where the caller has it already. ``beside`` reads the file in a thread: a long one takes longer than
    a server's loop may be held up, but to hand a short one over takes longer than to read it.
    Raises UsageError for what the options ask of the file and cannot be had.
    """
    workspace = shared_workspace(snapshot.path)
    if workspace is not None and overlays is not None:
        workspace.overlay(overlays)

    def read() -> Gathered:
        made = Gathered(snapshot, plan or plan_file(snapshot, options, workspace))
        made.facts(complete=False)  # here: what takes long of it is kept, and asked for again on the loop
        return made

    gathered = await asyncio.to_thread(read) if beside else read()
    plan = gathered.plan
    runnable = host is not None and not options.static and bool(plan.requests) and not plan.read.problems
    yield gathered.facts(complete=not runnable)
    if host is None or not runnable:
        return
    try:
        hello = await host.hello()
    except WorkerEnded as end:
        yield gathered.end(end, None).facts(complete=True)
        return
    if hello.tilelang is None:
        gathered.findings.append(no_tilelang.finding(host.interpreter, hello.problem, snapshot.text, snapshot.path))
        yield gathered.facts(complete=True)
        return
    gathered.tilelang = hello.tilelang
    async for facts in _compile(
        gathered, host, dict(overlays or {}), beside=beside, device_compile=options.device_compile
    ):
        yield facts


async def _compile(
    gathered: Gathered, host: Host, overlays: dict[str, str], *, beside: bool, device_compile: bool
) -> AsyncGenerator[FileFacts, None]:
    """Run the plan's requests; a kernel that ends the process costs its own facts only."""
    workspace = workspace_of(gathered.snapshot.path)
    imports = third_party(gathered.plan.read, gathered.snapshot.path, workspace)
    first = 0
    async with aclosing(_Placing(gathered.snapshot.text, needed=beside)) as placing:
        while first < len(gathered.plan.requests):
            requests = gathered.plan.requests[first:]
            job = Job(
                gathered.snapshot.path,
                gathered.snapshot.text,
                requests,
                workspace,
                device_compile=device_compile,
                overlays=overlays,
            )
            current: int | None = None
            events = host.run(gathered.snapshot.path, job, imports)
            try:
                async for event in events:
                    placing.begin()
                    if isinstance(event, RequestBegan):
                        current = first + event.request
                        continue
                    await placing.done()
                    if gathered.take(event, first):
                        yield gathered.facts(complete=False)
                break
            except WorkerEnded as end:
                await placing.done()
                gathered.end(end, current)
                if current is None:
                    break
                first = current + 1
            finally:
                await events.aclose()
    yield gathered.facts(complete=True)


class _Placing:
    """What is told of a kernel is looked up in the tree, in which an edit may have moved statements: to place them
    anew takes tens of ms for a long text, which is done in a thread. It begins with the first that the compiler says,
    so that no text of those in between has it done while somebody types."""

    def __init__(self, text: str, *, needed: bool) -> None:
        self._text = text
        self._needed = needed
        self._left = threading.Event()
        self._work: asyncio.Task[None] | None = None

    def begin(self) -> None:
        if self._needed and self._work is None:
            self._work = asyncio.create_task(asyncio.to_thread(prepare, self._text, self._left.is_set))

    async def done(self) -> None:
        self.begin()
        if self._work is not None:
            await self._work

    async def aclose(self) -> None:
        self._left.set()  # a thread cannot be cancelled: that of a text that was overtaken need not go on
        if self._work is not None:
            await asyncio.wait({self._work})
