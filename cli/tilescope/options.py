"""Options that several commands share, and what they mean."""

from __future__ import annotations

import ast
import json
from collections.abc import Callable, Iterable
from itertools import product
from math import prod
from pathlib import Path
from typing import Any, TypeVar

import click

from tilescope import completing
from tilescope_trace.errors import UsageError
from tilescope_trace.model import Json, Options
from tilescope_trace.source.literals import literal_text, parse_literal

Decorated = TypeVar("Decorated", bound=Callable[..., Any])

_MOST_COMBINATIONS = 256
"""Each is a compile of seconds, and a part of the output."""

format_option = click.option(
    "--format",
    "output_format",
    type=click.Choice(["text", "json"]),
    default="text",
    show_default=True,
    help="Output for people or for programs.",
)

python_option = click.option(
    "--python",
    metavar="INTERPRETER",
    help="Python interpreter that has tilelang.  [default: the project's own; see tilescope doctor]",
)

device_compile_option = click.option(
    "--device-compile",
    is_flag=True,
    help="Compile the generated CUDA source too, for registers and spills; needs nvcc.",
)

recording_argument = click.argument("recording", metavar="REC", type=click.Path(path_type=Path))


def paths_option(name: str, variable: str, metavar: str, text: str) -> Callable[[Decorated], Decorated]:
    """An option that names a file or folder and may be given again, as a tuple in ``variable``."""
    return click.option(name, variable, metavar=metavar, type=click.Path(path_type=Path), multiple=True, help=text)


def kernel_options(*, many_targets: bool) -> Callable[[Decorated], Decorated]:
    """``--kernel --target --set --pass-config``; with ``many_targets`` the target may be given several times."""
    options = [
        click.option("--kernel", metavar="K", help="Kernel, by any unambiguous suffix of its qualified name."),
        click.option(
            "--target",
            "targets" if many_targets else "target",
            metavar="T",
            multiple=many_targets,
            shell_complete=completing.targets,
            help="cuda:sm_90a, cuda:sm_80, hip:gfx942, metal, ascend, webgpu or c."
            + ("  Give it again for more." if many_targets else ""),
        ),
        click.option(
            "--set",
            "settings",
            metavar="NAME=VALUE",
            multiple=True,
            help="Value of a kernel parameter: a Python literal or a dtype name."
            + ("  Again for more, also of one parameter." if many_targets else ""),
        ),
        click.option(
            "--pass-config",
            "pass_configs",
            metavar="K=V",
            multiple=True,
            help="TileLang pass config, over the kernel's own: tl.disable_tma_lower=true.",
        ),
    ]

    def decorate(function: Decorated) -> Decorated:
        for option in reversed(options):
            function = option(function)
        return function

    return decorate


def alternatives(settings: Iterable[str]) -> list[list[str]]:
    """The combinations of ``--set`` where a parameter has several values: each with one value for each. Raises
    UsageError where nobody could read what comes of them."""
    by_name: dict[str, list[str]] = {}
    for text in dict.fromkeys(settings):
        by_name.setdefault(text.partition("=")[0].strip(), []).append(text)
    if (combinations := prod(map(len, by_name.values()))) > _MOST_COMBINATIONS:
        raise UsageError(f"--set: {combinations} combinations of values; at most {_MOST_COMBINATIONS} are compiled")
    return [list(chosen) for chosen in product(*by_name.values())]


def options_of(
    kernel: str | None,
    targets: Iterable[str],
    settings: Iterable[str],
    pass_configs: Iterable[str],
    *,
    static: bool = False,
) -> Options:
    """The analysis options for the values of `kernel_options`. Raises UsageError for a value that is none, and for a
    parameter with several."""
    arguments: dict[str, str] = {}
    for name, value in map(_argument, settings):
        if arguments.setdefault(name, value) != value:
            raise UsageError(f"--set {name}: given more than once; only tilescope facts takes several values")
    return Options(
        kernel=kernel,
        targets=tuple(dict.fromkeys(targets)),
        arguments=arguments,
        pass_configs=pass_config_values(pass_configs),
        static=static,
    )


def pass_config_values(texts: Iterable[str]) -> dict[str, Json]:
    """The values of ``--pass-config`` by name. Raises UsageError."""
    return dict(_pass_config(text) for text in texts)


def _argument(text: str) -> tuple[str, str]:
    name, value = _assignment(text, "--set", "M=1024")
    if not name.isidentifier():
        raise UsageError(f"--set {text}: {name!r} is not a parameter name")
    literal = literal_text(parse_literal(value))
    if literal is None:
        raise UsageError(
            f"--set {text}: {value!r} is neither a Python literal nor a dtype name; a string needs its own quotes: "
            f"--set \"{name}='{value}'\""
        )
    return name, literal


def _pass_config(text: str) -> tuple[str, Json]:
    name, value = _assignment(text, "--pass-config", "tl.disable_tma_lower=true")
    try:
        return name, json.loads(value)
    except ValueError:
        pass
    try:
        literal = ast.literal_eval(value)
        return name, json.loads(json.dumps(literal))
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        return name, value


def _assignment(text: str, option: str, example: str) -> tuple[str, str]:
    name, separator, value = text.partition("=")
    name, value = name.strip(), value.strip()
    if not separator or not name or not value:
        raise UsageError(f"{option} {text}: expected NAME=VALUE, for example {option} {example}")
    return name, value
