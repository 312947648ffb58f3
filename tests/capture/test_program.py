"""A program under ``tilescope capture``: what is seen of its kernels, and that it notices nothing."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from tests.capture.conftest import Project, make

from tilescope_trace.captured.format import parse
from tilescope_trace.captured.model import CapturedFile
from tilescope_trace.captured.values import value_of
from tilescope_trace.files import read_snapshot
from tilescope_trace.model import Options
from tilescope_trace.source.plan import plan_file

PYTHON = sys.executable


def captured(project: Project) -> CapturedFile:
    return parse(project.captured.read_text(), str(project.captured))


def entries(project: Project, file: str, qualname: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(project.captured.read_text())["kernels"][file][qualname]
    return found


def printed(done: subprocess.CompletedProcess[str]) -> list[str]:
    """What the program itself has printed, without TileLang's log."""
    return [line for line in done.stdout.splitlines() if "[TileLang:" not in line]


@pytest.fixture(scope="module")
def called(tmp_path_factory: pytest.TempPathFactory) -> tuple[Project, subprocess.CompletedProcess[str]]:
    """A program with kernels that run on a CPU, captured. Its folder has no captured file but a copy beside it."""
    project = make(tmp_path_factory.mktemp("called"), "calls.py")
    return project, project.tilescope("capture", "-v", "--", PYTHON, "calls.py")


@pytest.fixture(scope="module")
def formed(tmp_path_factory: pytest.TempPathFactory) -> Project:
    """A program with kernels in every form, captured; its cache is off, so that everything is compiled."""
    project = make(tmp_path_factory.mktemp("formed"), "forms.py")
    project.tilescope("capture", "--", PYTHON, "forms.py", TILELANG_DISABLE_CACHE="1")
    return project


def test_exit_code_and_output_are_the_programs(called: tuple[Project, subprocess.CompletedProcess[str]]) -> None:
    _, done = called
    assert done.returncode == 3
    assert printed(done)[:3] == ["2048.0", "1024.0", "32768.0"]
    assert "captured 3 specializations of 3 kernels in tilescope.captured.json" in done.stderr


def test_a_call_of_a_kernel_that_exists_runs_nothing_of_ours(
    called: tuple[Project, subprocess.CompletedProcess[str]],
) -> None:
    _, done = called
    assert printed(done)[3:] == ["[]", "[]"]


def test_call_sites_agree_with_what_is_seen_when_the_file_is_run(
    called: tuple[Project, subprocess.CompletedProcess[str]],
) -> None:
    project, _ = called
    file = project.folder / "calls.py"
    statics = plan_file(read_snapshot(file), Options(captured=None, all_captured=True)).statics
    seen = {kernel.qualname: kernel for kernel in statics}
    project.captured.rename(project.folder / "aside.json")
    try:
        told = {kernel.qualname: kernel for kernel in plan_file(read_snapshot(file), Options()).statics}
    finally:
        (project.folder / "aside.json").rename(project.captured)
    assert seen.keys() == told.keys() == {"add.main", "double", "gemm.product"}
    for name, kernel in told.items():
        assert {"call"} <= {argument.origin for argument in kernel.specialization.args.values()}
        assert "call" not in {argument.origin for argument in seen[name].specialization.args.values()}
        ours = {parameter: argument.value for parameter, argument in kernel.specialization.args.items()}
        theirs = {parameter: argument.value for parameter, argument in seen[name].specialization.args.items()}
        assert ours == theirs
        assert (kernel.target, kernel.specialization.pass_configs) == (
            "c",
            seen[name].specialization.pass_configs,
        )


def test_every_form_is_seen_with_the_arguments_of_all_its_functions(formed: Project) -> None:
    outer = captured(formed).kernels["forms.py"]["outer.inner.fill"]
    assert [(one.args["M"], one.args["K"], one.args["rows"]) for one in outer] == [
        (128, 64, 16),
        (256, 64, 8),  # in a process that was spawned
        (512, 64, 8),  # in one that was forked
        (2048, 64, 16),
        (2048, 64, 32),
    ]
    assert outer[0].args["act"] == {"described": "function builtins.print"}
    assert all(one.target == "c" for one in outer)


def test_callers_are_the_programs_lines(formed: Project) -> None:
    lines = (formed.folder / "forms.py").read_text().split("\n")
    for qualname, call in (
        ("outer.inner.fill", "outer(128)(16"),
        ("nowhere.fill", "nowhere(7"),
        ("tuned.fill", "tuned(1024"),
    ):
        file, _, line = entries(formed, "forms.py", qualname)[0]["caller"].rpartition(":")
        assert file == "forms.py"
        assert call in lines[int(line) - 1]


def test_a_parameter_that_its_function_has_changed_is_not_told(formed: Project) -> None:
    (entry,) = entries(formed, "forms.py", "Maker.build.fill")
    assert entry["args"] == {"M": 64, "rows": 8}


def test_all_configurations_of_the_autotuner_are_seen_with_their_own_pass_configs(formed: Project) -> None:
    first, second = entries(formed, "forms.py", "tuned.fill")
    assert (first["args"], first["tuned"]) == ({"M": 1024, "rows": 16}, "tried")
    assert "pass_configs" not in first  # those of the decorator are read from the source
    assert second["args"]["rows"] == 32
    assert second["pass_configs"] == {"tl.disable_vectorize_256": True}


def test_without_a_device_the_arguments_are_seen_all_the_same(formed: Project) -> None:
    (entry,) = entries(formed, "forms.py", "nowhere.fill")
    assert entry["args"] == {"M": 7, "dtype": {"dtype": "bfloat16"}, "shape": {"tuple": [3, 4]}}
    assert value_of(entry["args"]["shape"]) == (3, 4)


def test_a_kernel_that_cannot_be_built_is_seen(formed: Project) -> None:
    (entry,) = entries(formed, "forms.py", "faulty.sum_up")
    assert (entry["args"], entry["target"]) == ({"M": 64}, "cuda:sm_90a")
    (kernel,) = plan_file(read_snapshot(formed.folder / "forms.py"), Options(kernel="faulty")).statics
    assert kernel.specialization.args["M"].origin == "captured"


TRACEBACK = """
import sys, traceback
sys.path.insert(0, ".")
import forms
try:
    forms.nowhere(7)
except Exception as error:
    traceback.print_exception(error, file=sys.stdout)
raise SystemExit("over")
"""


def test_exceptions_look_as_they_do_without_the_hook(formed: Project) -> None:
    plain = formed.run(PYTHON, "-c", TRACEBACK)
    under = formed.tilescope("capture", "-o", "other.json", "--", PYTHON, "-c", TRACEBACK)
    if sys.version_info >= (3, 11):
        assert under.stdout == plain.stdout
    assert (under.returncode, under.stderr) == (plain.returncode, plain.stderr) == (1, "over\n")
    assert "nowhere.fill" in (formed.folder / "other.json").read_text()


def test_programs_without_tilelang_are_left_alone(project: Project) -> None:
    code = "import sys; print(sys.argv, 'tilescope' in str(sys.path), '_tilescope_capture' in sys.modules); exit(7)"
    done = project.tilescope("capture", "--", PYTHON, "-c", code, "--", "-x", "a b")
    assert (done.returncode, done.stdout, done.stderr) == (7, "['-c', '--', '-x', 'a b'] False False\n", "")
    assert not project.captured.exists()


def test_an_existing_sitecustomize_runs_as_if_ours_were_not_there(project: Project) -> None:
    (project.folder / "own").mkdir()
    (project.folder / "own/sitecustomize.py").write_text("import builtins; builtins.mine = __file__")
    code = "import sitecustomize; print(mine == sitecustomize.__file__)"
    own = str(project.folder / "own")
    assert project.tilescope("capture", "--", PYTHON, "-c", code, PYTHONPATH=own).stdout == "True\n"


def test_an_error_in_an_existing_sitecustomize_is_its_own(project: Project) -> None:
    (project.folder / "sitecustomize.py").write_text("import not_there_at_all")
    plain = project.run(PYTHON, "-c", "print(1)", PYTHONPATH=str(project.folder))
    under = project.tilescope("capture", "--", PYTHON, "-c", "print(1)", PYTHONPATH=str(project.folder))
    assert (under.stdout, under.returncode) == (plain.stdout, plain.returncode) == ("1\n", 0)
    assert ("not_there_at_all" in under.stderr) == ("not_there_at_all" in plain.stderr)


def test_a_program_that_is_killed_keeps_what_it_compiled(project: Project) -> None:
    kernel = (
        "import os, sys, signal; sys.path.insert(0, 'src'); import calls\n"
        "calls.add.get_tir(256, 64); os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    make(project.folder / "src", "calls.py")
    (project.folder / "src/setup.py").unlink()
    done = project.tilescope("capture", "--", PYTHON, "-c", kernel)
    assert done.returncode == -signal.SIGKILL
    (entry,) = entries(project, "src/calls.py", "add.main")
    assert entry["args"] == {"N": 256, "block": 64}


def test_signals_reach_the_program(project: Project) -> None:
    code = (
        "import signal, sys, time, pathlib\n"
        "def leave(*_): print('told'); sys.exit(9)\n"
        "signal.signal(signal.SIGTERM, leave); pathlib.Path('ready').touch(); time.sleep(60)\n"
    )
    command = [PYTHON, "-m", "tilescope", "capture", "--", PYTHON, "-c", code]
    process = subprocess.Popen(command, cwd=project.folder, stdout=subprocess.PIPE, text=True, start_new_session=True)
    while not (project.folder / "ready").exists() and process.poll() is None:
        time.sleep(0.05)
    process.terminate()
    out, _ = process.communicate()
    assert (process.returncode, out) == (9, "told\n")


def test_standard_input_and_open_files_are_the_programs(project: Project) -> None:
    shell = f"echo given | {PYTHON} -m tilescope capture -- sh -c 'cat; echo third >&3' 3>third"
    assert project.run("sh", "-c", shell).stdout == "given\n"
    assert (project.folder / "third").read_text() == "third\n"


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("capture",), "name the program"),
        (("capture", "--"), "no program after --"),
        (("capture", "--cap", "0", "--", "true"), "--cap"),
        (("capture", "-o", ".", "--", "true"), "is a folder"),
        (("capture", "-o", "no/where.json", "--", "true"), "there is no folder no"),
        (("capture", "-o", "bad.json", "--", "true"), "bad.json:1: not JSON"),
        (("capture", "--", "no-such-program"), "cannot start no-such-program"),
        (("trace", "--set", "M=1", "--", "true"), "--set is for a file"),
        (("trace", "k.py", "--", "true"), "FILE is for a file"),
        (("trace", "--format", "json", "--", "true"), "--format"),
        (("trace",), "name a kernel file, or a program"),
    ],
)
def test_bad_usage_is_one_message_and_nothing_runs(project: Project, arguments: tuple[str, ...], words: str) -> None:
    (project.folder / "bad.json").write_text("{")
    done = project.tilescope(*arguments)
    assert done.returncode == 2
    assert words in done.stderr
    assert "Traceback" not in done.stderr


def test_a_captured_file_that_is_broken_is_left_and_the_run_kept_beside_it(project: Project) -> None:
    make(project.folder, "calls.py")
    project.captured.write_text("<<<<<<< HEAD\n")
    done = project.tilescope("capture", "--", PYTHON, "-c", "import calls; calls.add.get_tir(256, 64)")
    assert done.returncode == 0
    assert "tilescope.captured.json:1: not JSON" in done.stderr
    assert project.captured.read_text() == "<<<<<<< HEAD\n"
    assert "add.main" in Path(f"{project.captured}.new").read_text()
