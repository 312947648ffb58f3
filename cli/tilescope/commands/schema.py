"""`tilescope schema`: the shape of every JSON output, and of the configuration."""

from __future__ import annotations

import click

from tilescope.output import echo, echo_json
from tilescope.schemas import SCHEMAS
from tilescope_trace.errors import UsageError

EPILOG = """\b
Examples:
  tilescope schema
  tilescope schema facts > facts.schema.json
"""


@click.command(epilog=EPILOG)
@click.argument("name", required=False)
@click.option(
    "--format",
    "output_format",
    type=click.Choice(["text", "json"]),
    default="text",
    show_default=True,
    help="Form of the list of names; a schema is always JSON.",
)
def command(name: str | None, output_format: str) -> int:
    """Print the JSON schema of an output or of the configuration, or the names of all.

    An output named facts carries "schema": "tilescope.facts/1"; the number grows when a reader would break.
    """
    if name is not None:
        if name not in SCHEMAS:
            raise UsageError(f"there is no schema {name!r}; there are {', '.join(SCHEMAS)}")
        echo_json(SCHEMAS[name]())
    elif output_format == "json":
        echo_json({"schema": "tilescope.schema/1", "names": list(SCHEMAS)})
    else:
        echo("\n".join(SCHEMAS))
    return 0
