"""JUnit XML: a suite a file, a test case a finding."""

from __future__ import annotations

import re
from collections.abc import Sequence
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from tilescope_server.lint.model import Listed, Report
from tilescope_server.lint.select import at_least

from .context import Context
from .wording import about, marked

_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def render(report: Report, context: Context) -> str:
    root = Element("testsuites", name="tilescope")
    by_file: dict[str, list[Listed]] = {name: [] for name in report.files}
    for one in report.findings:
        by_file.setdefault(one.finding.file, []).append(one)
    suites = [_suite(root, name, found, context) for name, found in by_file.items()]
    for count in ("tests", "failures", "errors", "skipped"):
        if count != "skipped":
            root.set(count, str(sum(int(suite.get(count, "0")) for suite in suites)))
    indent(root)
    return '<?xml version="1.0" encoding="utf-8"?>\n' + tostring(root, encoding="unicode") + "\n"


def _suite(root: Element, name: str, found: Sequence[Listed], context: Context) -> Element:
    failing = [one for one in found if at_least(one.finding.severity, context.level)]
    suite = SubElement(
        root,
        "testsuite",
        name=_xml(name),
        tests=str(max(1, len(found))),
        failures=str(len(failing)),
        errors="0",
        skipped=str(len(found) - len(failing)),
        time="0",
    )
    if not found:
        SubElement(suite, "testcase", name="tilescope", classname=_xml(name), time="0")
    for one in found:
        _case(suite, name, one, failing=one in failing)
    return suite


def _case(suite: Element, name: str, listed: Listed, *, failing: bool) -> None:
    finding = listed.finding
    place = f"{finding.code} {finding.line}:{finding.column}"
    case = SubElement(suite, "testcase", name=place, classname=_xml(name), time="0")
    message = _xml(marked(listed))
    if not failing:
        # What does not fail the run must not look like a failed test.
        SubElement(case, "skipped", message=f"{finding.severity}: {message}")
        return
    failure = SubElement(case, "failure", message=message, type=finding.severity)
    lines = [
        f"{finding.file}:{finding.line}:{finding.column}: {finding.severity} {finding.code}: {marked(listed)}",
        *(f"{one.file}:{one.line}: {one.message}" for one in finding.related),
        *([f"help: {finding.help}"] if finding.help else []),
        *([f"in {about(listed)}"] if listed.variants else []),
    ]
    failure.text = _xml("\n".join(lines))


def _xml(text: str) -> str:
    """The text without characters that XML has no place for."""
    return _NOT_XML.sub("�", text)
