"""Where the report of a lint run goes, and in which forms."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import click

from tilescope_server.lint import matrix
from tilescope_server.lint.formats import AUTO, FORMATS, Context
from tilescope_server.lint.formats.json import dumped
from tilescope_server.lint.model import Cell, Report
from tilescope_trace.errors import UsageError
from tilescope_trace.model.public import document, to_public
from tilescope_trace.notebook_files import with_cells
from tilescope_trace.rules.catalog import RULES

report_format_option = click.option(
    "--format",
    "--output-format",
    "output_format",
    type=click.Choice([*FORMATS, AUTO]),
    metavar="FORMAT",
    default="text",
    show_default=True,
    help=f"Form of the output: {', '.join(FORMATS)} or auto; text is full, auto that of the CI service.",
)

MATRIX: dict[str, Any] = {"cells": list[Cell]}
"""Keys of the JSON of ``--matrix``."""

TABLES = frozenset({"text", "full", "concise", "json", "markdown"})
"""Forms that are the portability table alone where it is asked for."""


@dataclass(frozen=True)
class Statistic:
    """How many findings a rule has."""

    code: str
    name: str
    count: int
    fixable: int


@dataclass(frozen=True)
class Reports:
    """The form on stdout, or in the file ``output``, and further (form, file) pairs."""

    form: str
    output: Path | None
    others: tuple[tuple[str, Path], ...]

    def write(self, report: Report, context: Context, *, err: bool = False) -> None:
        """Write all of them; where ``err``, stderr has what else stdout would have. Raises UsageError for a file that
        cannot be written."""
        if context.matrix and self.form in TABLES:
            text = _table(report, self.form)
        else:
            text = FORMATS[self.form](report, replace(context, colour=context.colour and self.output is None))
        if self.output is None:
            echo_text(text, err=err)
        else:
            write_text(self.output, text)
        for form, path in self.others:
            write_text(path, FORMATS[form](report, replace(context, colour=False)))

    def refuse_lost_matrix(self) -> None:
        """Raise UsageError where no output has room for the portability table."""
        forms = [self.form, *(form for form, _ in self.others)]
        if self.form not in TABLES and "markdown" not in forms:
            raise UsageError(
                f"--matrix --format {self.form}: the table is text, markdown or json; or add --report markdown=FILE"
            )


def reports_of(form: str, output: Path | None, reports: Iterable[str]) -> Reports:
    """What ``--format``, ``--output`` and ``--report`` say. Raises UsageError."""
    others = []
    for text in reports:
        name, separator, file = text.partition("=")
        if not separator or name not in FORMATS or not file:
            raise UsageError(f"--report {text}: expected FORMAT=FILE, for example sarif=tilescope.sarif")
        others.append((name, Path(file)))
    for path in (output, *(path for _, path in others)):
        if path is not None and path.is_dir():
            raise UsageError(f"cannot write {path}: it is a folder")
    return Reports(form, output, tuple(others))


def statistics(report: Report, *, as_json: bool) -> str | dict[str, Any]:
    """How often each rule was broken, most often first: text, or the document."""
    counts = Counter(one.finding.code for one in report.findings)
    fixable = Counter(one.finding.code for one in report.findings if one.finding.fixes)
    rows = [
        Statistic(code, RULES[code].name if code in RULES else "", count, fixable[code])
        for code, count in sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))
    ]
    if as_json:
        return document("statistics", {"statistics": to_public(rows)})
    width = max((len(str(row.count)) for row in rows), default=0)
    return "".join(f"{row.count:>{width}}  {row.code}  {'[*] ' if row.fixable else ''}{row.name}\n" for row in rows)


def echo_text(text: str, *, err: bool = False) -> None:
    """Text that ends its own lines, to stdout or stderr."""
    click.echo(text, nl=False, color=True, err=err)


def write_text(path: Path, text: str) -> None:
    """Write a file, and the folder it is in. Raises UsageError."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8", errors="backslashreplace")
    except OSError as error:
        raise UsageError(f"cannot write {path}: {error.strerror or error}") from None


def _table(report: Report, form: str) -> str:
    tables: dict[str, Callable[[], str]] = {
        "markdown": lambda: matrix.markdown(report.cells),
        "json": lambda: dumped(document("matrix", {"cells": with_cells(to_public(report.cells))})),
    }
    return tables.get(form, lambda: matrix.text(report.cells))()
