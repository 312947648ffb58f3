"""Text of users and of the compiler as it may be shown: of bounded length, nothing that a terminal acts on."""

from __future__ import annotations

import dataclasses
import re

from .wire.messages import Event, Failure

MESSAGE = 1 << 10
"""Characters of a message, one line."""
TEXT_END = 8 << 10
"""Characters that are kept at each end of a long text."""
_NAME = 200
_COLOR = re.compile(r"\x1b\[[0-9;]*m")
_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]")


def printable(text: str) -> str:
    """The text with terminal colours taken out and control characters, text direction marks and lone surrogates
    escaped; newlines and tabs stay."""
    text = text.replace("\r\n", "\n").encode("utf-8", "backslashreplace").decode()
    return _CONTROL.sub(_escaped, _COLOR.sub("", text))


def shortened(text: str, end: int = TEXT_END) -> str:
    """A text with only ``end`` characters at each end, where it is longer than both."""
    left_out = len(text) - 2 * end
    return text if left_out <= 0 else f"{text[:end]}\n... {left_out} characters left out ...\n{text[-end:]}"


def one_line(text: str, limit: int = MESSAGE) -> str:
    """A text as one line of at most ``limit`` characters."""
    text = printable(text[: 4 * limit])
    text = text if "\n" not in text else " ".join(text.split())
    return text if len(text) <= limit else f"{text[: limit - 4]} ..."


def presentable(event: Event) -> Event:
    """An event as it may be sent: what a failure says is bounded and printable."""
    if not isinstance(event, Failure):
        return event
    frames = tuple(dataclasses.replace(frame, name=one_line(frame.name, _NAME)) for frame in event.frames)
    return dataclasses.replace(
        event,
        exception=one_line(event.exception, _NAME),
        message=one_line(event.message),
        text=printable(shortened(event.text)),
        frames=frames,
    )


def _escaped(found: re.Match[str]) -> str:
    return found[0].encode("unicode_escape").decode()
