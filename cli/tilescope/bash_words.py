"""Completion in bash, which takes words apart at ``:`` and ``=`` where we have names like ``cuda:sm_90a``."""

from __future__ import annotations

import os
from typing import Any

from click.shell_completion import BashComplete, CompletionItem, add_completion_class, split_arg_string

_SCRIPT = """\
%(complete_func)s() {
    local IFS=$'\\n'
    local completion response type value

    response=$(env COMP_LINE="${COMP_LINE:0:COMP_POINT}" COMP_WORDBREAKS="$COMP_WORDBREAKS" \\
        %(complete_var)s=bash_complete "$1")

    for completion in $response; do
        IFS=',' read type value <<< "$completion"

        if [[ $type == 'dir' ]]; then
            COMPREPLY=()
            compopt -o dirnames
        elif [[ $type == 'file' ]]; then
            COMPREPLY=()
            compopt -o default
        elif [[ $type == 'plain' ]]; then
            COMPREPLY+=($value)
        fi
    done

    return 0
}

complete -o nosort -F %(complete_func)s %(prog_name)s
"""


class BashLine(BashComplete):
    """Reads the line up to the cursor instead of bash's words, and answers with what bash replaces: the part of a
    word behind its last ``:``."""

    source_template = _SCRIPT

    def get_completion_args(self) -> tuple[list[str], str]:
        """The complete words, and the one that the cursor stands in or behind, empty after a blank."""
        if "COMP_LINE" not in os.environ:
            return super().get_completion_args()
        # With one character more there is a last word, whatever stands before the cursor.
        *words, last = split_arg_string(os.environ["COMP_LINE"] + "x")
        return words[1:], last[:-1]

    def format_completion(self, item: CompletionItem[Any]) -> str:
        """The item without what bash leaves alone."""
        text = super().format_completion(item)
        kind, _, value = text.partition(",")
        _, incomplete = self.get_completion_args()
        typed = incomplete.rpartition("=")[2] if incomplete.startswith("-") else incomplete
        if ":" not in typed or ":" not in os.environ.get("COMP_WORDBREAKS", ""):
            return text
        left = typed[: typed.rindex(":") + 1]
        return f"{kind},{value[len(left) :]}" if value.casefold().startswith(left.casefold()) else text


add_completion_class(BashLine)
