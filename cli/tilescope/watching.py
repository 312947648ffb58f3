"""`tilescope lint --watch`: the same run again whenever a file has changed."""

from __future__ import annotations

import asyncio
import functools
import sys
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import NoReturn

import click

from tilescope_server.lint.collect import shown_name
from tilescope_server.lint.formats.wording import counted
from tilescope_server.lint.model import Source
from tilescope_server.lint.watch import changed, folders_of, stamps
from tilescope_trace.config.apply import is_excluded
from tilescope_trace.config.read import config_for
from tilescope_trace.errors import UsageError

MOST_NAMED = 3


async def watch(
    paths: Sequence[Path],
    sources: Sequence[Source],
    again: Callable[[], Sequence[Source]],
    once: Callable[[Sequence[Source]], Awaitable[object]],
    say: Callable[[str], None],
) -> NoReturn:
    """Run ``once`` with the sources that ``again`` reads, now and after each change; only an interrupt ends it.

    What does not depend on a change comes from the cache of results. Raises UsageError where the first run does; a
    later one (a configuration that is being edited) is told, and the next change is waited for.
    """
    first = True
    while True:
        folders = folders_of(paths, sources)
        look = functools.partial(stamps, folders, [source.path for source in sources], _excluded)
        # Looked at before they are read: what is written meanwhile counts as a change.
        before = await asyncio.to_thread(look)
        try:
            sources = await asyncio.to_thread(again)
            await once(sources)
        except UsageError as error:
            if first:
                raise
            say(str(error))
        first = False
        say(f"watching {counted(len(sources), 'file')}, Ctrl-C ends")
        what = await changed(look, before)
        if sys.stdout.isatty():
            click.clear()
        names = [shown_name(Path(path)) for path in what[:MOST_NAMED]]
        say(f"changed: {', '.join(names)}{f' and {len(what) - MOST_NAMED} more' if len(what) > MOST_NAMED else ''}")


def _excluded(path: str) -> bool:
    return is_excluded(config_for(path).config, path)
