"""The browser in a web page of this machine, by textual-serve.

Only this machine can reach it, and only a page that came from it: any other page that the reader has open could
otherwise talk to the address and press keys here. The page asks no other server for anything.
"""

from __future__ import annotations

import shlex
import sys
from collections.abc import Awaitable, Callable, Sequence

from tilescope_trace.errors import UsageError

HOST = "127.0.0.1"
_POLICY = (
    "default-src 'none'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; "
    "font-src 'self' data:; connect-src 'self' ws://{address}; frame-ancestors 'none'; base-uri 'none'"
)


def serve(arguments: Sequence[str], port: int, title: str, say: Callable[[str], None]) -> int:
    """Runs ``tilescope view ARGUMENTS`` for each page that is opened, until it is interrupted. Raises UsageError
    where textual-serve is not installed or the port is taken."""
    try:
        from aiohttp import web
        from textual_serve.server import Server
    except ImportError:
        raise UsageError("--serve needs textual-serve: pip install 'tilescope[serve]'") from None

    address = f"{HOST}:{port}"
    own = {address, f"localhost:{port}"}

    @web.middleware
    async def only_own(
        request: web.Request, handler: Callable[[web.Request], Awaitable[web.StreamResponse]]
    ) -> web.StreamResponse:
        origin = request.headers.get("Origin")
        if request.host not in own or (origin is not None and origin not in {f"http://{one}" for one in own}):
            raise web.HTTPForbidden(text="tilescope answers pages of its own only")
        return await handler(request)

    async def guard(_request: web.Request, response: web.StreamResponse) -> None:
        response.headers["Content-Security-Policy"] = _POLICY.format(address=address)

    class LocalServer(Server):
        async def _make_app(self) -> web.Application:
            app = await super()._make_app()
            app.middlewares.append(only_own)
            app.on_response_prepare.append(guard)
            return app

        def initialize_logging(self) -> None:
            """Nothing is written to the terminal but where the page is."""

        async def on_startup(self, _app: web.Application) -> None:
            say(f"{title}: http://{address} (Ctrl-C ends)")

    command = shlex.join([sys.executable, "-m", "tilescope", "view", *arguments])
    try:
        LocalServer(command, host=HOST, port=port, title=title).serve()
    except OSError as error:
        raise UsageError(
            f"port {port} cannot be used: {error.strerror or error}; choose another with --port"
        ) from None
    return 0
