"""pygls' protocol with some of its habits changed."""

from __future__ import annotations

import logging
from collections.abc import Generator
from dataclasses import dataclass
from typing import Any

import attrs
from lsprotocol import converters, types
from pygls.exceptions import JsonRpcException
from pygls.protocol import (
    JsonRPCNotification,
    JsonRPCRequestMessage,
    JsonRPCResponseMessage,
    LanguageServerProtocol,
    lsp_method,
)

from tilescope_server.garbage import Breaks

from .mistakes import reason

log = logging.getLogger(__name__)

REFUSED = object()
"""Instead of a message that has been answered with an error already."""


@dataclass(frozen=True)
class AsJson:
    """The result of a request as JSON, to be sent as it is: making protocol objects of many small things and JSON of
    these again takes longer than finding out what to say."""

    value: Any


def plain_converter() -> Any:
    """Leaves the parameters of methods that the protocol does not define as the JSON they are: pygls makes objects of
    them, whose attributes cannot be called ``pass``."""
    converter = converters.get_converter()
    for kind in (JsonRPCRequestMessage, JsonRPCResponseMessage, JsonRPCNotification):
        converter.register_structure_hook(kind, _plain)
    return converter


def _plain(message: dict[str, Any], cls: Any) -> Any:
    """Parameters may be absent."""
    return cls(**{field.name: message.get(field.name) for field in attrs.fields(cls)})


class Protocol(LanguageServerProtocol):
    """The session owns the texts, and no request stays without an answer."""

    @lsp_method(types.TEXT_DOCUMENT_DID_OPEN)
    def lsp_text_document__did_open(self, params: Any) -> Generator[Any, Any, None]:
        yield self.fm.features[types.TEXT_DOCUMENT_DID_OPEN], (params,), None

    @lsp_method(types.TEXT_DOCUMENT_DID_CHANGE)
    def lsp_text_document__did_change(self, params: Any) -> Generator[Any, Any, None]:
        # pygls counts lines with str.splitlines, which also splits at form feeds and U+2028: edits go astray.
        yield self.fm.features[types.TEXT_DOCUMENT_DID_CHANGE], (params,), None

    @lsp_method(types.TEXT_DOCUMENT_DID_CLOSE)
    def lsp_text_document__did_close(self, params: Any) -> Generator[Any, Any, None]:
        yield self.fm.features[types.TEXT_DOCUMENT_DID_CLOSE], (params,), None

    @lsp_method(types.NOTEBOOK_DOCUMENT_DID_OPEN)
    def lsp_notebook_document__did_open(self, params: Any) -> Generator[Any, Any, None]:
        yield self.fm.features[types.NOTEBOOK_DOCUMENT_DID_OPEN], (params,), None

    @lsp_method(types.NOTEBOOK_DOCUMENT_DID_CHANGE)
    def lsp_notebook_document__did_change(self, params: Any) -> Generator[Any, Any, None]:
        yield self.fm.features[types.NOTEBOOK_DOCUMENT_DID_CHANGE], (params,), None

    @lsp_method(types.NOTEBOOK_DOCUMENT_DID_CLOSE)
    def lsp_notebook_document__did_close(self, params: Any) -> Generator[Any, Any, None]:
        yield self.fm.features[types.NOTEBOOK_DOCUMENT_DID_CLOSE], (params,), None

    _begun = False

    def __init__(self, server: Any, converter: Any) -> None:
        super().__init__(server, converter)
        self._breaks = Breaks()

    def structure_message(self, data: dict[str, Any]) -> Any:
        """Parameters of a wrong shape: pygls only reports them, and the client would wait for ever."""
        try:
            return super().structure_message(data)
        except JsonRpcException as error:
            why = reason(error.__cause__ or error)
            self._refuse(data.get("id"), str(data.get("method")), types.ErrorCodes.InvalidParams, why)
            return REFUSED

    def handle_message(self, message: Any) -> None:
        """Messages that may not come now are answered, or told in the log."""
        self._breaks.message()
        if message is REFUSED:
            return
        method, identity = getattr(message, "method", None), getattr(message, "id", None)
        nameless = hasattr(message, "method") and not isinstance(method, str)
        unanswerable = hasattr(message, "id") and not isinstance(identity, int | str)
        if not hasattr(message, "jsonrpc") or nameless or unanswerable:
            log.warning("no message of JSON-RPC 2.0, ignored: %.100r", message)
        elif method is not None and method != types.EXIT and self._shutdown:
            self._refuse(identity, method, types.ErrorCodes.InvalidRequest, "the server is shutting down")
        elif method == types.INITIALIZE and self._begun:
            self._refuse(identity, method, types.ErrorCodes.InvalidRequest, "the server is initialized already")
        elif method not in (None, types.INITIALIZE, types.EXIT) and not self._begun:
            self._refuse(identity, method, types.ErrorCodes.ServerNotInitialized, "the server is not initialized")
        else:
            self._begun = self._begun or method == types.INITIALIZE
            super().handle_message(message)

    def _send_response(self, msg_id: Any, result: Any = None, error: Any = None) -> None:
        if error is None and isinstance(result, AsJson):
            self._result_types.pop(msg_id, None)
            self._send_data({"jsonrpc": self.VERSION, "id": msg_id, "result": result.value})
        else:
            super()._send_response(msg_id, result, error)

    def _refuse(self, identity: object, method: str | None, code: types.ErrorCodes, why: str) -> None:
        """Say why a message does nothing: to its sender where it is a request, and in the log."""
        log.warning("%s: %s", method, why)
        if isinstance(identity, int | str):
            self._send_response(identity, error=types.ResponseError(code.value, f"{method}: {why}"))
