"""Who goes along while statements are gone over, and how these may end."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import Protocol

from .values import Class, Env, Function

ENDS, BREAKS, CONTINUES = 1, 2, 3
"""How a statement leaves what follows it unreached: by return or raise, or for its loop."""


class Follower(Protocol):
    """Who goes along with a flow that follows calls."""

    def defined(self, function: Function) -> None:
        """A function has been defined."""

    def classed(self, kind: Class) -> None:
        """A class has been defined."""

    def untaken(self, body: Sequence[ast.stmt], env: Env, owner: Function | None) -> None:
        """A branch is not taken; ``env`` is what it would have seen."""

    def pass_ended(self, before: int, passes: int) -> bool:
        """The first of a loop's ``passes`` is over, which began when ``mark`` was ``before``: whether to go on."""

    def mark(self) -> int:
        """How far things are."""

    def step(self) -> bool:
        """Whether another pass of a loop may be afforded."""
