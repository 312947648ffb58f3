"""SARIF 2.1.0, which GitHub code scanning and editors read: rules with help, related places, fixes."""

from __future__ import annotations

import json
import re
from pathlib import PurePath
from typing import Any
from urllib.parse import quote

from tilescope_server.lint.model import Listed, Report
from tilescope_trace.model import Finding, Fix, Place
from tilescope_trace.notebook_files import split_cell
from tilescope_trace.rules.catalog import RULES
from tilescope_trace.rules.docs import page
from tilescope_trace.rules.rule import Rule

from .context import Context, tool_version
from .fingerprint import fingerprints
from .wording import about, marked

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
_LEVELS = {"error": "error", "warning": "warning", "info": "note"}
_ROOT = "SRCROOT"


def render(report: Report, context: Context) -> str:  # noqa: ARG001
    used = sorted({one.finding.code for one in report.findings} & RULES.keys())
    run = {
        "tool": {
            "driver": {
                "name": "tilescope",
                "semanticVersion": _semantic(tool_version()),
                "rules": [_rule(RULES[code]) for code in used],
            }
        },
        "columnKind": "unicodeCodePoints",
        "invocations": [{"executionSuccessful": True}],
        "results": [_result(one, fingerprint, used) for fingerprint, one in fingerprints(report)],
    }
    log = {"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}
    return json.dumps(log, indent=2, ensure_ascii=False) + "\n"


def _rule(rule: Rule) -> dict[str, Any]:
    return {
        "id": rule.code,
        "name": "".join(part.capitalize() for part in rule.name.split("-")),
        "shortDescription": {"text": f"{rule.summary}."},
        "help": {"text": rule.doc.strip(), "markdown": page(rule).strip()},
        "defaultConfiguration": {"level": _LEVELS[rule.severity]},
        "properties": {"tags": ["tilelang"]},
    }


def _result(listed: Listed, fingerprint: str, rules: list[str]) -> dict[str, Any]:
    finding = listed.finding
    text = marked(listed) + (f"\n{finding.help}" if finding.help else "")
    result: dict[str, Any] = {
        "ruleId": finding.code,
        **({"ruleIndex": rules.index(finding.code)} if finding.code in rules else {}),
        "level": _LEVELS[finding.severity],
        "message": {"text": text},
        "locations": [_location(finding.file, _region(finding))],
        "partialFingerprints": {"tilescope/v1": fingerprint},
    }
    if finding.related:
        result["relatedLocations"] = [_related(number, place) for number, place in enumerate(finding.related, 1)]
    if finding.fixes:
        result["fixes"] = [_fix(fix, finding.file) for fix in finding.fixes]
    if listed.variants:
        result["properties"] = {
            "about": about(listed),
            "targets": list(listed.targets),
            "kernels": list(dict.fromkeys(one.kernel for one in listed.variants)),
            **({"assumed": listed.assumed} if listed.assumed else {}),
        }
    return result


def _related(number: int, place: Place) -> dict[str, Any]:
    return {
        "id": number,
        "message": {"text": place.message},
        **_location(place.file, {"startLine": max(1, place.line)}),
    }


def _fix(fix: Fix, file: str) -> dict[str, Any]:
    replacements = [
        {
            "deletedRegion": {
                "startLine": edit["line"],
                "startColumn": edit["column"],
                "endLine": edit["end_line"],
                "endColumn": edit["end_column"],
            },
            "insertedContent": {"text": edit["text"]},
        }
        for edit in fix.edits
    ]
    change = {"artifactLocation": _artifact(file), "replacements": replacements}
    return {"description": {"text": fix.title}, "artifactChanges": [change]}


def _location(file: str, region: dict[str, int]) -> dict[str, Any]:
    file, cell = split_cell(file)
    if cell is None:
        return {"physicalLocation": {"artifactLocation": _artifact(file), "region": region}}
    # Lines of a cell are none of the notebook's file.
    name = f"cell {cell}, line {region['startLine']}"
    where = {"name": name, "fullyQualifiedName": f"{file}:{name}"}
    return {
        "physicalLocation": {"artifactLocation": _artifact(file)},
        "logicalLocations": [where],
        "properties": {"cell": cell, **region},
    }


def _region(finding: Finding) -> dict[str, int]:
    line, column = max(1, finding.line), max(1, finding.column)
    end_line = max(line, finding.end_line)
    end_column = max(1, finding.end_column) if end_line > line else max(column, finding.end_column)
    return {"startLine": line, "startColumn": column, "endLine": end_line, "endColumn": end_column}


def _artifact(file: str) -> dict[str, str]:
    if PurePath(file).is_absolute():
        return {"uri": f"file://{_quoted(file)}"}
    return {"uri": _quoted(file), "uriBaseId": _ROOT}


def _quoted(file: str) -> str:
    return quote(file, errors="surrogateescape")


def _semantic(version: str) -> str:
    """A Python version in the spelling of semantic versions."""
    match = re.match(r"(\d+)\.(\d+)\.(\d+)(.*)", version)
    if match is None:
        return "0.0.0"
    rest = re.sub(r"[^0-9A-Za-z.-]", "-", match[4].lstrip("."))
    return f"{match[1]}.{match[2]}.{match[3]}" + (f"-{rest}" if rest else "")
