"""`tilescope lsp`: the language server."""

from __future__ import annotations

import click

from tilescope.options import format_option

EPILOG = """\b
Examples:
  tilescope lsp --stdio
  tilescope lsp --tcp 127.0.0.1:8765
"""


@click.command(epilog=EPILOG)
@click.option("--stdio", is_flag=True, help="Speak over standard input and output (the default).")
@click.option("--tcp", metavar="HOST:PORT", help="Wait for one client on this address.")
@format_option
def command(stdio: bool, tcp: str | None, output_format: str) -> int:
    """Serve an editor: hints, hovers and diagnostics.

    Nothing in a workspace is executed unless the client sends {"trusted": true} in its initializationOptions.
    """
    if stdio and tcp:
        raise click.UsageError("give either --stdio or --tcp HOST:PORT")
    if output_format == "json":
        raise click.UsageError("lsp always speaks JSON-RPC; it has no other output")
    address = None if tcp is None else _address(tcp)
    from tilescope_server.app import serve

    return serve(address or "stdio")


def _address(text: str) -> tuple[str, int]:
    host, separator, port = text.rpartition(":")
    if not separator or not port.isdecimal() or int(port) > 65535:
        raise click.UsageError(f"--tcp {text}: expected HOST:PORT, for example 127.0.0.1:8765")
    return host.strip("[]") or "127.0.0.1", int(port)
