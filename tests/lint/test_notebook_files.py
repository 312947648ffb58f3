"""Kernels in notebook files, by the command line: places are those of cells."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from tilescope.schemas import SCHEMAS
from tilescope_trace.errors import UsageError
from tilescope_trace.files import read_snapshot
from tilescope_trace.notebook_files import split_cell, with_cells, without_cells

from .conftest import run

KERNEL = Path(__file__).parent.parent / "kernels" / "editor_gemm.py"


def _cell(text: str, kind: str = "code") -> dict[str, Any]:
    return {"cell_type": kind, "metadata": {}, "source": text.splitlines(keepends=True)}


@pytest.fixture
def notebook(tmp_path: Path) -> Path:
    imports, kernel = KERNEL.read_text().split("\n\n\n", 1)
    kernel = kernel.replace("num_stages=stages", "num_stages=-1")
    cells = [
        _cell("# A title", "markdown"),
        _cell(f"%matplotlib inline\n{imports}"),
        _cell(kernel),
        _cell("!ls\nx = 1"),
    ]
    path = tmp_path / "kernels.ipynb"
    path.write_text(json.dumps({"cells": cells, "metadata": {"language_info": {"name": "python"}}, "nbformat": 4}))
    return path


def test_static_facts_stand_at_their_cells(notebook: Path) -> None:
    assert f"{notebook}:cell 3" in run("facts", "--static", notebook).out
    (file,) = run("facts", "--static", notebook, "--format", "json").json["files"]
    assert (file["file"], file["cell"]) == (str(notebook), 3)
    (kernel,) = file["kernels"]
    lines = KERNEL.read_text().split("\n\n\n", 1)[1].split("\n")
    assert "def main" in lines[kernel["line"] - 1]
    for buffer in kernel["buffers"]:
        assert lines[buffer["line"] - 1][buffer["column"] - 1 :].startswith(buffer["name"])
    assert kernel["specialization"]["args"]["M"]["cell"] == 3


def test_findings_stand_at_their_cells_and_nothing_is_written(notebook: Path) -> None:
    before = notebook.read_bytes()
    options = ("lint", "--static", "--no-cache", notebook.parent)
    (finding,) = run(*options, "--format", "json").json["findings"]
    assert (finding["file"], finding["cell"], finding["fixes"]) == (str(notebook), 3, [])
    line = json.loads(before)["cells"][2]["source"][finding["line"] - 1]
    assert line[finding["column"] - 1 : finding["end_column"] - 1] == "num_stages"
    full = run(*options).out
    assert f"{notebook}:cell 3:{finding['line']}:" in full
    assert line.strip() in full
    sarif = run(*options, "--format", "sarif").json["runs"][0]["results"][0]
    place = sarif["locations"][0]
    assert place["physicalLocation"]["artifactLocation"]["uri"].endswith("/kernels.ipynb")
    assert place["properties"]["cell"] == 3
    assert "line=" not in run(*options, "--format", "github").out.partition("::k")[0].replace("endLine=", "")
    for rewriting in ("--fix", "--add-ignore"):
        run(*options, rewriting)
        assert notebook.read_bytes() == before


def closed(name: str) -> dict[str, Any]:
    """The schema of an output, as one that allows no keys which it does not name."""
    schema = SCHEMAS[name]()
    shapes = {kind: {**shape, "additionalProperties": False} for kind, shape in schema["$defs"].items()}
    return {**schema, "additionalProperties": False, "$defs": shapes}


@pytest.mark.parametrize("suffix", [".ipynb", ".py"])
@pytest.mark.parametrize(
    ("name", "command"),
    [
        ("facts", ("facts", "--static")),
        ("differences", ("facts", "--static", "--compare", "--set", "bK=32", "--set", "bK=64")),
        ("lint", ("lint", "--static", "--no-cache")),
        ("matrix", ("lint", "--static", "--no-cache", "--matrix")),
    ],
)
def test_schemas_name_the_cell(notebook: Path, name: str, command: tuple[str, ...], suffix: str) -> None:
    file = notebook
    if suffix == ".py":
        file = notebook.with_suffix(suffix)
        file.write_text(KERNEL.read_text().replace("num_stages=stages", "num_stages=-1"))
    document = run(*command, file, "--format", "json").json
    jsonschema.validate(document, closed(name))
    told = json.dumps(document)
    assert ('"cell": 3' in told) is (suffix == ".ipynb")
    assert ":cell 3" not in told
    for wrong in (0, "3"):
        if suffix == ".ipynb":
            with pytest.raises(jsonschema.ValidationError):
                jsonschema.validate(
                    json.loads(told.replace('"cell": 3', f'"cell": {json.dumps(wrong)}')), closed(name)
                )


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("{", "is not a notebook"),
        ("[]", "no list of cells"),
        ('{"worksheets": []}', "no list of cells"),
        ('{"cells": [], "metadata": {"kernelspec": {"language": "R"}}}', "a notebook of r"),
    ],
)
def test_what_is_no_notebook(tmp_path: Path, content: str, said: str) -> None:
    path = tmp_path / "odd.ipynb"
    path.write_text(content)
    with pytest.raises(UsageError, match=said):
        read_snapshot(path)


def test_cells_of_odd_shapes_are_passed_over(tmp_path: Path) -> None:
    path = tmp_path / "odd.ipynb"
    cells = [
        None,
        {"cell_type": "code"},
        {"cell_type": "code", "source": [1]},
        {"cell_type": "code", "source": "x = 1\ny"},
    ]
    path.write_text(json.dumps({"cells": cells, "metadata": 3}))
    snapshot = read_snapshot(path)
    assert snapshot.cells is not None
    assert (snapshot.text, snapshot.cells.place(2)) == ("x = 1\ny", (4, 2))


def test_names_of_cells_there_and_back() -> None:
    named = {"file": "a.ipynb:cell 2", "related": [{"file": "a.ipynb:cell 3"}, {"file": "b.py:cell 1"}]}
    public = with_cells(named)
    assert public == {
        "file": "a.ipynb",
        "cell": 2,
        "related": [{"file": "a.ipynb", "cell": 3}, {"file": "b.py:cell 1"}],
    }
    assert without_cells(public) == named
    assert split_cell("a.ipynb") == ("a.ipynb", None)
