"""The command line itself: help, errors as messages, exit codes."""

from __future__ import annotations

import importlib
import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

import tilescope
from tilescope.main import COMMANDS, cli, main


def run(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "tilescope", *arguments],
        capture_output=True,
        text=True,
        timeout=120,
        env={**os.environ, **environment},
    )


def test_help_lists_every_command_with_examples(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--help"]) == 0
    shown = capsys.readouterr().out
    assert [name for name in COMMANDS if f"  {name} " not in shown] == []
    assert "Examples:" in shown


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_explains_itself_and_takes_format(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([name, "--help"]) == 0
    shown = capsys.readouterr().out
    # `capture` and `profile` print what the program prints, `completion` a script, `report` has forms of its own.
    forms = re.search(
        r"--format \[text\|(\w+\|)*json|--format, --output-format FORMAT\s+Form of the output: text, json", shown
    )
    assert forms or name in ("capture", "completion", "profile", "report")
    assert "Examples:" in shown
    assert [line for line in shown.splitlines() if len(line) > 80] == []
    assert importlib.import_module(f"tilescope.commands.{name}").command.help


def test_version(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--version"]) == 0
    assert capsys.readouterr().out.startswith("tilescope ")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["fact"], ["fact", "facts"]),
        (["facts"], ["FILE"]),
        (["facts", "--formt", "json", "x.py"], ["--formt", "--format"]),
        (["facts", "x.py", "--format", "xml"], ["xml", "json"]),
        (["facts", __file__, "--set", "M"], ["--set M", "NAME=VALUE"]),
        (["facts", __file__, "--set", "M=M*2"], ["--set M=M*2", "literal"]),
        (["facts", __file__, "--set", "1M=2"], ["1M", "parameter name"]),
        (["facts", __file__, "--pass-config", "x"], ["--pass-config x", "NAME=VALUE"]),
        (["lsp", "--tcp", "here"], ["--tcp here", "HOST:PORT"]),
        (["lsp", "--tcp", "localhost:99999"], ["99999"]),
        (["lsp", "--stdio", "--tcp", "localhost:1"], ["either"]),
        (["schema", "nothing"], ["nothing", "facts"]),
        (["show", "x.tscope"], ["--pass", "--generated"]),
        (["diff", "x.tscope", "--pass", "1", "--all"], ["--pass", "--all"]),
        (["view", "x.tscope"], ["terminal"]),
        (["view", "x.tscope", "--format", "json"], ["tilescope passes"]),
        (["view", "x.tscope", "y.tscope", "z.tscope"], ["one recording", "two"]),
        (["view", "x.py", "y.tscope"], ["tilescope trace"]),
        (["view", "x.tscope", "--watch"], ["--watch", "kernel file"]),
        (["compare", "x.tscope", "y.tscope", "--tui", "--format", "json"], ["--tui"]),
    ],
)
def test_bad_usage_is_one_message_and_exit_2(
    arguments: list[str], words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(arguments) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert "Traceback" not in captured.err
    assert [word for word in words if word not in captured.err] == []


def test_a_bug_is_one_message_that_says_where_the_details_are(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    def fail(**_: object) -> None:
        raise RuntimeError("boom")

    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    monkeypatch.delenv("TILESCOPE_DEBUG", raising=False)
    monkeypatch.setattr(cli, "main", fail)
    assert main([]) == 70
    captured = capsys.readouterr().err
    assert "RuntimeError: boom" in captured
    assert "Traceback" not in captured
    monkeypatch.setenv("TILESCOPE_DEBUG", "1")
    with pytest.raises(RuntimeError, match="boom"):
        main([])


@pytest.mark.skipif(sys.platform == "win32", reason="pipes break otherwise there")
def test_a_closed_pipe_ends_quietly() -> None:
    command = f"{sys.executable} -m tilescope schema facts | head -n 1; echo ${{PIPESTATUS[0]}}"
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, timeout=120)
    assert done.stderr == ""
    assert done.stdout.splitlines()[0] == "{"


@pytest.mark.skipif(sys.platform == "win32", reason="signals differ there")
def test_an_interrupt_ends_quietly() -> None:
    process = subprocess.Popen(
        [sys.executable, "-m", "tilescope", "lsp", "--tcp", "127.0.0.1:0"],
        stderr=subprocess.PIPE,
        text=True,
        # Jobs in the background of a script are started deaf to it.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    assert process.stderr is not None
    assert "listening" in process.stderr.readline()
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=60)
    assert "Traceback" not in errors


def test_an_interrupt_of_the_first_imports_ends_quietly(tmp_path: Path) -> None:
    (tmp_path / "click.py").write_text("raise KeyboardInterrupt\n")
    done = run("--version", PYTHONPATH=str(tmp_path))
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "")


def test_no_colour_reaches_a_pipe() -> None:
    assert "\x1b" not in run("schema", FORCE_COLOR="").stdout


KERNEL = Path(tilescope.__file__).parent / "kernels" / "gemm.py"


@pytest.mark.skipif(sys.platform == "win32", reason="POSIX shell")
@pytest.mark.parametrize("arguments", ["--help", "schema facts", "facts --static {kernel}"])
def test_closed_output_is_no_bug(arguments: str) -> None:
    command = f"{sys.executable} -m tilescope {arguments.format(kernel=KERNEL)} >&-"
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, timeout=120)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.skipif(sys.platform == "win32", reason="POSIX shell")
def test_a_server_without_an_input_ends_quietly() -> None:
    command = f"{sys.executable} -m tilescope lsp <&-"
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, timeout=120)
    assert (done.returncode, done.stderr) == (1, "")  # as LSP has it for an input that ends without `shutdown`


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_full_disk_is_told_in_one_line() -> None:
    command = f"{sys.executable} -m tilescope schema facts > /dev/full"
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, timeout=120)
    assert done.returncode == 2
    assert "the output cannot be written: No space left on device" in done.stderr
    assert len(done.stderr.splitlines()) == 1


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="needs /dev/zero")
@pytest.mark.parametrize("command", ["timeline trace.json --recording", "report", "facts", "timeline"])
def test_a_path_that_the_system_refuses_is_no_bug(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    name = "x" * 300
    assert main([*command.split(), name]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert name in line


def test_devices_are_no_kernel_files() -> None:
    done = run("facts", "/dev/zero")
    assert done.returncode == 2
    assert "/dev/zero is no kernel file" in done.stderr
