"""What a shell completes values of options with: names from tables and from recordings. Nothing is executed, and what
is needed is imported when somebody presses the key."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

import click

_HAS_FEATURES = re.compile(r"cuda:sm_(9\d|1\d\d)")
"""Architectures that come with features of their own, as ``sm_90a``: Hopper and later."""


def targets(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:  # noqa: ARG001
    """The targets whose limits are known, as `--target` takes them."""
    from tilescope_trace.errors import UsageError
    from tilescope_trace.limits import TARGETS
    from tilescope_trace.source.targets import normalise

    names: list[str] = []
    for name in (*TARGETS, "c"):
        try:
            names.append(normalise(name))
        except UsageError:
            continue  # a model of a family that is one target
        if _HAS_FEATURES.fullmatch(name):
            names.append(f"{name}a")
    return _beginning(names, incomplete)


def passes(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:  # noqa: ARG001
    """The passes of the recording that was named before, by label; else all that a lowering can run."""
    from tilescope_trace.passes import PASSES

    # Of a line that ends in an option without a value click keeps the arguments as they came.
    recording = ctx.params.get("recording") or next(iter(ctx.args), None)
    labels = _labels(Path(recording)) if recording is not None else []
    return _beginning(labels or PASSES, incomplete)


def rules(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:  # noqa: ARG001
    """The codes of all rules."""
    from tilescope_trace.rules.catalog import RULES

    return _beginning((*RULES, "ALL"), incomplete)


def _labels(path: Path) -> list[str]:
    from tilescope_trace.errors import UsageError
    from tilescope_trace.store.read import open_recording

    try:
        with open_recording(path) as opened:
            return [record.label for record in opened.passes]
    except (UsageError, OSError):
        return []


def _beginning(names: Iterable[str], typed: str) -> list[str]:
    """Those that begin with what was typed, in any case; where none does, those that do so behind their prefix."""
    folded = typed.casefold()
    whole = [name for name in names if name.casefold().startswith(folded)]
    return whole or [name for name in names if re.split("[:.]", name, maxsplit=1)[-1].casefold().startswith(folded)]
