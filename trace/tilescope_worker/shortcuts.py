"""Work that TileLang's front end does again and again, or for nobody: left out while a job is answered.

Of each kernel, and of each function of its own library that a lowering pass builds IR with, the front end finds the
source four times, tokenizing the file each time, and writes out the source that it has rewritten, at which nobody
looks unless something fails.
"""

from __future__ import annotations

import ast
import functools
import importlib
import inspect
import types
from collections import UserString
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import Any
from unittest.mock import patch

_REWRITING = "tilelang.language.eager.ast"
_BLOCKS = 256
"""Functions whose source is remembered; of its own library, a lowering takes some twenty."""


class Unparsed(UserString):
    """The source of a syntax tree, written when somebody looks at it."""

    def __init__(self, seq: object) -> None:
        if isinstance(seq, ast.AST):
            self._tree = seq
        else:
            super().__init__(seq)

    def __getattr__(self, name: str) -> Any:
        if name != "data":
            raise AttributeError(name)
        self.data = ast.unparse(self._tree)
        return self.data


@contextmanager
def shortcuts() -> Iterator[None]:
    """Leave that work out within; nothing else is different."""
    with ExitStack() as stack:
        stack.enter_context(patch.object(inspect, "getblock", _getblock))
        try:
            rewriting = importlib.import_module(_REWRITING)
        except ImportError:
            rewriting = None
        if getattr(rewriting, "ast", None) is ast:
            stack.enter_context(patch.object(rewriting, "ast", _without_unparsing()))
        yield


_original: Callable[[list[str]], list[str]] = inspect.getblock


@functools.lru_cache(_BLOCKS)
def _block(lines: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(_original(list(lines)))


def _getblock(lines: list[str]) -> list[str]:
    return list(_block(tuple(lines)))


@functools.cache
def _without_unparsing() -> types.ModuleType:
    module = types.ModuleType(ast.__name__)
    vars(module).update(vars(ast))
    vars(module)["unparse"] = lambda tree: Unparsed(tree) if isinstance(tree, ast.Module) else ast.unparse(tree)
    return module
