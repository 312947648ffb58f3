"""Control characters made visible: a recording may come from anyone, and a terminal obeys what it is sent."""

from __future__ import annotations

_PICTURES = {code: 0x2400 + code for code in range(32) if chr(code) not in "\n\t"}
_VISIBLE = {**_PICTURES, 0x7F: 0x2421, **dict.fromkeys(range(0x80, 0xA0), 0xFFFD)}


def visible(text: str) -> str:
    """``text`` with each control character, but newline and tab, as one character that shows it."""
    return text.translate(_VISIBLE)
