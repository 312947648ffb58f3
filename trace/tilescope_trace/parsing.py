"""Python's parser for several threads.

CPython (3.11 among others) counts the depth of the tree that it builds once for the whole interpreter, so that two
threads which parse at a time now and then get a SystemError: "AST constructor recursion depth mismatch".
"""

from __future__ import annotations

import ast
import threading

_ONE_AT_A_TIME = threading.RLock()


def parse(text: str | bytes) -> ast.Module:
    """`ast.parse`, and what it raises."""
    with _ONE_AT_A_TIME:
        return ast.parse(text)
