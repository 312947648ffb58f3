"""workspace/didChangeWatchedFiles: modules, configurations and captured files that documents depend on."""

from __future__ import annotations

import asyncio
import os
from functools import partial
from typing import TYPE_CHECKING

from lsprotocol import types

from tilescope_server.freshness import relied_on, watched
from tilescope_server.polling import poll
from tilescope_server.session import path_of

if TYPE_CHECKING:
    from tilescope_server.app import Server

REGISTRATION = "tilescope-watched-files"
ANSWER_SECONDS = 30.0
"""How long a client may take to answer before files are looked at without it."""


def register(server: Server) -> None:
    server.on(types.WORKSPACE_DID_CHANGE_WATCHED_FILES, partial(did_change_watched_files, server))


def did_change_watched_files(server: Server, params: types.DidChangeWatchedFilesParams) -> None:
    changed = [path_of(event.uri, None) for event in params.changes if event.uri.startswith("file:")]
    server.changed_on_disk(changed)


async def watch(server: Server) -> None:
    """Have the client tell of changed files; look ourselves where it cannot, and outside of its folder. Ends when it
    is cancelled."""
    told = await _asked(server)
    root = os.path.realpath(server.session.root) + os.sep if told and server.session.root is not None else None

    def untold() -> set[str]:
        files = relied_on(server.session, server.modules)
        return {file for file in files if root is None or not os.path.realpath(file).startswith(root)}

    await poll(untold, server.changed_on_disk)


async def _asked(server: Server) -> bool:
    workspace = server.client_capabilities.workspace
    watching = workspace.did_change_watched_files if workspace else None
    if watching is None or not watching.dynamic_registration:
        return False
    options = types.DidChangeWatchedFilesRegistrationOptions([types.FileSystemWatcher(glob) for glob in watched()])
    method = types.WORKSPACE_DID_CHANGE_WATCHED_FILES
    registration = types.Registration(REGISTRATION, method, options)
    try:
        asked = server.client_register_capability_async(types.RegistrationParams([registration]))
        await asyncio.wait_for(asked, ANSWER_SECONDS)
    except Exception:  # noqa: BLE001 - a client that refuses has promised too much; then we look ourselves
        return False
    return True
