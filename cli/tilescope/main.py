"""The `tilescope` command: dispatch, and the one place where errors become messages and exit codes."""

from __future__ import annotations

import errno
import io
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from tilescope_trace.errors import UsageError

from . import bash_words  # noqa: F401 - click knows it from then on
from .lazy import LazyGroup, PipeClosed

CLEAN, FINDINGS, USAGE = 0, 1, 2
INTERNAL, INTERRUPTED, PIPE_CLOSED = 70, 130, 141
"""Exit codes: sysexits.h for our own bugs, 128 + signal number as shells report it for the rest."""

_LAST_STREAM = 2
"""stdin, stdout and stderr are 0 to 2 everywhere."""
_NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO)
_NO_WAY = (errno.ENAMETOOLONG, errno.EACCES, errno.EPERM, errno.ELOOP, errno.ENOTDIR)
"""Why a path that somebody gave cannot even be looked at."""

COMMANDS = {
    "demo": "Show hints, passes and a diff of bundled kernels; no GPU needed",
    "facts": "Show what the compiler makes of the kernels of files",
    "lint": "Check kernel files by rules, for CI",
    "merge": "Put the parts of a lint run together",
    "lock": "Keep golden facts of kernels, and tell what changed",
    "trace": "Record every pass of a kernel's compilation",
    "capture": "Run a program and keep what its kernels are compiled with",
    "profile": "Run a program and write where the time in its kernels goes",
    "view": "Browse a recording, or a kernel file, in the terminal",
    "passes": "List the passes of a recording",
    "show": "Print the IR after a pass, or the generated source",
    "diff": "Show what a pass changed",
    "compare": "Compare two recordings: passes, layouts, generated source",
    "bisect": "Find the pass that introduced or removed something",
    "history": "Follow a Python line or a buffer through the passes",
    "timeline": "Show what a profiler recorded, joined with recordings",
    "report": "Write a recording as a web page, Markdown or pass times",
    "recordings": "List recordings, and remove old ones",
    "layout": "Draw where a layout puts each element of a buffer",
    "lsp": "Serve an editor: hints, hovers and diagnostics",
    "doctor": "Check what works on this machine and what is missing",
    "schema": "Print the JSON schemas of the outputs",
    "completion": "Print the completion script of a shell",
}

EPILOG = """\b
Examples:
  tilescope demo
  tilescope facts kernel.py
  tilescope facts kernel.py --set M=4096 --target cuda:sm_80 --format json
  tilescope trace kernel.py -o gemm.tscope
  tilescope diff gemm.tscope --pass LayoutInference
  tilescope view kernel.py


\b
Exit codes:
  0  clean
  1  findings, or a kernel that does not compile
  2  bad usage or unreadable input
"""


@click.group(
    cls=LazyGroup,
    commands_by_name=COMMANDS,
    invoke_without_command=True,
    epilog=EPILOG,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.version_option(package_name="tilescope", message="%(prog)s %(version)s")
@click.pass_context
def cli(ctx: click.Context) -> None:
    """See what the TileLang compiler makes of a kernel: in the editor, pass by pass, and in CI."""
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line (``sys.argv`` by default); the exit code. Nothing but KeyboardInterrupt at a very bad
    moment leaves it as an exception, unless TILESCOPE_DEBUG is set."""
    _secure_output()
    try:
        code: Any = cli.main(args=arguments, prog_name="tilescope", standalone_mode=False)
        sys.stdout.flush()
    except click.UsageError as error:
        command = error.ctx.command_path if error.ctx else "tilescope"
        return _say(f"{command}: {error.format_message()}\nTry '{command} --help'.")
    except click.ClickException as error:
        return _say(f"tilescope: {error.format_message()}")
    except UsageError as error:
        return _say(f"tilescope: {error}")
    except (KeyboardInterrupt, click.Abort):
        return INTERRUPTED
    except (PipeClosed, BrokenPipeError):
        _discard_output()
        return PIPE_CLOSED
    except Exception as error:
        if isinstance(error, OSError) and error.errno in _NO_ROOM:
            _discard_output()
            return _say(f"tilescope: the output cannot be written: {error.strerror}")
        if isinstance(error, OSError) and error.errno in _NO_WAY and error.filename:
            return _say(f"tilescope: {error.filename}: {error.strerror}")
        if os.environ.get("TILESCOPE_DEBUG"):
            raise
        return _internal(error)
    return code if isinstance(code, int) else CLEAN


def _secure_output() -> None:
    """Make sure that there are streams to write to, and that no character of a kernel file can fail on them."""
    # Whatever is opened first would get the number of a closed stream, and be taken for it.
    while (number := os.open(os.devnull, os.O_RDWR)) <= _LAST_STREAM:
        os.set_inheritable(number, True)
    os.close(number)
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:
            setattr(sys, name, Path(os.devnull).open("w", encoding="utf-8"))  # noqa: SIM115 - it lives as long as we do
        elif isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def _say(message: str) -> int:
    click.echo(message, err=True)
    return USAGE


def _discard_output() -> None:
    """Point stdout at nothing: the interpreter flushes it once more at exit, into a pipe that nobody reads."""
    nothing = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nothing, sys.stdout.fileno())
    os.close(nothing)


def _internal(error: Exception) -> int:
    from .crash import keep

    click.echo(f"tilescope: internal error: {type(error).__name__}: {error}\n{keep(error)}", err=True)
    return INTERNAL
