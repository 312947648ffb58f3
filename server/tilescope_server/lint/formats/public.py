"""A report as plain JSON values, and back."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec

from tilescope_server.lint.model import Cell, Listed, Report, Variant
from tilescope_trace.model import Finding
from tilescope_trace.model.public import RENAMED, document, to_public
from tilescope_trace.model.schemas import schema_of
from tilescope_trace.notebook_files import with_cells, without_cells

from .context import Context

LINT: dict[str, Any] = {
    "findings": list[Finding],
    "files": list[str],
    "cells": list[Cell],
    "suppressed": int,
    "baselined": int,
    "shard": str | None,
}
"""Keys of the document beside ``schema``; each finding has ``variants`` too."""
_OLD = {new: old for old, new in RENAMED.items()}


def finding_of(listed: Listed) -> dict[str, Any]:
    """A FINDING with the ``variants`` it holds for (kernel, specialization, target, assumed arguments)."""
    return {**with_cells(to_public(listed.finding)), "variants": [to_public(one) for one in listed.variants]}


def lint_document(report: Report, context: Context) -> dict[str, Any]:
    """The document of a report, the same from run to run: what came from the cache is not in it. Neither are texts:
    whoever reads it has the sources or does without."""
    return document(
        "lint",
        {
            "findings": [finding_of(one) for one in report.findings],
            "files": list(report.files),
            "cells": [with_cells(to_public(one)) for one in report.cells],
            "suppressed": report.suppressed,
            "baselined": report.baselined,
            "shard": context.shard,
        },
    )


def lint_schema() -> dict[str, Any]:
    """The JSON schema of `lint_document`."""
    schema = schema_of("lint", {**LINT, "variants": list[Variant]})
    variants = schema["properties"].pop("variants")
    schema["required"].remove("variants")
    finding = schema["$defs"]["Finding"]
    finding["properties"]["variants"] = variants
    finding["required"].append("variants")
    return schema


def report_of(value: Any) -> tuple[Report, str | None]:
    """The report in a document, without texts, and the part of a run that it is. Raises msgspec.ValidationError and
    KeyError for what is none."""
    report = Report(
        files=msgspec.convert(value["files"], tuple[str, ...]),
        findings=tuple(_listed(one) for one in _dicts(value["findings"])),
        cells=msgspec.convert([without_cells(one) for one in _dicts(value["cells"])], tuple[Cell, ...]),
        suppressed=msgspec.convert(value["suppressed"], int),
        baselined=msgspec.convert(value["baselined"], int),
    )
    return report, msgspec.convert(value.get("shard"), str | None)


def _dicts(value: Any) -> Iterable[dict[str, Any]]:
    return msgspec.convert(value, list[dict[str, Any]])


def _listed(value: dict[str, Any]) -> Listed:
    variants = msgspec.convert(value.get("variants", []), tuple[Variant, ...])
    finding = {_OLD.get(name, name): item for name, item in without_cells(value).items() if name != "variants"}
    return Listed(msgspec.convert(finding, Finding), variants)
