"""The reader's own editor, opened at a line."""

from __future__ import annotations

import shlex
import shutil
from collections.abc import Mapping
from pathlib import Path

from tilescope_trace.errors import UsageError

_COLON = {"hx", "helix", "subl", "zed", "micro", "kak"}
_GOTO = {"code", "codium", "code-insiders", "cursor", "windsurf"}


def editor_command(environment: Mapping[str, str], path: Path, line: int) -> list[str]:
    """The command that opens ``path`` at ``line`` (1-based) in $VISUAL or $EDITOR. Raises UsageError where neither
    names a program that is there."""
    wanted = environment.get("VISUAL") or environment.get("EDITOR")
    if not wanted:
        raise UsageError("no editor is known: set EDITOR, for example EDITOR=vim")
    try:
        words = shlex.split(wanted)
    except ValueError as error:
        raise UsageError(f"EDITOR={wanted}: {error}") from None
    if not words or shutil.which(words[0]) is None:
        raise UsageError(f"EDITOR={wanted}: there is no such program")
    name = Path(words[0]).stem.lower()
    if name in _GOTO:
        return [*words, "--goto", f"{path}:{line}"]
    if name in _COLON:
        return [*words, f"{path}:{line}"]
    # vi, vim, nvim, nano, emacs, emacsclient, kate and most others.
    return [*words, f"+{line}", str(path)]
