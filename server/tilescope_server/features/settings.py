"""workspace/didChangeConfiguration and workspace/configuration: settings that change while the server runs; and
tilescope/trust, with which the client says that the workspace may be executed from now on."""

from __future__ import annotations

import logging
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from lsprotocol import types

from tilescope_server import settings

from . import log as logging_feature

if TYPE_CHECKING:
    from tilescope_server.app import Server

log = logging.getLogger(__name__)

SECTION = "tilescope"
TRUST = "tilescope/trust"
REGISTRATION = "tilescope-settings"


def register(server: Server) -> None:
    server.on(types.WORKSPACE_DID_CHANGE_CONFIGURATION, partial(did_change_configuration, server))
    server.on(TRUST, partial(trust, server))


async def follow(server: Server) -> None:
    """Have the client tell of changed settings, where it has to be asked for that."""
    workspace = server.client_capabilities.workspace
    changes = workspace.did_change_configuration if workspace else None
    if changes is None or not changes.dynamic_registration:
        return
    method = types.WORKSPACE_DID_CHANGE_CONFIGURATION
    options = types.DidChangeConfigurationRegistrationOptions(SECTION)
    registration = types.Registration(REGISTRATION, method, options)
    try:
        await server.client_register_capability_async(types.RegistrationParams([registration]))
    except Exception as error:  # noqa: BLE001 - a client that refuses has promised too much
        log.info("the client does not tell of changed settings: %s", error)


async def did_change_configuration(server: Server, params: types.DidChangeConfigurationParams) -> None:
    """What was sent with the change, else what the client answers when it is asked."""
    sent: Any = params.settings
    found = sent.get(SECTION) if isinstance(sent, dict) else getattr(sent, SECTION, None)
    workspace = server.client_capabilities.workspace
    if found is None and workspace is not None and workspace.configuration:
        asked = types.ConfigurationParams([types.ConfigurationItem(section=SECTION)])
        answer = await server.workspace_configuration_async(asked)
        found = next(iter(answer or ()), None)
    if found is None:
        return
    chosen, problems = settings.read(_plain(found), SECTION)
    for problem in problems:
        log.warning("%s", problem)
    # Whether code may be executed is for the client to say, not for a file of settings.
    adopt(server, replace(chosen, trusted=server.session.settings.trusted))


def trust(server: Server, params: Any) -> None:
    """The workspace is trusted from now on: what is open is compiled in place."""
    trusted = params.get("trusted") if isinstance(params, dict) else getattr(params, "trusted", None)
    if trusted is True and not server.session.trust.may_execute:
        server.grant()


def adopt(server: Server, chosen: settings.Settings) -> None:
    """Go on with other settings."""
    before = server.session.settings
    if chosen == before:
        return
    if chosen.log != before.log:
        logging_feature.configure(server, chosen.log)
    server.adopt(chosen)


def _plain(value: Any) -> Any:
    """JSON values, of which the protocol library may have made objects."""
    if hasattr(value, "_asdict"):
        value = value._asdict()
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    return value
