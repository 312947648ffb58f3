"""Configuration files are read whole; what is wrong in them is told where it stands."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tilescope_trace.config.positions import positions
from tilescope_trace.config.read import NONE, config_for, parse, strictly
from tilescope_trace.config.toml import TOMLDecodeError, loads
from tilescope_trace.errors import UsageError

PROJECT = '''\
[project]
name = "mine"
description = """
[tool.tilescope]
targets = 3
"""

[tool.tilescope]
targets = ["cuda:sm_90a", "HIP:gfx942"]
interpreter = ".venv"
exclude = "old"
pass_configs.tl.disable_warp_specialized = true

[[tool.tilescope.kernels]]
files = ["a/*.py"]
args = [{ M = 1, dtype = "T.float16" }, { M = 2, shape = { literal = "(1, 2)" } }]

[[tool.tilescope.kernels]]
kernel = "matmul"
args.name = "float16 or not"

[tool.tilescope.lint]
select = ["TS2", "TS301"]
severity.TS203 = "error"
'''


def test_what_a_project_says() -> None:
    read = parse(PROJECT, "pyproject.toml")
    assert read is not None
    assert read.findings == ()
    config = read.config
    assert config.targets == ("cuda:sm_90a", "hip:gfx942")
    assert (config.interpreter, config.exclude) == (".venv", ("old",))
    assert config.pass_configs == {"tl.disable_warp_specialized": True}
    first, second = config.kernels
    assert [{n: v.text for n, v in one.items()} for one in first.specializations] == [
        {"M": "1", "dtype": "'float16'"},
        {"M": "2", "shape": "(1, 2)"},
    ]
    assert {n: (v.text, v.line) for n, v in second.specializations[0].items()} == {"name": ("'float16 or not'", 20)}
    assert (config.lint.select, config.lint.severity) == (("TS2", "TS301"), {"TS203": "error"})
    assert (config.lines["targets"], config.lines["lint.select"]) == (9, 23)


@pytest.mark.parametrize(
    ("text", "place", "message"),
    [
        ('tagrets = "c"', (1, 1, 8), "unknown key tagrets; did you mean targets?"),
        ("pass-configs = {}", (1, 1, 13), "unknown key pass-configs; did you mean pass_configs?"),
        ("[[kernels]]\n\n[[kernels]]\nfile = 'a'", (4, 1, 5), "unknown key kernels[1].file; did you mean files?"),
        ("[x]", (1, 2, 3), "unknown key x; there are targets, interpreter, exclude, pass_configs, kernels, lint"),
        ("targets = 3", (1, 1, 8), "targets: expected a target name or an array of them, got a number"),
        (
            'targets = [\n  "metal",\n  "cuda"]',
            (3, 3, 9),
            "targets: unknown target 'cuda': cuda needs an architecture, such as cuda:sm_90a",
        ),
        ("exclude = ['a', 1]", (1, 17, 18), "exclude[1]: expected a string, got a number"),
        ("interpreter = true", (1, 1, 12), "interpreter: expected a string, got a boolean"),
        ("interpreter = ''", (1, 1, 12), "interpreter: is empty"),
        ("lint = []", (1, 1, 5), "lint: expected a table, got an array"),
        ("kernels = {}", (1, 1, 8), "kernels: expected an array of tables: [[kernels]], got a table"),
        (
            "pass_configs.a.b = 2020-01-01",
            None,
            "pass_configs.a.b: expected a boolean, a number, a string or an array",
        ),
        (
            "[[kernels]]\nargs = [1]",
            (2, 1, 5),
            "kernels[0].args: expected a table or an array of tables, got an array",
        ),
        ("[[kernels]]\nargs = {M = nan}", (2, 9, 10), "kernels[0].args.M: expected a boolean, a number"),
        ("[[kernels]]\nargs.M.literal = 'f()'", (2, 1, 15), "kernels[0].args.M: 'f()' is no Python literal"),
        ("[[kernels]]\nargs = {'a b' = 1}", (2, 9, 14), "kernels[0].args: 'a b' is no parameter name"),
        ("lint.select = 'F401'", (1, 1, 12), "lint.select: 'F401' is no rule code; write one such as TS203"),
        (
            "lint.severity.TS2 = 'bad'",
            (1, 1, 18),
            "lint.severity.TS2: 'bad' is no severity; there are error, warning",
        ),
        ("targets = [", (1, 11, 12), "no valid TOML: "),
        ("a = 1\na = 2", (2, 5, 6), "no valid TOML: Cannot overwrite a value"),
    ],
)
def test_a_mistake_is_told_with_its_place_and_what_may_be_meant(
    text: str, place: tuple[int, int, int] | None, message: str
) -> None:
    read = parse(text, "tilescope.toml")
    assert read is not None
    (finding,) = read.findings
    assert finding.code == "TS007"
    assert finding.message.startswith(message)
    if place is not None:
        assert (finding.line, finding.column, finding.end_column) == place


def test_mistakes_leave_the_rest_in_force() -> None:
    read = parse(PROJECT.replace("interpreter", "interpretor"), "pyproject.toml")
    assert read is not None
    assert read.config.exclude == ("old",)
    assert read.config.interpreter is None


def test_the_nearest_file_counts_and_tilescope_toml_goes_before_pyproject(tmp_path: Path) -> None:
    inner = tmp_path / "a" / "b"
    inner.mkdir(parents=True)
    kernel = str(inner / "kernel.py")
    assert config_for(kernel) == NONE or str(tmp_path) not in config_for(kernel).config.file
    (tmp_path / "pyproject.toml").write_text("[tool.tilescope]\ntargets = 'c'\n")
    (inner / "pyproject.toml").write_text("[project]\nname = 'inner'\n")
    assert config_for(kernel).config.targets == ("c",)
    (tmp_path / "tilescope.toml").write_text("targets = 'metal'\n")
    assert config_for(kernel).config.targets == ("metal",)
    (inner / "tilescope.toml").write_text("targets = 'webgpu'\n")
    assert config_for(kernel).config.targets == ("webgpu",)
    (inner / "tilescope.toml").write_text("targets = 'ascend' # edited\n")
    assert config_for(kernel).config.targets == ("ascend",)
    (inner / "tilescope.toml").unlink()
    assert config_for(kernel).config.targets == ("metal",)


@pytest.mark.parametrize("data", [b"\xff\xfe", b"[tool.tilescope\n", b"[tool]\ntilescope = 3\n", b"a" * (1 << 21)])
def test_files_that_cannot_be_read_say_so(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "tilescope.toml").write_bytes(data)
    with pytest.raises(UsageError, match=r"tilescope\.toml:\d+:\d+: "):
        strictly(str(tmp_path / "kernel.py"))


@pytest.mark.parametrize("encoding", ["utf-16", "latin-1"])
def test_a_project_that_names_us_is_not_passed_over(tmp_path: Path, encoding: str) -> None:
    (tmp_path / "pyproject.toml").write_text("# \xe9\n[tool.tilescope]\ntargets = 'metal'\n", encoding=encoding)
    with pytest.raises(UsageError, match=r"pyproject\.toml:1:1: .*not UTF-8"):
        strictly(str(tmp_path / "kernel.py"))


def test_projects_of_others_are_none_of_our_business(tmp_path: Path) -> None:
    for data in (b"\xff\xfe", b"[tool.ruff\n", b"tool = 3\n"):
        (tmp_path / "pyproject.toml").write_bytes(data)
        assert str(tmp_path) not in config_for(str(tmp_path / "kernel.py")).config.file


names = st.text(st.sampled_from("ab .\"'é#[]=\n"), min_size=1, max_size=4)
values = st.recursive(
    st.integers() | st.booleans() | st.text(max_size=6),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(names, inner, max_size=3),
    max_leaves=12,
)


def toml(value: object) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key(name)} = {toml(one)}" for name, one in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", # ]\n".join(map(toml, value)) + "]"
    return json.dumps(value).replace("\x7f", "\\u007f")


def key(name: str) -> str:
    return json.dumps(name)


@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    document=st.dictionaries(names, values, max_size=4), tables=st.lists(st.dictionaries(names, values), max_size=3)
)
def test_every_key_of_any_document_is_found_where_it_stands(
    document: dict[str, object], tables: list[dict[str, object]]
) -> None:
    text = "".join(f"{key(name)} = {toml(value)}\n" for name, value in document.items())
    for table in tables:
        text += "[[x.y]]\n" + "".join(f"  {key(name)} = {toml(value)}\n" for name, value in table.items())
    try:
        loads(text)
    except TOMLDecodeError:
        return
    found = positions(text)
    lines = text.split("\n")

    def check(value: object, path: tuple[str | int, ...]) -> None:
        for name, item in value.items() if isinstance(value, dict) else ():
            at = found[(*path, name)]
            assert lines[at.line - 1][at.column - 1 :].startswith(key(name))
            check(item, (*path, name))
        for number, item in enumerate(value) if isinstance(value, list) else ():
            assert (*path, number) in found
            check(item, (*path, number))

    check(document, ())
    for number, table in enumerate(tables):
        check(table, ("x", "y", number))


@settings(deadline=None)
@given(text=st.text(st.sampled_from("[]{}=,.#'\"\\\n ab1-")) | st.text())
def test_garbage_gives_findings_and_nothing_else(text: str) -> None:
    read = parse(text, "tilescope.toml")
    assert read is not None
    assert all(one.line >= 1 and one.end_column > one.column for one in read.findings)
