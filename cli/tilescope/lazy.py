"""A command group that imports a command's module only when that command runs."""

from __future__ import annotations

import difflib
import importlib
from collections.abc import Mapping
from typing import Any

import click
from click.shell_completion import CompletionItem


class PipeClosed(Exception):  # noqa: N818 - not a fault: the reader has seen enough
    """Whoever read our output went away."""


class LazyGroup(click.Group):
    """``commands_by_name`` maps names to one-line help; a command is ``tilescope.commands.NAME.command``."""

    def __init__(self, *args: Any, commands_by_name: Mapping[str, str], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.commands_by_name = commands_by_name

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        """Names in the order of the table, which is the order of first use."""
        return list(self.commands_by_name)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        """The command, imported now."""
        if cmd_name not in self.commands_by_name:
            return None
        command: click.Command = importlib.import_module(f"tilescope.commands.{cmd_name}").command
        command.name = cmd_name
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        """The list of commands from the table, so that help imports none of them."""
        with formatter.section("Commands"):
            formatter.write_dl(list(self.commands_by_name.items()))

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """Names and help from the table: completion imports no command either."""
        names = {name: text for name, text in self.commands_by_name.items() if name.startswith(incomplete)}
        options = click.Command.shell_complete(self, ctx, incomplete)
        return [*(CompletionItem(name, help=text) for name, text in names.items()), *options]

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """As in click, but a misspelt name is answered with the nearest ones."""
        name = args[0] if args else ""
        if name and not name.startswith("-") and name not in self.commands_by_name:
            near = difflib.get_close_matches(name, self.commands_by_name, n=2)
            hint = f"did you mean {' or '.join(near)}?" if near else "tilescope --help lists the commands."
            ctx.fail(f"there is no command '{name}'; {hint}")
        return super().resolve_command(ctx, args)

    def invoke(self, ctx: click.Context) -> Any:
        """As in click, but a closed pipe reaches ``main``: click itself would exit with 1, which means findings."""
        try:
            return super().invoke(ctx)
        except BrokenPipeError:
            raise PipeClosed from None
