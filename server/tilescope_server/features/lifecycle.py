"""initialize, initialized, shutdown."""

from __future__ import annotations

import asyncio
import importlib
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from lsprotocol import types

from tilescope_server import garbage, settings, trust
from tilescope_server.session import Session, path_of

from . import diagnostics, inlay_hint, log, status, watching
from . import settings as settings_feature

if TYPE_CHECKING:
    from tilescope_server.app import Server


def register(server: Server) -> None:
    server.on(types.INITIALIZE, partial(initialize, server))
    server.on(types.INITIALIZED, partial(initialized, server))
    server.on(types.SHUTDOWN, partial(shutdown, server))


def initialize(server: Server, params: types.InitializeParams) -> None:
    chosen, problems = settings.read(params.initialization_options)
    server.problems = problems
    log.configure(server, chosen.log)
    server.client_name = params.client_info.name if params.client_info is not None else ""
    diagnostics.register_pull(server)
    inlay_hint.register_answer(server)
    server.begin(Session(chosen, trust.decide(chosen), _root(params)))


async def initialized(server: Server, _: types.InitializedParams) -> None:
    for problem in server.problems:
        server.window_log_message(types.LogMessageParams(types.MessageType.Warning, f"tilescope: {problem}"))
    status.report(server, None)
    server.watching = asyncio.create_task(watching.watch(server))
    server.spawn(settings_feature.follow(server))
    # The first document should not wait for these imports; they hold no lock that the loop needs for long.
    for module in ("tilescope_trace.source.plan", "tilescope_trace.config.read", "tilescope_server.problems"):
        await asyncio.to_thread(importlib.import_module, module)
    garbage.keep_modules()


def shutdown(server: Server, _: None) -> None:
    """Not awaited: an exit notification may already wait in the same packet, and the way out waits for the end."""
    server.left_properly = True
    server.end()


def _root(params: types.InitializeParams) -> Path | None:
    uris = [folder.uri for folder in params.workspace_folders or ()]
    if not uris and params.root_uri:
        uris = [params.root_uri]
    if uris and uris[0].startswith("file:"):
        return Path(path_of(uris[0], None))
    return Path(params.root_path) if params.root_path else None
