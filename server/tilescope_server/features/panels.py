"""tilescope/passes, diff, history, show, generated, layout, memory, compare, timeline: what an editor's panels show.

Each is answered with a document of `tilescope schema`, or with the document ``problem`` and a message for people.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from tilescope_trace.errors import UsageError

from . import inlay_hint, progress

if TYPE_CHECKING:
    from msgspec import Struct

    from tilescope_server.app import Server
    from tilescope_server.panels.asked import Variant
    from tilescope_server.panels.subject import Subject
    from tilescope_server.session import Document
    from tilescope_trace.model import Kernel
    from tilescope_trace.store.read import Recording

Answer = dict[str, Any]
Wanted = TypeVar("Wanted", bound="Struct")

READING = ("tilescope/passes", "tilescope/diff", "tilescope/history", "tilescope/show", "tilescope/generated")
FAILED = "the request failed; see the log of the server"


def register(server: Server) -> None:
    handlers: dict[str, Callable[[Any], Awaitable[Answer]]] = {
        **{method: partial(read, server, method) for method in READING},
        "tilescope/layout": partial(layout, server),
        "tilescope/memory": partial(memory, server),
        "tilescope/variants": partial(variants, server),
        "tilescope/compare": partial(compare, server),
        "tilescope/timeline": partial(timeline, server),
    }
    for method, handler in handlers.items():
        server.on(method, partial(told, handler), empty=problem(FAILED))


async def told(handler: Callable[[Any], Awaitable[Answer]], params: Any) -> Answer:
    """What the handler answers, or why it cannot."""
    try:
        return await handler(params)
    except UsageError as error:
        return problem(str(error))


def problem(message: str) -> Answer:
    """The document ``problem``."""
    return {"schema": "tilescope.problem/1", "message": message}


async def read(server: Server, method: str, params: Any) -> Answer:
    """Answer from the recording of one kernel."""
    from tilescope_server.panels.answers import FROM_RECORDINGS

    kind, answer = FROM_RECORDINGS[method]
    wanted, document = asked_of(server, params, kind)
    subject = await chosen(server, document, wanted, wanted.kernel, wanted.line)
    recording = await recorded(server, subject, params)
    try:
        found = await asyncio.to_thread(answer, recording, wanted)
    except UsageError as error:
        # The file is ours, and its name tells nobody anything.
        raise UsageError(str(error).removeprefix(f"{recording.path}: ")) from None
    return {**found, "of": about(document, subject, recording.info.kernel, recording)}


async def layout(server: Server, params: Any) -> Answer:
    """Draw a buffer's layout, from the facts that hints show where they are there."""
    from tilescope_server.panels.answers import layout as drawn
    from tilescope_server.panels.asked import Layout

    wanted, document = asked_of(server, params, Layout)
    subject = await chosen(server, document, wanted, wanted.kernel, wanted.line)
    kernel, recording = await facts(server, document, subject, params)
    return {**await asyncio.to_thread(drawn, kernel, wanted), "of": about(document, subject, kernel, recording)}


async def memory(server: Server, params: Any) -> Answer:
    """Tell what is in each memory."""
    from tilescope_server.panels.answers import memory as listed
    from tilescope_server.panels.asked import Memory

    wanted, document = asked_of(server, params, Memory)
    subject = await chosen(server, document, wanted, wanted.kernel, wanted.line)
    recording = server.recordings.known(subject.snapshot, subject.kernel)
    if recording is None and wanted.record:
        recording = await recorded(server, subject, params)
    kernel, used = (
        (recording.info.kernel, recording)
        if recording is not None
        else await facts(server, document, subject, params)
    )
    return {**await asyncio.to_thread(listed, kernel, used), "of": about(document, subject, kernel, used)}


async def variants(server: Server, params: Any) -> Answer:
    """List what can be chosen for a kernel."""
    from tilescope_server.panels.asked import OfKernel
    from tilescope_server.panels.variants import variants_of
    from tilescope_trace.model.public import document as made
    from tilescope_trace.model.public import to_public

    wanted, document = asked_of(server, params, OfKernel)
    subject = await chosen(server, document, wanted, wanted.kernel, wanted.line)
    options = server.session.options_for(document.snapshot.path)
    found = await asyncio.to_thread(variants_of, subject.snapshot, options, subject.kernel)
    known = {key: to_public(getattr(found, key)) for key in ("specializations", "targets", "chosen")}
    return made("variants", {**known, "of": about(document, subject, subject.kernel, None)})


async def compare(server: Server, params: Any) -> Answer:
    """Compare two variants of a kernel."""
    from tilescope_server.panels.answers import comparison
    from tilescope_server.panels.asked import Compare

    wanted, document = asked_of(server, params, Compare)
    sides = [await chosen(server, document, variant, wanted.kernel, wanted.line) for variant in (wanted.a, wanted.b)]
    a, b = await all_recorded(server, sides, params)
    named = {
        side: about(document, subject, recording.info.kernel, recording)
        for side, subject, recording in zip("ab", sides, (a, b), strict=True)
    }
    return {**await asyncio.to_thread(comparison, a, b), **named}


async def timeline(server: Server, params: Any) -> Answer:
    """Show profiles, joined with the recording of a kernel where it can be made; hints and hovers then tell where
    that kernel spends its time."""
    from tilescope_server.panels.asked import Timeline
    from tilescope_server.panels.timeline import timeline as read_profiles

    wanted, document = asked_of(server, params, Timeline)
    root = server.session.root or Path(document.snapshot.path).parent
    paths = [root / profile for profile in wanted.profiles] or list(server.session.profiles)
    if not paths:
        return problem("no profile attached")
    recording, named, why = None, None, None
    try:
        subject = await chosen(server, document, wanted, wanted.kernel, wanted.line)
        recording = await recorded(server, subject, params)
        named = about(document, subject, recording.info.kernel, recording)
    except UsageError as error:
        why = str(error)
    async with progress.shown(server, "Reading profiles", None):
        codes = [root / code for code in wanted.codes]
        answer, heat = await asyncio.to_thread(read_profiles, paths, recording, codes)
    server.session.profiles = tuple(paths)
    if recording is not None and heat is not None:
        from tilescope_server.heat import heat_key, kernel_heat

        of = subject.snapshot
        document.attach({heat_key(recording.info.kernel): kernel_heat(heat, recording, of.path, of.text)})
        inlay_hint.refresh(server)
    return {**answer, "of": named, "alone": why}


def asked_of(server: Server, params: Any, kind: type[Wanted]) -> tuple[Wanted, Document]:
    """The parameters, checked, and the document that they are about, with their line in it. Raises UsageError."""
    from msgspec.structs import replace

    from tilescope_server.panels.asked import checked

    wanted: Any = checked(params, kind)
    document = opened(server, wanted.uri)
    if wanted.line is not None:
        wanted = replace(wanted, line=document.line_of(wanted.uri, wanted.line))
    return wanted, document


def opened(server: Server, uri: str) -> Document:
    """The open document of that name; of a cell its notebook, which is what is compiled. Raises UsageError."""
    document = server.session.whole(uri)
    if document is None:
        raise UsageError(f"{uri} is not open")
    return document


async def chosen(
    server: Server, document: Document, variant: Variant, kernel: str | None, line: int | None
) -> Subject:
    """The kernel that a request is about. Raises UsageError."""
    from tilescope_server.panels.subject import choose

    options = server.session.options_for(document.snapshot.path)
    return await asyncio.to_thread(choose, document.snapshot, options, variant, kernel, line)


async def recorded(server: Server, subject: Subject, params: Any) -> Recording:
    """The recording of a kernel, made now where there is none. Raises UsageError."""
    return (await all_recorded(server, (subject,), params))[0]


async def all_recorded(server: Server, subjects: Sequence[Subject], params: Any) -> list[Recording]:
    """The recordings of several kernels, one after the other under one progress. Raises UsageError."""
    names = dict.fromkeys(f"{one.kernel.qualname} for {one.kernel.target}" for one in subjects)
    async with progress.shown(server, f"Recording {' and '.join(names)}", params.get("workDoneToken")) as tell:
        return [
            await server.recordings.of(subject, server.session.overlays(subject.snapshot.path), tell)
            for subject in subjects
        ]


async def facts(server: Server, document: Document, subject: Subject, params: Any) -> tuple[Kernel, Recording | None]:
    """Compiled facts of a kernel: those of the newest analysis where it has them, else those of a recording."""
    from tilescope_server.analysis import is_compiled

    wanted = subject.kernel
    if document.snapshot is subject.snapshot:
        for kernel in document.analysis.kernels:
            same = (kernel.qualname, kernel.line, kernel.target, kernel.specialization.id) == (
                wanted.qualname,
                wanted.line,
                wanted.target,
                wanted.specialization.id,
            )
            if same and is_compiled(kernel):
                return kernel, None
    recording = await recorded(server, subject, params)
    return recording.info.kernel, recording


def about(document: Document, subject: Subject, kernel: Kernel, recording: Recording | None) -> Answer:
    """The ``of`` of an answer."""
    from tilescope_server.panels.shapes import About
    from tilescope_trace.model.public import to_public

    return dict(
        to_public(
            About(
                document.uri,
                subject.snapshot.version,
                kernel.qualname,
                kernel.line,
                kernel.specialization.id,
                kernel.target,
                str(recording.path) if recording is not None else None,
            )
        )
    )
