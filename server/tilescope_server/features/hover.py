"""textDocument/hover: full facts about the buffer, operation, launch, kernel, loop variable, parameter or macro call
under the cursor."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

from lsprotocol import types

from tilescope_server import convert
from tilescope_server.describe import site_markdown
from tilescope_server.lookup import site_at
from tilescope_trace.model import Operation

from .reading import names_of

if TYPE_CHECKING:
    from tilescope_server.app import Server
    from tilescope_server.bindings import Bindings
    from tilescope_server.session import Document
    from tilescope_server.sites import Site, Variant

PICTURES = ("visual studio code", "code-server", "code - oss", "vscodium", "cursor", "windsurf")
"""Clients, by how their names begin, that show images in hovers."""
Told = tuple[str, tuple[int, int]]
"""Markdown, and the columns of the text that it is about."""


def register(server: Server) -> None:
    server.on(types.TEXT_DOCUMENT_HOVER, partial(hover, server))


async def hover(server: Server, params: types.HoverParams) -> types.Hover | None:
    document = server.session.get(params.text_document.uri)
    server.flow.attend(params.text_document.uri)
    if document is None or not document.analysis.seen():
        return None
    line, column = convert.place(server.codec, document.lines, params.position)
    told = await _of_name(server, document, line, column) or await _of_site(server, document, line, column)
    if told is None:
        return None
    markdown, (start, end) = told
    return types.Hover(
        contents=_contents(server.client_capabilities, markdown),
        range=types.Range(
            convert.position(server.codec, document.lines, line, start),
            convert.position(server.codec, document.lines, line, end),
        ),
    )


async def _of_name(server: Server, document: Document, line: int, column: int) -> Told | None:
    from tilescope_server.uses import buffer_at  # these are slow to import: not at every start

    names = await names_of(document)
    found = names.at(line, column)
    if found is None:
        return None
    extent = found[0].column, found[0].end_column
    use = buffer_at(document.sites, names, line, column)
    if use is not None:
        return await _sites(server, document, use.sites), extent
    markdown = await asyncio.to_thread(_other_name, document, names, line, column)
    return None if markdown is None else (markdown, extent)


def _other_name(document: Document, names: Bindings, line: int, column: int) -> str | None:
    """A name that is no buffer: a loop's variable, a macro that is called, a parameter."""
    from tilescope_server.explain.arguments import argument_markdown
    from tilescope_server.explain.calls import call_at, call_markdown
    from tilescope_server.explain.loops import header_of, kernels_with, loop_markdown

    found = names.at(line, column)
    assert found is not None
    place, variable = found
    kernels = document.analysis.seen()
    bound = variable.bound_before(line)
    header = header_of(document.snapshot.text, bound) if bound is not None else None
    if header is not None:
        return loop_markdown(kernels_with(header, kernels), place.name, header)
    call = call_at(names, place.name, line)
    if call is not None:
        return call_markdown(call, kernels)
    if variable.parameter is not None and variable.function is not None:
        first, last = variable.function.lineno, variable.function.end_lineno or variable.function.lineno
        inside = [one for one in kernels if first <= one.line <= last]
        return argument_markdown(inside, place.name)
    return None


async def _of_site(server: Server, document: Document, line: int, column: int) -> Told | None:
    found = site_at(document.sites, document.lines, line, column)
    return None if found is None else (await _sites(server, document, (found[0],)), found[1])


async def _sites(server: Server, document: Document, sites: Sequence[Site]) -> str:
    from tilescope_server.explain import more

    image = server.client_name.lower().startswith(PICTURES)

    def more_of(variant: Variant) -> str:
        told = [_spent(document, variant), more.of_variant(variant, image=image)]
        return "\n".join(text for text in told if text)

    told = await asyncio.to_thread(lambda: "\n\n---\n\n".join(site_markdown(site, more_of) for site in sites))
    lives = [text for site in sites if (text := await _lifetime(server, document, site))]
    return "\n\n".join([told, *lives])


def _spent(document: Document, variant: Variant) -> str:
    """Which part of the kernel's time an operation takes, where a profile is attached."""
    entry, measured = variant.entry, document.measured(variant.kernel)
    if measured is None or not isinstance(entry, Operation) or entry.line is None:
        return ""
    found = document.heat_on(variant.kernel)
    hot = found.lines.get(entry.line)
    if hot is None:
        return ""
    waits = f", mostly waiting: {hot.why}" if hot.why else ""
    earlier = ", of an earlier text" if found.stale else ""
    return f"- **{hot.share_text}** of {measured.of}{waits} (attached profile{earlier})"


async def _lifetime(server: Server, document: Document, site: Site) -> str:
    """What became of a buffer where a recording of its kernel is there."""
    variant = site.variants[0]
    if site.kind != "buffer" or not server.session.trust.may_execute or variant.stale:
        return ""
    from tilescope_server.explain.lifetime import lifetime

    recording = server.recordings.known(document.snapshot, variant.kernel)
    return "" if recording is None else await asyncio.to_thread(lifetime, recording, site.name)


def _contents(capabilities: types.ClientCapabilities, markdown: str) -> types.MarkupContent:
    text_document = capabilities.text_document
    formats = text_document.hover.content_format if text_document and text_document.hover else None
    if not formats or types.MarkupKind.Markdown in formats:
        return convert.markup(markdown)
    plain = re.sub(r"^```\w*\n|\*\*|`|  $", "", markdown, flags=re.MULTILINE)
    return types.MarkupContent(types.MarkupKind.PlainText, plain)
