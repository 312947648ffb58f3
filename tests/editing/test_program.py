"""Programs whose generated sources are edited between runs, with the real compiler's code generators."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

PROGRAM = """
import json, sys, tilelang, tilelang.language as T
from tvm.target import Target

def scale(factor, block=128):
    @T.prim_func
    def doubled(A: T.Tensor((1024,), "float32"), B: T.Tensor((1024,), "float32")):
        with T.Kernel(1024 // block, threads=128) as bx:
            for i in T.Parallel(block):
                B[bx * block + i] = A[bx * block + i] * factor
    return doubled

target = Target(json.loads(sys.argv[1]))
for factor in map(float, sys.argv[2:]):
    with target:
        artifact = tilelang.lower(scale(factor), target=target, enable_device_compile=False)
    print(artifact.kernel_source)
"""
KERNELS = Path(__file__).parents[1] / "kernels" / "capture"
CUDA = '{"kind": "cuda", "arch": "sm_80"}'


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "program.py").write_text(PROGRAM)
    return tmp_path


EDITING = (sys.executable, "-m", "tilescope", "trace", "--edit", "-o", "edits", "--", sys.executable)


def run(folder: Path, *arguments: str) -> tuple[str, str]:
    """What the program printed, and what was said of its sources."""
    done = subprocess.run(
        [*EDITING, "program.py", *arguments],
        cwd=folder,
        env={**os.environ, "TILELANG_CACHE_DIR": str(folder / "cache")},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout, done.stderr


def test_an_edited_source_is_compiled_and_merged_with_a_changed_one(folder: Path) -> None:
    printed, said = run(folder, CUDA, "2", "7")
    first, second = (folder / "edits" / name for name in ("doubled_kernel.cu", "doubled_kernel.2.cu"))
    assert said.count("written for editing") == 2
    assert printed == f"{first.read_text()}\n{second.read_text()}\n"

    second.write_text(f"// mine\n{second.read_text()}")
    printed, said = run(folder, CUDA, "2", "7")
    assert "doubled_kernel.cu: as generated" in said
    assert "doubled_kernel.2.cu: your text was compiled" in said
    assert printed == f"{first.read_text()}\n{second.read_text()}\n"

    printed, said = run(folder, CUDA, "2", "9")
    assert "doubled_kernel.2.cu: your edits and the changed generated text were merged" in said
    assert printed.count("// mine") == 1
    assert "9.000000e+00" in printed
    assert sorted(path.name for path in (folder / "edits").iterdir()) == [".base", second.name, first.name]


def test_a_generator_that_takes_no_edits_is_named(folder: Path) -> None:
    shutil.copy(KERNELS / "calls.py", folder)
    (folder / "program.py").write_text("from calls import add\nadd(128, 32)\n")
    _, said = run(folder)
    assert "code generator for c compiles no edited source" in said


def test_a_file_that_is_no_text_is_left_alone_and_said(folder: Path) -> None:
    edited = folder / "edits" / "doubled_kernel.cu"
    edited.parent.mkdir()
    edited.write_bytes(b"\xff\0junk")
    edited.with_name("doubled_kernel.2.cu").mkdir()
    printed, said = run(folder, CUDA, "2", "7")
    assert "7.000000e+00" in printed
    assert said.count("not used: ") == 2
    assert edited.read_bytes() == b"\xff\0junk"


def test_one_run_has_the_folder_until_it_ends(folder: Path) -> None:
    (folder / "wait.py").write_text(
        "import os, pathlib, time\n"
        "pathlib.Path('edits/.notes').mkdir(exist_ok=True)\n"
        "print('ready', flush=True)\n"
        "while True: time.sleep(0.1)\n"
    )
    with subprocess.Popen(
        [*EDITING, "wait.py"], cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, start_new_session=True
    ) as first:
        assert first.stdout is not None
        assert first.stdout.readline() == b"ready\n"
        second = subprocess.run(
            [*EDITING, "-c", "print('ran')"], cwd=folder, capture_output=True, text=True, check=False
        )
        assert (second.returncode, second.stdout) == (2, "")
        assert second.stderr.count("\n") == 1
        assert "edits is used by another trace --edit" in second.stderr
        assert (folder / "edits" / ".notes").exists()
        os.killpg(first.pid, signal.SIGINT)
        for _ in range(600):
            if first.poll() is not None:
                break
            time.sleep(0.1)
        first.kill()
    assert first.returncode in (-signal.SIGINT, 130)
    third = subprocess.run([*EDITING, "-c", "print('ran')"], cwd=folder, capture_output=True, text=True, check=False)
    assert (third.returncode, third.stdout) == (0, "ran\n")
    assert "compiled no kernel" in third.stderr
    usual = [one for one in EDITING if one not in ("-o", "edits")]
    subprocess.run([*usual, "-c", ""], cwd=folder, capture_output=True, check=True)
    assert (folder / ".tilescope" / ".gitignore").read_text() == "*\n"
    assert not (folder / ".gitignore").exists()


def test_a_folder_that_cannot_be_made_is_bad_usage(folder: Path) -> None:
    (folder / "edits").write_text("")
    ran = subprocess.run([*EDITING, "-c", "print('ran')"], cwd=folder, capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stdout, ran.stderr.count("\n")) == (2, "", 1)
    assert "cannot write edits" in ran.stderr
