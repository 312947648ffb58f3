"""Lists and dicts that a method changes in place."""

from __future__ import annotations

import ast

from .call_arguments import Arguments
from .values import UNKNOWN, Value

_READING = ("items", "keys", "values", "get", "index", "count", "copy")


def change(call: ast.expr, base: list[Value] | dict[Value, Value], given: Arguments, *, certain: bool) -> bool:
    """Change a list or dict as its method does; False where it is not known what becomes of it."""
    if not (isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute)):
        return False
    name = call.func.attr
    if name in _READING:
        return True
    if not certain or given.opaque or any(holds(value, base) for value in (*given.args, *given.kwargs.values())):
        return False
    first = given.args[0] if given.args else UNKNOWN
    if isinstance(base, list) and name == "append" and given.args:
        base.append(first)
    elif isinstance(base, list) and name == "extend" and isinstance(first, (list, tuple)):
        base.extend(first)
    elif isinstance(base, dict) and name == "update" and (isinstance(first, dict) or not given.args):
        base.update(first if isinstance(first, dict) else {})
        base.update(given.kwargs)
    else:
        return False
    return True


def holds(value: Value, container: Value) -> bool:
    """Whether a value is a container or holds it, which must not come to hold itself."""
    if value is container:
        return True
    if isinstance(value, dict):
        return any(holds(item, container) for item in value.values())
    return isinstance(value, (tuple, list)) and any(holds(item, container) for item in value)
