"""Compiler warnings that are only printed: from captured output to Failures of severity ``warning``."""

from __future__ import annotations

import re

from .wire.messages import Failure

_BLOCK = re.compile(
    r"^\[\d\d:\d\d:\d\d\][^\n]*?: Warning: (?P<title>[^\n]*)\n(?P<body>.*?)(?=^\[\d\d:\d\d:\d\d\]|\Z)",
    re.MULTILINE | re.DOTALL,
)
_ENTRY = re.compile(
    r"^\s*\[\d+\] (?P<what>[^\n]*)\n\s*-->\s+(?P<file>.+?):(?P<line>\d+)(?::\d+)?[ \t]*$", re.MULTILINE
)
_PLACE = re.compile(r"^\s*-->\s+(?P<file>.+?):(?P<line>\d+)(?::\d+)?[ \t]*$", re.MULTILINE)


def warnings_in(output: str, request: int) -> tuple[Failure, ...]:
    """The located warnings in what the compiler printed, each once, in order. Columns are left out: the compiler
    always says 1."""
    found: dict[tuple[str, int, str], Failure] = {}
    for block in _BLOCK.finditer(output):
        for entry in list(_ENTRY.finditer(block["body"])) or list(_PLACE.finditer(block["body"])):
            message = entry.groupdict().get("what") or block["title"]
            file, line = entry["file"], int(entry["line"])
            found.setdefault(
                (file, line, message),
                Failure(
                    request=request,
                    phase="lower",
                    severity="warning",
                    exception="Warning",
                    message=message,
                    text=f"{block['title']}\n{block['body']}".strip(),
                    file=file,
                    line=line,
                ),
            )
    return tuple(found.values())
