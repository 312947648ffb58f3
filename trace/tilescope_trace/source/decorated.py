"""Arguments that decorators promise: pytest's cases, click's options."""

from __future__ import annotations

import ast
import math

from .evaluate import Evaluator
from .names import Names
from .parsers_known import click_default
from .values import UNKNOWN, Function, Value


def declared_arguments(function: Function, names: Names, evaluator: Evaluator) -> tuple[dict[str, Value], int, int]:
    """The first values of ``@pytest.mark.parametrize`` and the defaults of ``@click.option``, how many cases there
    are, and the line that says so."""
    found: dict[str, Value] = {}
    counts: list[int] = []
    line = function.node.lineno
    for decorator in getattr(function.node, "decorator_list", ()):
        if not isinstance(decorator, ast.Call):
            continue
        dotted = names.dotted(decorator.func) or ""
        if dotted.endswith("mark.parametrize"):
            given = evaluator.arguments(decorator, function.scope)
            keys = given.args[0] if given.args else given.kwargs.get("argnames", UNKNOWN)
            cases = given.args[1] if len(given.args) > 1 else given.kwargs.get("argvalues", UNKNOWN)
            if isinstance(cases, (tuple, list, range)) and cases:
                found.update(_first_case(keys, cases[0]))
                counts.append(len(cases))
                line = decorator.lineno
        elif dotted.startswith("click."):
            option = click_default(dotted, evaluator.arguments(decorator, function.scope))
            if option is not None:
                found.setdefault(*option)
    return found, math.prod(counts), line


def _first_case(names: Value, case: Value) -> dict[str, Value]:
    if isinstance(names, str):
        names = [name.strip() for name in names.split(",") if name.strip()]
    if not isinstance(names, (list, tuple)):
        return {}
    values = case if len(names) > 1 else (case,)
    if not isinstance(values, (tuple, list)) or len(values) != len(names):
        return {}
    return dict(zip(names, values, strict=True))
