"""`tilescope completion`: completion of commands, options and their values in a shell."""

from __future__ import annotations

import click
from click.shell_completion import get_completion_class

from tilescope_trace.errors import UsageError

SHELLS = ("bash", "zsh", "fish")
VARIABLE = "_TILESCOPE_COMPLETE"

EPILOG = """\b
Examples:
  eval "$(tilescope completion bash)"       in ~/.bashrc (bash 4.4 and later)
  eval "$(tilescope completion zsh)"        in ~/.zshrc, below compinit
  tilescope completion fish > ~/.config/fish/completions/tilescope.fish
"""


@click.command(epilog=EPILOG)
@click.argument("shell", type=click.Choice(SHELLS))
@click.pass_context
def command(ctx: click.Context, shell: str) -> int:
    """Print the script that makes a shell complete tilescope's commands, options, targets and passes."""
    completion = get_completion_class(shell)
    if completion is None:
        raise UsageError(f"completion {shell}: this version of click has no completion for it")
    click.echo(completion(ctx.find_root().command, {}, "tilescope", VARIABLE).source())
    return 0
