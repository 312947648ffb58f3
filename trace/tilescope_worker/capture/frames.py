"""What the stack tells: the arguments of the functions around a definition, and the line of a caller."""

from __future__ import annotations

import functools
import os
import sys
import sysconfig
from types import CodeType, FrameType
from typing import Any

_OWN = os.path.dirname(os.path.abspath(__file__)) + os.sep  # noqa: PTH100, PTH120 - as in bootstrap
_LIBRARY = tuple(
    os.path.join(path, "")  # noqa: PTH118
    for name in ("stdlib", "platstdlib")
    if (path := sysconfig.get_paths().get(name))
)
_VARIADIC = 0x04 | 0x08


@functools.cache
def _is_users(file: str, compiler: str) -> bool:
    if file.startswith((compiler, _OWN, "<")):
        return False
    installed = f"{os.sep}site-packages{os.sep}" in file
    return installed or not file.startswith(_LIBRARY)


def caller(compiler: str) -> tuple[str, int] | None:
    """File and line of the innermost frame that belongs neither to TileLang (in the folder ``compiler``), nor to the
    standard library, nor to us. None in a thread that no such code has started."""
    frame: FrameType | None = sys._getframe(1)
    while frame is not None:
        if _is_users(frame.f_code.co_filename, compiler):
            return frame.f_code.co_filename, frame.f_lineno
        frame = frame.f_back
    return None


def around(function: Any) -> dict[str, Any]:
    """The arguments of the calls within which ``function`` is being defined, by parameter name; those that such a
    call has assigned to are left out, since what was given is not known any more.

    A function encloses another one when the code of the inner one is among its constants.
    """
    levels = getattr(function, "__qualname__", "").count("<locals>")
    child: CodeType | None = getattr(function, "__code__", None)
    found: dict[str, Any] = {}
    frame: FrameType | None = sys._getframe(1)
    while frame is not None and child is not None and levels:
        code = frame.f_code
        if any(constant is child for constant in code.co_consts):
            child = code
            if code.co_flags & 0x02:  # a function's own scope, not the body of a class
                levels -= 1
                found = {**_given(frame), **found}
        frame = frame.f_back
    return found


def _given(frame: FrameType) -> dict[str, Any]:
    code, scope = frame.f_code, frame.f_locals
    names = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
    found = {name: scope[name] for name in names if name in scope and name not in _assigned(code)}
    if names and names[0] in ("self", "cls"):
        owner = found.pop(names[0], None)
        found = {**_of_instance(owner), **found}
    return found


def _of_instance(owner: Any) -> dict[str, Any]:
    """The arguments of an instance's ``__init__`` that it keeps under their own names."""
    code = getattr(getattr(type(owner), "__init__", None), "__code__", None)
    held = getattr(owner, "__dict__", None)
    if code is None or not isinstance(held, dict):
        return {}
    names = code.co_varnames[1 : code.co_argcount + code.co_kwonlyargcount]
    return {name: held[name] for name in names if name in held}


@functools.cache
def _assigned(code: CodeType) -> frozenset[str]:
    import dis

    names: set[str] = set()
    for step in dis.get_instructions(code):
        if step.opname.startswith(("STORE_FAST", "STORE_DEREF")):
            names.update(step.argval if isinstance(step.argval, tuple) else (step.argval,))
    return frozenset(names)
