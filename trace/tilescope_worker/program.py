"""A module executed so that a statement which fails costs only what it defines."""

from __future__ import annotations
import __future__

import ast
import types
from collections.abc import Callable
from typing import Any

from .compat import intercept_compiles


class Program:
    """The statements of a module. A statement that raises costs only what it defines."""

    def __init__(self, path: str, module: ast.Module) -> None:
        self._path = path
        self._body = module.body
        self._flags = 0
        for node in module.body:
            if isinstance(node, ast.ImportFrom) and node.module == "__future__":
                for alias in node.names:
                    self._flags |= getattr(getattr(__future__, alias.name, None), "compiler_flag", 0)
        self._code = self._compiled(0)

    def run(self, namespace: dict[str, Any], offer: Callable[[BaseException], bool]) -> BaseException | None:
        """Execute them; the first error that ``offer`` does nothing about is returned."""
        first: BaseException | None = None
        start, code = 0, self._code
        while (error := _error_of(code, namespace)) is not None:
            at = self._failing(error, code, start)
            if offer(error):
                start = at
            else:
                first = first or error
                start = at + 1
            code = self._compiled(start)
        return first

    def _compiled(self, start: int) -> types.CodeType:
        rest = ast.Module(self._body[start:], [])
        code: types.CodeType = compile(rest, self._path, "exec", flags=self._flags, dont_inherit=True)
        return code

    def _failing(self, error: BaseException, code: types.CodeType, start: int) -> int:
        """Index of the statement that raised; the last one where that cannot be told."""
        link = error.__traceback__
        while link is not None and link.tb_frame.f_code is not code:
            link = link.tb_next
        line = link.tb_lineno if link is not None else None
        for index in range(start, len(self._body)):
            node = self._body[index]
            first = min([node.lineno, *(one.lineno for one in getattr(node, "decorator_list", ()))])
            if line is not None and first <= line <= (node.end_lineno or node.lineno):
                return index
        return len(self._body)


def _error_of(code: types.CodeType, namespace: dict[str, Any]) -> BaseException | None:
    try:
        with intercept_compiles():
            exec(code, namespace)
    except BaseException as error:  # noqa: BLE001 - user code may raise anything, SystemExit too; it is the answer
        return error
    return None
