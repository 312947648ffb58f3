"""An analysis child: takes jobs on its channel, one at a time, and answers with events."""

from __future__ import annotations

import gc
import os
import sys
from functools import partial
from pathlib import Path

from . import allocator, overlays, sandbox
from .about import hello
from .channel import Channel
from .wire.messages import Event, Job, JobDone

YOUNG = 10_000
"""Objects more than before at which cyclic garbage is looked for (Python's own value is 700): a job on one kernel
makes some ten thousand, and looking ten times for what is not there takes a millisecond of its."""


def serve(channel: Channel) -> int:
    """Answer jobs until the host closes the channel; returns the exit code."""
    if hello().problem is not None:
        channel.send(hello())
        return 0

    from . import work

    # To go through all that is imported takes a third of a second, and writes to pages that processes share.
    gc.freeze()
    gc.set_threshold(YOUNG)
    allocator.keep_freed()
    channel.send(hello())
    sandbox.tell_where_it_stands()
    own, before, modules = os.getpid(), "", set[str]()
    while True:
        # What can be done before the next job costs nobody's time.
        held = sandbox.belongings()
        job = channel.receive()
        if not isinstance(job, Job):
            return 0
        if job.path != before:
            # Without fork one process serves all documents: what one calls `tiles` may be another's by that name.
            overlays.forget_modules(modules)
            before, modules = job.path, set()
        sandbox.forget_output()
        with overlays.imported_from(job.overlays, job.workspace or str(Path(job.path).parent)) as looked_for:
            send = partial(_send, channel, own, os.path.realpath(job.path), looked_for, held)
            work.run_job(job, send, output=sandbox.output)
            modules |= looked_for


def serve_alone(channel: Channel, scratch: str) -> int:
    """Play zygote, base and child in one process, where fork is not available."""
    hello()
    if sys.platform != "win32":
        sandbox.own_session()
        sandbox.adopt_orphans()
        sandbox.limit(scratch)
    try:
        return serve(channel)
    except (BrokenPipeError, ConnectionError):
        return 0


def _send(channel: Channel, own: int, path: str, looked_for: set[str], held: frozenset[str], event: Event) -> None:
    if os.getpid() != own:
        # A copy that the file has forked, and that came to the file's end: it has no job.
        os._exit(0)
    if isinstance(event, JobDone):
        # A module whose import failed is in nobody's list of modules: mending it matters all the more.
        # The file itself is executed from the job's text: that it was saved must cost no process.
        modules = tuple(sorted(looked_for.union(event.modules) - {path}))
        spent = bool(sandbox.children()) or not sandbox.belongings() <= held
        event = JobDone(modules, sandbox.output(), spent=spent)
    channel.send(event)
