"""From a line in a macro's body to the calls that brought it into a kernel."""

from __future__ import annotations

import ast


def call_sites(tree: ast.Module, line: int, kernel_line: int) -> list[tuple[str, int]]:
    """(name of the macro, line of its call) for each call on the way from the kernel whose ``def`` stands at
    ``kernel_line`` to ``line``, outermost first; empty where the line is in the kernel itself."""
    functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
    kernel = next((node for node in functions if node.lineno == kernel_line), None)
    found: list[tuple[str, int]] = []
    seen: set[int] = set()
    wanted = _around(functions, line)
    while wanted is not None and kernel is not None and not _holds(kernel, line) and wanted.lineno not in seen:
        seen.add(wanted.lineno)
        calls = [
            (wanted.name, node.lineno)
            for function in functions
            if function is not wanted and (function is kernel or is_macro(function))
            for node in ast.walk(function)
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == wanted.name
        ]
        found = calls + found
        outside = [at for _, at in calls if not _holds(kernel, at)]
        wanted = _around(functions, outside[0]) if outside else None
    return list(dict.fromkeys(found))


def _around(functions: list[ast.FunctionDef], line: int) -> ast.FunctionDef | None:
    holding = [function for function in functions if _holds(function, line)]
    return max(holding, key=lambda function: function.lineno, default=None)


def _holds(function: ast.FunctionDef, line: int) -> bool:
    return function.lineno <= line <= (function.end_lineno or function.lineno)


def is_macro(function: ast.FunctionDef) -> bool:
    """Whether a decorator says so."""
    return any("macro" in ast.unparse(decorator) for decorator in function.decorator_list)
