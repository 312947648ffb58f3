"""The arguments of a call, and who is told of calls."""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Protocol

from .values import Class, Function, Outcome, Value


@dataclass(frozen=True)
class Arguments:
    """The evaluated arguments of a call; ``opaque`` when an unknown ``*args`` or ``**kwargs`` is among them."""

    args: tuple[Value, ...] = ()
    kwargs: dict[str, Value] = field(default_factory=dict)
    opaque: bool = False


class Called(Protocol):
    """What is to happen when a function or class of the workspace, or what such a call gave, is called."""

    def __call__(self, node: ast.expr, target: Function | Outcome | Class, given: Arguments, /) -> Value: ...


Compiled = Callable[[ast.Call, Function | Outcome, Arguments], None]
"""What is to happen when a function, or what a call of one gave, is compiled."""
