"""The names of a document's text, read beside the loop where that takes long."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from tilescope_server.statics import LARGE

if TYPE_CHECKING:
    from tilescope_server.bindings import Bindings
    from tilescope_server.session import Document


async def names_of(document: Document) -> Bindings:
    """The names of the present text; of an unchanged one they are remembered."""
    from tilescope_server.bindings import bindings_of  # slow to import: not at every start

    text = document.snapshot.text
    if len(text) <= LARGE:
        return bindings_of(text)
    return await asyncio.to_thread(bindings_of, text)
