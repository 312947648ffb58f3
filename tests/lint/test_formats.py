"""All forms carry the same findings, whatever stands in them."""

from __future__ import annotations

import json
import re
import subprocess
import xml.etree.ElementTree as xml
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import xmlschema
from hypothesis import given, settings
from hypothesis import strategies as st

from tilescope.schemas import SCHEMAS
from tilescope_server.lint import matrix
from tilescope_server.lint.formats import FORMATS, Context, chosen
from tilescope_server.lint.formats.public import report_of
from tilescope_server.lint.formats.wording import summary
from tilescope_server.lint.model import Cell, Listed, Report, Variant
from tilescope_trace.model import Finding, Fix, Place
from tilescope_trace.rules.catalog import RULES

DATA = Path(__file__).parents[1] / "data"
SARIF = json.loads((DATA / "sarif-2.1.0.json").read_text(encoding="utf-8"))
GITLAB = json.loads((DATA / "gitlab-code-quality.json").read_text(encoding="utf-8"))
TEXT = "import tilelang\n\nA = alloc((1, 2))  # ünïcode 漢字\nT.copy(\n    A,\n    B)\n" + "x" * 5000 + "\n"
EDIT = {"line": 3, "column": 1, "end_line": 3, "end_column": 2, "text": "B"}
FINDINGS = (
    Listed(
        Finding(
            "TS203",
            "error",
            "kernels/a b,c:%.py",
            3,
            5,
            3,
            10,
            "50% of: it,\nis | <gone> `here` \x1b[31m",
            related=(Place("kernels/other.py", 7, "declared here"),),
            kernel="matmul.main",
            specialization="0123456789ab",
            target="cuda:sm_80",
            fixes=(Fix("Rename it", (EDIT,)),),
            help="give it another name",
        ),
        (
            Variant("matmul.main", "0123456789ab", "cuda:sm_80", "M=16"),
            Variant("matmul.main", "0123456789ab", "cuda:sm_90a", "M=16"),
        ),
    ),
    Listed(
        Finding("TS301", "warning", "kernels/a b,c:%.py", 4, 1, 6, 7, "over several lines", confidence="likely"),
        (Variant("matmul.main", "0123456789ab", "cuda:sm_80"), Variant("matmul.main", "1", "cuda:sm_80", "M=16")),
    ),
    Listed(Finding("TS450", "info", "kernels/a b,c:%.py", 7, 4000, 7, 4001, "far to the right")),
    Listed(Finding("TS001", "error", "kernels/z.py", 1, 1, 1, 2, "kernels/z.py is not a Python file: \0 in it")),
)
REPORT = Report(
    files=("kernels/a b,c:%.py", "kernels/clean.py", "kernels/z.py"),
    findings=FINDINGS,
    cells=(
        Cell(
            "kernels/a b,c:%.py",
            "matmul.main",
            3,
            "cuda:sm_80",
            "1",
            "M=1",
            "failed",
            "buffers",
            "TS102 line 3: a | b",
        ),
        Cell(
            "kernels/a b,c:%.py",
            "other.main",
            4,
            "cuda:sm_80",
            "1",
            "M=1",
            "ok",
            "lowered",
            None,
            ("TS201 line 4: c",),
        ),
    ),
    texts={"kernels/a b,c:%.py": TEXT},
)

Where = list[tuple[str, str, int]]


def of_text(text: str) -> Where:
    found = re.findall(r"^(\S.*):(\d+):\d+: (?:error|warning|info) (TS\d+): ", text, re.MULTILINE)
    return [(code, file, int(line)) for file, line, code in found]


def of_json(text: str) -> Where:
    return [(one["code"], one["file"], one["line"]) for one in json.loads(text)["findings"]]


def of_json_lines(text: str) -> Where:
    values = [json.loads(line) for line in text.splitlines()]
    return [(one["code"], one["file"], one["line"]) for one in values]


def of_github(text: str) -> Where:
    found = []
    for line in text.splitlines():
        match = re.fullmatch(r"::(?:error|warning|notice) ([^:]*)::(.*)", line)
        assert match, line
        values = dict(pair.split("=", 1) for pair in match[1].split(","))
        file = values["file"].replace("%3A", ":").replace("%2C", ",").replace("%25", "%")
        found.append((values["title"].removeprefix("tilescope "), file, int(values["line"])))
    return found


def of_gitlab(text: str) -> Where:
    issues = json.loads(text)
    assert len({one["fingerprint"] for one in issues}) == len(issues)
    places = [(one["location"]["path"], one["location"]["positions"]["begin"]["line"]) for one in issues]
    return [(one["check_name"], *place) for one, place in zip(issues, places, strict=True)]


def of_sarif(text: str) -> Where:
    (run,) = json.loads(text)["runs"]
    found = []
    for result in run["results"]:
        place = result["locations"][0]["physicalLocation"]
        file = place["artifactLocation"]["uri"].replace("%20", " ").replace("%2C", ",").replace("%3A", ":")
        found.append((result["ruleId"], file.replace("%25", "%"), place["region"]["startLine"]))
    return found


def of_junit(text: str) -> Where:
    found = []
    for case in xml.fromstring(text.encode()).iter("testcase"):
        name = case.get("name", "").split()
        if name != ["tilescope"]:
            found.append((name[0], case.get("classname", ""), int(name[1].split(":")[0])))
    return found


def of_markdown(text: str) -> Where:
    rows = re.findall(r"^\| \w+ \| (TS\d+) \| `(.*?):(\d+):\d+` \|", text, re.MULTILINE)
    return [(code, file, int(line)) for code, file, line in rows]


READERS: dict[str, Callable[[str], Where]] = {
    "text": of_text,
    "full": of_text,
    "concise": of_text,
    "json": of_json,
    "json-lines": of_json_lines,
    "github": of_github,
    "gitlab": of_gitlab,
    "sarif": of_sarif,
    "junit": of_junit,
    "markdown": of_markdown,
}


@pytest.mark.parametrize("name", FORMATS)
def test_every_form_carries_every_finding(name: str) -> None:
    text = FORMATS[name](REPORT, Context())
    expected = [(one.finding.code, one.finding.file, one.finding.line) for one in FINDINGS]
    assert READERS[name](text) == expected
    assert not re.search(r"[\x00\x1b]", text)


@pytest.mark.parametrize("name", FORMATS)
def test_every_form_marks_what_is_assumed(name: str) -> None:
    assert ("M=16" in FORMATS[name](REPORT, Context())) is True
    known = Report(REPORT.files, (FINDINGS[1],))  # known in one of its specializations
    assert "assumed M=16" not in FORMATS[name](known, Context())


@pytest.mark.parametrize("name", FORMATS)
def test_nothing_found(name: str) -> None:
    text = FORMATS[name](Report(("a.py",), ()), Context())
    assert READERS[name](text) == []
    if name in ("text", "full", "concise", "json-lines", "github"):
        assert text == ""


def test_the_excerpt_underlines_what_is_meant() -> None:
    lines = FORMATS["full"](REPORT, Context()).splitlines()
    at = lines.index("  3 | A = alloc((1, 2))  # ünïcode 漢字")
    assert lines[at + 1] == "    |     ^^^^^"
    over = lines.index("  4 | T.copy(")
    assert lines[over : over + 6] == [
        "  4 | T.copy(",
        "    | ^^^^^^^",
        "  5 |     A,",
        "    |     ^^",
        "  6 |     B)",
        "    |     ^^",
    ]
    assert "    = note: kernels/other.py:7: declared here" in lines
    assert "    = in: matmul.main for cuda:sm_80, cuda:sm_90a" in lines
    assert max(map(len, lines)) < 250


def test_wide_characters_and_tabs_take_the_room_they_take() -> None:
    finding = Finding("TS301", "error", "k.py", 1, 4, 1, 6, "m")
    text = FORMATS["full"](Report(("k.py",), (Listed(finding),), texts={"k.py": "漢\t字ab\n"}), Context())
    line, carets = text.splitlines()[2:4]
    assert (line, carets) == ("  1 | 漢   字ab", "    |        ^^")


def test_colours_are_only_where_they_are_wanted() -> None:
    assert "\x1b[1;31m" in FORMATS["full"](REPORT, Context(colour=True))


def test_github_escapes() -> None:
    first = FORMATS["github"](REPORT, Context()).splitlines()[0]
    assert first.startswith("::error file=kernels/a b%2Cc%3A%25.py,line=3,endLine=3,col=5,endColumn=10,title=")
    assert "50%25 of: it,%0Ais | <gone>" in first
    over = FORMATS["github"](REPORT, Context()).splitlines()[1]
    assert "line=4,endLine=6,title=" in over


def test_sarif_is_valid_and_has_rules_places_and_fixes() -> None:
    log = json.loads(FORMATS["sarif"](REPORT, Context()))
    jsonschema.validators.validator_for(SARIF)(SARIF).validate(log)
    (run,) = log["runs"]
    first = run["results"][0]
    assert first["relatedLocations"][0]["message"]["text"] == "declared here"
    assert first["fixes"][0]["artifactChanges"][0]["replacements"][0]["insertedContent"]["text"] == "B"
    rule = run["tool"]["driver"]["rules"][first["ruleIndex"]]
    assert (rule["id"], rule["help"]["text"]) == ("TS203", RULES["TS203"].doc.strip())
    assert [one["level"] for one in run["results"]] == ["error", "warning", "note", "error"]


def test_gitlab_fingerprints_survive_moved_lines() -> None:
    def prints(shift: int) -> list[str]:
        one = FINDINGS[0].finding
        moved = Finding(one.code, one.severity, one.file, one.line + shift, one.column, one.line + shift, 10, "m")
        report = Report(REPORT.files, (Listed(moved), Listed(moved)), texts={one.file: "\n" * shift + TEXT})
        return [issue["fingerprint"] for issue in json.loads(FORMATS["gitlab"](report, Context()))]

    assert prints(0) == prints(3)
    assert len(set(prints(0))) == 2


def test_gitlab_reads_every_field() -> None:
    jsonschema.Draft202012Validator.check_schema(GITLAB)
    jsonschema.validate(json.loads(FORMATS["gitlab"](REPORT, Context())), GITLAB)
    assert json.loads(FORMATS["gitlab"](Report(("k.py",), ()), Context())) == []


JUNIT_COUNTS = ("tests", "failures", "errors")
JUNIT = xmlschema.XMLSchema(str(DATA / "junit.xsd"))


def refuse_other_junit(text: str) -> None:
    JUNIT.validate(xml.fromstring(text.encode("utf-8", "replace")))


@pytest.mark.parametrize(("level", "failures", "skipped"), [("info", 4, 0), ("warning", 3, 1), ("error", 2, 2)])
def test_junit_fails_what_fails_the_run(level: Any, failures: int, skipped: int) -> None:
    shown = FORMATS["junit"](REPORT, Context(level=level))
    refuse_other_junit(shown)
    root = xml.fromstring(shown.encode())
    assert [root.get(count) for count in JUNIT_COUNTS] == ["5", str(failures), "0"]
    assert len(list(root.iter("failure"))) == failures
    assert len(list(root.iter("skipped"))) == skipped
    for suite in root:
        assert {*suite.attrib} == {"name", "tests", "failures", "errors", "skipped", "time"}
        assert suite.get("tests") == str(len(suite))


def test_markdown_with_the_table() -> None:
    text = FORMATS["markdown"](REPORT, Context(matrix=True))
    assert "matmul.main` | no |" in text
    assert "TS102 line 3: a \\| b" in text
    assert "| error | TS203 |" in text


def test_the_table_tells_errors_of_kernels_that_lower() -> None:
    def cell(target: str, specialization: str, *errors: str) -> Cell:
        return Cell("k.py", "f.main", 3, target, specialization, f"M={specialization}", "ok", "lowered", None, errors)

    cells = (
        cell("a", "1"),
        cell("b", "1", "TS201 line 5: too much"),
        cell("c", "1", "TS504 line 9: x"),
        cell("c", "2"),
    )
    shown = matrix.text(cells).splitlines()
    assert re.split("  +", shown[1]) == ["k.py:3 f.main", "yes", "lowers, TS201", "lowers, TS504"]
    assert shown[3:] == [
        "k.py:3 f.main for b: TS201 line 5: too much",
        "k.py:3 f.main for c with M=1: TS504 line 9: x",
    ]
    assert "| yes | lowers, TS201 |" in matrix.markdown(cells)
    broken = replace(cells[3], status="failed", reason="TS103 line 3: y")
    assert matrix.said((cell("c", "0"), cells[2], broken)) == "1 of 3"


def test_json_comes_back_as_it_was() -> None:
    document = json.loads(FORMATS["json"](REPORT, Context(shard="1/2")))
    jsonschema.validate(document, SCHEMAS["lint"]())
    report, shard = report_of(document)
    assert shard == "1/2"
    assert (report.findings, report.cells, report.files) == (REPORT.findings, REPORT.cells, REPORT.files)


def test_auto_is_the_form_of_the_service() -> None:
    assert chosen("auto", {"GITHUB_ACTIONS": "true"}) == "github"
    assert chosen("auto", {"GITLAB_CI": "true"}) == "gitlab"
    assert chosen("auto", {"CI": "true"}) == "full"
    assert chosen("concise", {"GITHUB_ACTIONS": "true"}) == "concise"


def test_the_summary_tells_what_is_hidden() -> None:
    report = Report(REPORT.files, FINDINGS, REPORT.cells, suppressed=2, baselined=1)
    assert summary(report) == (
        "4 findings (2 errors, 1 warning, 1 info) in 3 files, 2 kernels; 2 suppressed; 1 in the baseline; "
        "1 of 2 compiles failed or not possible"
    )


def test_the_summary_counts_kernels_with_assumed_arguments_once() -> None:
    guessed = replace(REPORT.cells[1], assumed=True)
    cells = (REPORT.cells[0], guessed, replace(guessed, target="cuda:sm_90a"))
    said = "compiled with assumed arguments, where what rests on them is info at most: give values by a directive"
    assert f"; 1 kernel {said}" in summary(Report(REPORT.files, (), cells))
    both = (*cells, replace(guessed, line=9))
    assert f"; 2 kernels {said}" in summary(Report(REPORT.files, (), both))
    assert "assumed" not in summary(REPORT)
    report, _ = report_of(json.loads(FORMATS["json"](Report(REPORT.files, (), cells), Context())))
    assert report.cells == cells


words = st.text(max_size=40)
numbers = st.integers(min_value=1, max_value=60)


@given(words, words, numbers, numbers, numbers, numbers, st.text(max_size=200))
@settings(max_examples=60, deadline=None)
def test_no_text_and_no_place_breaks_a_form(
    message: str, file: str, line: int, column: int, more: int, end: int, text: str
) -> None:
    finding = Finding("TS203", "error", file or "x", line, column, line + more, end, message, help=message or None)
    report = Report((file,), (Listed(finding),), texts={file: text})
    for name, form in FORMATS.items():
        shown = form(report, Context())
        shown.encode("utf-8", "backslashreplace")
        if name == "junit":
            refuse_other_junit(shown)
        if name == "gitlab" and not file.startswith("./"):
            jsonschema.validate(json.loads(shown), GITLAB)
        if name == "github":
            assert shown.count("\n") == 1


def test_a_diff_of_fixes_is_one_that_patch_reads(tmp_path: Path) -> None:
    from tilescope_server.lint.fix import diff, fixed

    before = "a = 1\x0c\nb = 2"
    edits = ({"line": 2, "column": 1, "end_line": 2, "end_column": 2, "text": "c"},)
    finding = Finding("TS203", "error", "k.py", 2, 1, 2, 2, "m", fixes=(Fix("Do", edits),))
    result = fixed(before, [finding, finding])
    assert (result.text, len(result.done)) == ("a = 1\x0c\nc = 2", 2)
    (tmp_path / "k.py").write_text(before)
    patch = "".join(diff(before, result.text, "k.py"))
    subprocess.run(["git", "apply", "-"], input=patch, text=True, check=True, cwd=tmp_path)
    assert (tmp_path / "k.py").read_text() == result.text
