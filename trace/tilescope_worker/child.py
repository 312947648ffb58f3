"""An analysis child: takes jobs on its channel, one at a time, and answers with events."""

from __future__ import annotations

import sys

from . import sandbox
from .about import hello
from .channel import Channel
from .wire.messages import Event, Job, JobDone


def serve(channel: Channel) -> int:
    """Answer jobs until the host closes the channel; returns the exit code."""
    from . import work

    channel.send(hello())
    sandbox.tell_where_it_stands()
    while True:
        job = channel.receive()
        if not isinstance(job, Job):
            return 0
        sandbox.forget_output()
        work.run_job(job, lambda event: _send(channel, event), output=sandbox.output)


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


def _send(channel: Channel, event: Event) -> None:
    if isinstance(event, JobDone):
        event = JobDone(event.modules, sandbox.output(), spent=bool(sandbox.children()))
    channel.send(event)
