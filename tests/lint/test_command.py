"""The command line of lint runs, without executing anything."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import jsonschema
import pytest

from tilescope.schemas import SCHEMAS
from tilescope_server.lint.formats import FORMATS
from tilescope_trace.rules.catalog import RULES

from .conftest import CLEAN, Write, run

DIRECTIVE = CLEAN.replace("@tilelang.jit", "# tilescope: M\n@tilelang.jit")
"""TS006 on line 5."""


def lint(*arguments: str | Path, stdin: bytes | None = None) -> tuple[int, list[tuple[str, str, int]]]:
    ran = run("lint", *arguments, "--static", "--format", "json", stdin=stdin)
    assert ran.out, ran.err
    return ran.code, [(one["file"], one["code"], one["line"]) for one in ran.json["findings"]]


def test_paths_folders_and_globs(write: Write) -> None:
    write("a/one.py", DIRECTIVE)
    write("a/b/two.py", DIRECTIVE)
    write("a/.hidden/three.py", DIRECTIVE)
    write("a/venv/pyvenv.cfg", "")
    write("a/venv/four.py", DIRECTIVE)
    write("a/nothing.py", "x = 1\n")
    write("a/text.txt", "tilelang")
    every = [("a/b/two.py", "TS006", 5), ("a/one.py", "TS006", 5)]
    assert lint() == (1, every)
    assert lint("a", "a/one.py", "a/../a") == (1, every)
    assert lint("a/*.py") == (1, every[1:])
    assert lint("**/two.py") == (1, every[:1])
    assert lint("a/nothing.py") == (0, [])
    assert lint("a/.hidden/three.py") == (1, [("a/.hidden/three.py", "TS006", 5)])
    assert run("lint", "a", "--show-files").out == "a/b/two.py\na/one.py\n"
    for missing in ("b", "b/*.py", "a/three.py"):
        ran = run("lint", missing, "--static")
        assert (ran.code, ran.out) == (2, "")
        assert f"there is no file {missing}" in ran.err


def test_what_is_excluded_is_linted_where_it_is_named(write: Write) -> None:
    write("tilescope.toml", "exclude = ['gen', 'old_*.py']\n")
    write("gen/one.py", DIRECTIVE)
    write("old_two.py", DIRECTIVE)
    assert lint() == (0, [])
    assert lint("old_two.py") == (1, [("old_two.py", "TS006", 5)])


def test_stdin(write: Write) -> None:
    write("a.py", CLEAN)
    data = DIRECTIVE.replace("\n", "\r\n").encode()
    assert lint("-", stdin=data) == (1, [("<stdin>", "TS006", 5)])
    assert lint("-", "--stdin-filename", "sub/b.py", stdin=data) == (1, [("sub/b.py", "TS006", 5)])
    assert lint("-", stdin=b"\0\1") == (1, [("<stdin>", "TS001", 1)])
    assert lint("-", stdin=b"") == (0, [])
    assert run("lint", "-", "a.py", stdin=b"").code == 2


def test_links_are_not_followed_in_folders_and_loops_end(write: Write, tmp_path: Path) -> None:
    write("a/one.py", DIRECTIVE)
    (tmp_path / "a" / "loop").symlink_to(tmp_path / "a")
    (tmp_path / "a" / "self.py").symlink_to(tmp_path / "a" / "self.py")
    (tmp_path / "a" / "dangling.py").symlink_to(tmp_path / "nowhere.py")
    code, found = lint("a")
    assert code == 1
    assert found == [("a/dangling.py", "TS001", 1), ("a/one.py", "TS006", 5), ("a/self.py", "TS001", 1)]


def test_changed_since_a_revision_with_what_imports_it(write: Write, tmp_path: Path) -> None:
    def git(*arguments: str) -> None:
        who = {
            "GIT_AUTHOR_NAME": "a",
            "GIT_AUTHOR_EMAIL": "a@b",
            "GIT_COMMITTER_NAME": "a",
            "GIT_COMMITTER_EMAIL": "a@b",
        }
        subprocess.run(["git", *arguments], check=True, capture_output=True, cwd=tmp_path, env={**os.environ, **who})

    assert run("lint", "--changed-since", "main").code == 2  # no repository
    write("common.py", "BLOCK = 128\n")
    write("uses.py", "from common import BLOCK\n" + CLEAN)
    write("same.py", CLEAN)
    write("edited.py", CLEAN)
    git("init", "-b", "main")
    git("add", ".")
    git("commit", "-m", "first")

    def changed(revision: str) -> list[str]:
        ran = run("lint", "--changed-since", revision, "--show-files")
        assert ran.code == 0, ran.err
        return ran.out.split()

    assert changed("HEAD") == []
    write("edited.py", DIRECTIVE)
    write("new.py", CLEAN)
    assert changed("main") == ["edited.py", "new.py"]
    write("common.py", "BLOCK = 64\n")
    assert changed("HEAD") == ["edited.py", "new.py", "uses.py"]
    git("checkout", "-b", "topic")
    git("add", ".")
    git("commit", "-m", "second")
    assert changed("main") == ["edited.py", "new.py", "uses.py"]
    for wrong in ("nowhere", "--output=x"):
        ran = run("lint", f"--changed-since={wrong}", "--show-files")
        assert (ran.code, ran.out) == (2, "")
        assert f"--changed-since {wrong}" in ran.err


def test_explanations() -> None:
    assert run("lint", "--explain", "TS310").out.startswith("# TS310 uninitialized-read\n")
    listed = run("lint", "--explain", "all").out
    assert all(f"{code}  {rule.severity}" in listed for code, rule in RULES.items())
    document = run("lint", "--explain", "TS0", "--format", "json").json
    jsonschema.validate(document, SCHEMAS["rules"]())
    assert {one["code"][:3] for one in document["rules"]} == {"TS0"}
    ran = run("lint", "--explain", "F401")
    assert (ran.code, ran.out) == (2, "")


def test_settings_and_what_they_come_from(write: Write) -> None:
    write("pyproject.toml", "[tool.tilescope.lint]\nignore = 'TS4'\nfail_level = 'error'\nbaseline = 'known.json'\n")
    ran = run("lint", "--show-config", "--select", "TS2", "--format", "json")
    jsonschema.validate(ran.json, SCHEMAS["settings"]())
    found = {one["name"]: (one["value"], one["origin"]) for one in ran.json["settings"]}
    assert found["select"] == (["TS2"], "command line")
    assert found["fail_level"] == ("error", "pyproject.toml:3")
    assert found["specialization"] == ("all", "default")
    assert "ignore = TS4  # pyproject.toml:2" in run("lint", "--show-config").out


def test_statistics(write: Write) -> None:
    write("a.py", DIRECTIVE + DIRECTIVE.partition("language as T\n")[2])
    write("b.py", "def f(:\n# tilelang\n")
    ran = run("lint", "--static", "--statistics")
    assert (ran.code, ran.out) == (1, "2  TS006  bad-directive\n1  TS001  syntax-error\n")
    document = run("lint", "--static", "--statistics", "--format", "json").json
    jsonschema.validate(document, SCHEMAS["statistics"]())
    assert run("lint", "--static", "--statistics", "--format", "sarif").code == 2


def test_several_outputs_at_once(write: Write, tmp_path: Path) -> None:
    write("a.py", DIRECTIVE)
    ran = run(
        "lint", "--static", "--format", "concise", "-o", "out/c.txt", "--report", "sarif=out/s.sarif",
        "--report", "junit=j.xml",
    )  # fmt: skip
    assert (ran.code, ran.out) == (1, "")
    assert (tmp_path / "out" / "c.txt").read_text().startswith("a.py:5:")
    assert json.loads((tmp_path / "out" / "s.sarif").read_text())["version"] == "2.1.0"
    assert (tmp_path / "j.xml").exists()
    assert run("lint", "--static", "--report", "nothing=x").code == 2
    assert run("lint", "--static", "-o", "a.py/x").code == 2


@pytest.mark.parametrize(
    "arguments",
    [
        ("--select", "F401"),
        ("--ignore", "TS999"),
        ("--target", "cuda"),
        ("--shard", "3/2"),
        ("--shard", "a"),
        ("--fail-level", "fatal"),
        ("--fix", "--add-ignore"),
        ("--update-baseline",),
        ("--jobs", "0"),
        ("--pass-config", "x"),
        ("--format", "xml"),
    ],
)
def test_wrong_usage_is_one_message(write: Write, arguments: tuple[str, ...]) -> None:
    write("a.py", CLEAN)
    ran = run("lint", "--static", *arguments)
    assert (ran.code, ran.out) == (2, "")
    assert len(ran.err.splitlines()) <= 2
    assert arguments[0].lstrip("-") in ran.err


def test_a_wrong_configuration_ends_the_run(write: Write) -> None:
    write("a.py", CLEAN)
    write("sub/b.py", CLEAN)
    write("sub/tilescope.toml", "[lint]\nfail-level = 'error'\n")
    ran = run("lint", "--static")
    assert (ran.code, ran.out) == (2, "")
    assert "did you mean fail_level?" in ran.err


def test_the_first_specialization_only(write: Write) -> None:
    write("a.py", CLEAN.replace("@tilelang.jit", "# tilescope: N=64\n# tilescope: N=128\n@tilelang.jit"))

    def arguments(*more: str) -> set[str]:
        document = run("lint", "--static", "--format", "json", *more, "--target", "metal", "--target", "c").json
        return {f"{one['arguments']} {one['target']}" for one in document["cells"]}

    assert len(arguments()) == 4
    assert arguments("--specialization", "first") == {"N=64, block=128 metal", "N=64, block=128 c"}


def test_comments_that_suppress_are_added_where_there_is_room(write: Write) -> None:
    from tilescope_server.lint.add_ignore import with_ignores
    from tilescope_trace.model import Finding

    def at(line: int, code: str = "TS203", end: int | None = None) -> Finding:
        return Finding(code, "error", "k.py", line, 1, end or line, 2, "m")

    text = 'a = 1\nb = """\nx\n"""\nc = 1 + \\\n    2\nd = 3  # tilescope: ignore[TS301] old\n'
    added = with_ignores(text, [at(1), at(1), at(1, "TS104"), at(3), at(2, end=4), at(5), at(7)])
    assert added.text.split("\n") == [
        "a = 1  # tilescope: ignore[TS104, TS203]",
        'b = """',
        "x",
        '"""  # tilescope: ignore[TS203]',
        "c = 1 + \\",
        "    2",
        "d = 3  # tilescope: ignore[TS301, TS203] old",
        "",
    ]
    assert added.done == 5
    assert with_ignores("def f(:\n", [at(1)]).done == 0


def test_what_is_written_back_keeps_its_form(tmp_path: Path) -> None:
    from tilescope_server.lint.written import write_back
    from tilescope_trace.errors import UsageError
    from tilescope_trace.files import read_snapshot

    def changed(data: bytes) -> bytes:
        path = tmp_path / "k.py"
        path.write_bytes(data)
        text = read_snapshot(path).text
        write_back(str(path), text, text.replace("a", "b"))
        return path.read_bytes()

    assert changed(b"\xef\xbb\xbfa = 1\r\nc = 2\r\n") == b"\xef\xbb\xbfb = 1\r\nc = 2\r\n"
    assert changed(b"# coding: cp1252\nx = '\xe4'\nca") == b"# coding: cp1252\nx = '\xe4'\ncb"
    assert changed(b"a = 1\r\nc = 2\nd = 3\r\n# a\rlast") == b"b = 1\r\nc = 2\nd = 3\r\n# b\rlbst"
    assert changed(b"a = 1\rc = 2\r") == b"b = 1\rc = 2\r"
    with pytest.raises(UsageError, match="changed meanwhile"):
        write_back(str(tmp_path / "k.py"), "other", "text")


RENAMED = CLEAN.replace("@tilelang.jit", '@tilelang.jit(pass_configs={"tir.disable_vectorize": True})')
"""TS503, with a fix."""


def test_fixes_are_shown_then_applied_until_nothing_is_left(write: Write) -> None:
    two = RENAMED + RENAMED.partition("language as T\n")[2].replace("def scale", "def other")
    path = write("a.py", two.replace("\n", "\r\n"))
    shown = run("lint", "--static", "--diff")
    assert (shown.code, path.read_bytes().count(b"tirx.")) == (1, 0)
    assert shown.out.startswith("--- a/a.py\n+++ b/a.py\n@@ ")
    assert "would fix 2 findings" in shown.err
    done = run("lint", "--static", "--fix")
    assert (done.code, done.out) == (0, "")
    assert "fixed 2 findings" in done.err
    assert path.read_bytes() == two.replace('"tir.', '"tirx.').replace("\n", "\r\n").encode()
    assert run("lint", "--static", "--diff").code == 0


def test_fixes_of_stdin_go_to_stdout(write: Write) -> None:
    ran = run("lint", "-", "--static", "--fix", "--format", "concise", stdin=RENAMED.encode())
    assert (ran.code, ran.out) == (0, RENAMED.replace('"tir.', '"tirx.'))
    path = write("a.py", RENAMED)
    wrong = "# tilescope: ignore[no]\n"
    ran = run("lint", "-", "--stdin-filename", path, "--static", "--fix", stdin=(RENAMED + wrong).encode())
    assert (ran.code, ran.out) == (1, RENAMED.replace('"tir.', '"tirx.') + wrong)
    assert "a.py:14:1: warning TS008" in ran.err
    assert path.read_text() == RENAMED
    assert run("lint", "-", "--static", "--fix", stdin=CLEAN.encode()).out == CLEAN


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anything")
def test_what_cannot_be_written_stays_a_finding(write: Write) -> None:
    kept, other = write("a.py", RENAMED), write("b.py", RENAMED)
    kept.chmod(0o444)
    ran = run("lint", "--static", "--fix", "--format", "concise")
    assert (ran.code, ran.out.count("\n"), ran.out.startswith("a.py:5:29: warning TS503")) == (1, 1, True)
    assert "a.py: Permission denied" in ran.err
    assert "fixed 1 finding" in ran.err
    assert (kept.read_text(), '"tirx.' in other.read_text()) == (RENAMED, True)
    other.write_text(RENAMED)
    assert run("lint", "--static", "--add-ignore").code == 1
    assert (kept.read_text(), "ignore[TS503]" in other.read_text()) == (RENAMED, True)


@pytest.mark.parametrize("form", [one for one in FORMATS if one != "text"])
def test_names_that_are_not_utf_8(write: Write, tmp_path: Path, form: str) -> None:
    name = os.fsdecode(b"caf\xe9 \xe7\x9f\xa9.py")
    write(name, DIRECTIVE)
    write("user.py", f"from {name[:3]} import scale\n\nscale(256)\n")
    for _ in range(2):
        ran = run("lint", "--static", "--format", form, "-o", "out", "--cache-dir", tmp_path / "cache")
        assert (ran.code, "1 finding" in ran.err) == (1, True), ran.err
    assert b"TS006" in (tmp_path / "out").read_bytes()


def test_a_baseline_of_names_that_are_not_utf_8(write: Write) -> None:
    write(os.fsdecode(b"caf\xe9.py"), DIRECTIVE)
    named = ("lint", "--static", "--baseline", "known.json")
    assert run(*named, "--update-baseline").code == 0
    assert run(*named).code == 0


def test_baselines_that_were_edited(write: Write) -> None:
    write("a.py", DIRECTIVE)
    named = ("lint", "--static", "--baseline", "known.json")
    run(*named, "--update-baseline")
    text = Path("known.json").read_text()
    line = text.splitlines()[1]
    for edited in (
        "\ufeff" + text.replace("\n", "\r\n"),
        text.replace(line, f"{line},\n{line.replace('1}', '0}')}"),
        json.dumps(json.loads(text), indent=4),
    ):
        Path("known.json").write_text(edited, newline="")
        assert run(*named).code == 0
    for edited in (
        "",
        f"<<<<<<< ours\n{text}=======\n{text}>>>>>>> theirs\n",
        text.replace("1}", '"1"}'),
        text.replace("baseline/1", "baseline/2"),
        "[" * 100_000,
        "[]",
        "\0",
    ):
        write("known.json", edited)
        ran = run(*named)
        assert (ran.code, ran.err.count("\n")) == (2, 1), ran.err
        assert ran.err.startswith("tilescope: known.json is no baseline: ")
        assert run(*named, "--update-baseline").code == 2
        assert Path("known.json").read_text() == edited


def test_a_folder_in_the_place_of_an_output_is_told_before_the_run(write: Write) -> None:
    write("a.py", DIRECTIVE)
    for options in (("-o", "."), ("--report", "sarif=.")):
        ran = run("lint", "--static", "--statistics", *options)
        assert (ran.code, ran.out, ran.err) == (2, "", "tilescope: cannot write .: it is a folder\n")


def test_parts_that_were_changed_on_the_way(write: Write) -> None:
    write("a.py", DIRECTIVE)
    run("lint", "--static", "--shard", "1/1", "--format", "json", "-o", "part.json", "--exit-zero")
    part = Path("part.json").read_text()
    whole = run("merge", "part.json", "--format", "concise")
    assert whole.code == 1
    for data in (part.encode("utf-8-sig"), part.encode("utf-16"), part.replace("\n", "\r\n").encode()):
        write("other.json", data)
        assert run("merge", "other.json", "--format", "concise") == whole
    for damaged in (
        part[:-9],
        part.replace('"1/1"', '"1"'),
        part.replace("lint/1", "lint/2"),
        part.replace('"files"', '"fields"'),
        part.replace('"line": 5', '"line": "5"'),
        part.replace('"line": 5', '"line": null'),
        "[" * 100_000,
        "[]",
    ):
        write("other.json", damaged)
        ran = run("merge", "other.json")
        assert (ran.code, ran.out, ran.err.count("\n")) == (2, "", 1)
        assert ran.err.startswith("tilescope: other.json is no output of tilescope lint --format json")


def test_a_run_without_a_tilelang_does_not_pass_for_a_clean_one(
    write: Write, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    write("broken/tilelang.py", "raise ImportError('half an installation')\n")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path / "broken"))
    kernel = write("scale.py", CLEAN)
    ran = run("lint", kernel)
    assert ran.code == 1
    assert "error TS005" in ran.out
    assert "half an installation" in ran.out
    assert run("lint", kernel, "--static").code == 0
    assert run("lint", kernel, "--ignore", "TS005").code == 0
    locked = run("lock", kernel)
    assert locked.code == 2
    assert "TS005" in locked.err
    assert not Path("tilescope.lock").exists()
    drawn = run("layout", kernel, "--buffer", "A")
    assert drawn.code == 2
    assert "cannot import tilelang" in drawn.err
