"""`tilescope doctor`: what works on this machine, and what is missing."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

import click
from rich.text import Text

from tilescope.checks.check import Check
from tilescope.checks.config import check_config
from tilescope.checks.nvcc import check_nvcc
from tilescope.checks.profiling import check_device, check_nvdisasm
from tilescope.checks.terminal import check_terminal
from tilescope.checks.worker import check_python, check_worker
from tilescope.options import format_option, python_option
from tilescope.output import echo, echo_json
from tilescope.progress import working
from tilescope.session import Session
from tilescope.text.tables import labelled
from tilescope_trace.errors import UsageError
from tilescope_trace.model.public import document, to_public

EPILOG = """\b
Examples:
  tilescope doctor
  tilescope doctor kernels/gemm.py
  tilescope doctor --python ~/kernels/.venv/bin/python --format json
"""

WIDTHS = 8, 13
"""Columns of the status and of the name."""
STYLE = {"ok": "green", "missing": "yellow", "broken": "bold red"}


@click.command(epilog=EPILOG)
@click.argument("path", metavar="[PATH]", default=".", type=click.Path(path_type=Path))
@python_option
@format_option
def command(path: Path, python: str | None, output_format: str) -> int:
    """Check what works on this machine and what is missing.

    Targets are really tried: a small kernel is lowered for each. Exit code 1 if something is broken; what is only
    missing costs no more than the line says. PATH is a file or folder of the project whose configuration and
    environment are meant.
    """
    if not path.exists():
        raise UsageError(f"there is no file or folder {path}")
    file = (path / "kernel.py" if path.is_dir() else path).absolute()
    checks = [
        check_python(),
        check_config(file),
        *asyncio.run(_compiler(python, file)),
        check_nvcc(),
        check_nvdisasm(),
        check_device(),
        check_terminal(),
    ]
    if output_format == "json":
        echo_json(document("doctor", {"checks": to_public(checks)}))
    else:
        echo(labelled((row for check in checks for row in _rows(check)), *WIDTHS))
    return int(any(check.status == "broken" for check in checks))


async def _compiler(python: str | None, file: Path) -> list[Check]:
    async with Session(python, file) as session:
        with working("trying the compiler"):
            return await check_worker(session)


def _rows(check: Check) -> Iterator[tuple[Text | str, ...]]:
    """A line of what was found, then what is lost without it and how to get it."""
    yield Text(check.status, STYLE[check.status]), Text(check.name, "bold"), Text(check.detail)
    if check.lost:
        yield "", "", Text(f"without it: {check.lost}", "dim")
    if check.remedy:
        yield "", "", Text(f"to get it: {check.remedy}", "dim")
