"""Command lines without options: the defaults of argparse and click."""

from __future__ import annotations

import ast
from collections.abc import Callable

from .call_arguments import Arguments
from .operators import attempt
from .values import UNKNOWN, Namespace, Parser, Value, is_plain

_TYPES: dict[str, Callable[[str], Value]] = {"int": int, "float": float, "str": str}
_CLICK = ("click.option", "click.argument")


def new_parser() -> Parser:
    return Parser()


def parser_method(base: Parser, name: str, args: tuple[Value, ...], kwargs: dict[str, Value]) -> Value:
    """A method of an ``ArgumentParser``, or of what stands for a group of one."""
    if name in {"parse_args", "parse_known_args"}:
        options = Namespace(dict(base.defaults))
        return options if name == "parse_args" else (options, UNKNOWN)
    if name in {"add_argument_group", "add_mutually_exclusive_group"}:
        return base
    if name == "set_defaults":
        base.defaults.update(kwargs)
    if name == "add_argument":
        destination, value = _option(args, kwargs)
        if isinstance(destination, str):
            base.defaults[destination] = value
    return UNKNOWN


def _option(args: tuple[Value, ...], kwargs: dict[str, Value]) -> tuple[Value, Value]:
    """The name and the default of an option."""
    flags = [flag for flag in args if isinstance(flag, str)]
    long = next((flag for flag in flags if flag.startswith("--")), flags[0] if flags else "")
    destination = kwargs.get("dest", long.lstrip("-").replace("-", "_"))
    switches = {"store_true": False, "store_false": True}
    action = kwargs.get("action", "")
    missing = switches.get(action if isinstance(action, str) else "", None if long.startswith("-") else UNKNOWN)
    return destination, kwargs.get("default", missing)


def converted(kind: ast.expr | None, value: Value) -> Value:
    """A default given as text, as argparse's ``type=`` makes of it."""
    if isinstance(kind, ast.Name) and isinstance(value, str) and kind.id in _TYPES:
        return attempt(_TYPES[kind.id], value)
    return value


def click_default(dotted: str | None, given: Arguments) -> tuple[str, Value] | None:
    """The parameter and the default of a ``@click.option``; None for another decorator."""
    if dotted not in _CLICK or not given.args:
        return None
    flags = [flag for flag in given.args if isinstance(flag, str)]
    plain = next((flag for flag in flags if not flag.startswith("-")), None)
    long = next((flag for flag in flags if flag.startswith("--")), flags[0] if flags else "")
    name = plain or long.partition("/")[0].lstrip("-").replace("-", "_").lower()
    missing = False if given.kwargs.get("is_flag") is True else UNKNOWN
    value = given.kwargs.get("default", missing)
    return (name, value) if name and is_plain(value) else None
