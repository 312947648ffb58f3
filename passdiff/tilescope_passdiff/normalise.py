"""What a diff may count as equal, where asked: renumbered names, other indentation.

A printer numbers equal names (``v``, ``v_1``, ``v_2``), and one name more shifts all after it; a block put around
others indents them. Off unless asked for: with it, two names that differ in nothing but their number look alike.
"""

from __future__ import annotations

import re
from collections.abc import Callable

Key = Callable[[str], str]
"""What two lines are compared by."""

_LAUNCHED = re.compile(r"""^\s*(\w+)(?:: T\.int32)? = T\.launch_thread(?:_idx)?\(("?[\w.]+"?)""", re.MULTILINE)
_USUAL = {
    **{f'"blockIdx.{axis}"': f"b{axis}" for axis in "xyz"},
    **{f'"threadIdx.{axis}"': f"t{axis}" for axis in "xyz"},
    **{str(number): f"t{axis}" for number, axis in enumerate("xyz")},
}
_NUMBERED = re.compile(r"""("(?:[^"\\]|\\.)*")|\b([^\W\d]\w*?)(?:_\d+)+\b""")

_CONSTANT = re.compile(
    r"""("(?:[^"\\]|\\.)*")|(?<![\w.])(?:0[xX][\da-fA-F]+(?:\.[\da-fA-F]*)?(?:[pP][+-]?\d+)?|\d+\.?\d*(?:[eE][+-]?\d+)?)[fFuUlL]*\b"""
)


def without_numbers(line: str) -> str:
    """``line`` with the numbers at the ends of names left out, for use as ``key`` of ``lines.diff``; string literals
    stay (``"sm_80"`` is no numbered name)."""
    return _NUMBERED.sub(lambda found: found[1] or found[2], line)


def without_constants(line: str) -> str:
    """``line`` with 0 for every number: extents, offsets, factors. Those inside of names, types and strings stay, as
    they make other types and other instructions (``float16x4``, ``"m64n128k16"``)."""
    return _CONSTANT.sub(lambda found: found[1] or "0", line)


def with_launch_names(text: str) -> str:
    """``text`` with the launch dimensions under their usual names (``tx``, ``by``): the compiler renames a variable
    that passes through a macro, in all texts of the lowering."""
    names = {
        name: usual
        for name, dimension in _LAUNCHED.findall(text)
        if (usual := _USUAL.get(dimension)) is not None and usual != name
    }
    if not names:
        return text
    named = re.compile(rf"(?<![.\w])(?:{'|'.join(names)})\b")
    return named.sub(lambda found: names[found[0]], text)


def key_of(*, hide_renumbering: bool = False, hide_indentation: bool = False) -> Key | None:
    """What lines are compared by; None for the lines as they are."""
    if hide_renumbering and hide_indentation:
        return lambda line: without_numbers(line.strip())
    if hide_renumbering:
        return without_numbers
    return str.strip if hide_indentation else None
