"""Which functions of a file may lead to a call of its kernels, told from the words in their text."""

from __future__ import annotations

import ast
import re
from collections.abc import Collection

from .per_node import per_node
from .syntax import statements
from .tolerant import Parsed

_WORD = re.compile(r"[^\W\d]\w*")


def leading(parsed: Parsed, wanted: Collection[str]) -> set[str]:
    """The names of the functions and classes whose text names one of ``wanted``, or another one that leads there."""
    words: dict[str, set[str]] = {}
    for statement in parsed.tree.body:
        words.update(_words(statement, parsed))
    found = set(wanted)
    while new := {name for name, used in words.items() if name not in found and used & found}:
        found |= new
    return found


@per_node
def _words(statement: ast.stmt, parsed: Parsed) -> dict[str, set[str]]:
    """The words in each function and class of a statement, by its name."""
    return {
        node.name: set(
            _WORD.findall(
                "\n".join(parsed.lines[parsed.line(node.lineno) - 1 : parsed.line(node.end_lineno or node.lineno)])
            )
        )
        for node in statements((statement,))
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef))
    }


def exported(parsed: Parsed, wanted: Collection[str]) -> set[str]:
    """What other files may import of it that leads to one of ``wanted``: functions, classes and other names at module
    level."""
    lead = leading(parsed, wanted)
    found: set[str] = set()
    for node in parsed.tree.body:
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            found |= {node.name} & lead
        elif isinstance(node, ast.Assign) and lead & set(_WORD.findall(parsed.source(node.value))):
            found |= {target.id for target in node.targets if isinstance(target, ast.Name)}
    return found
