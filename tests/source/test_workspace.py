"""Other files of a workspace: what imported names mean, who calls the kernels of a file."""

from __future__ import annotations

import os
from pathlib import Path
from textwrap import dedent

import pytest

from tilescope_trace.model import Options, Snapshot
from tilescope_trace.source.index import imported_words
from tilescope_trace.source.plan import FilePlan, plan_file
from tilescope_trace.source.workspace import Workspace

KERNEL = """
    import tilelang
    import tilelang.language as T

    from .config import BLOCK, pick

    @tilelang.jit
    def build(M, N, block=BLOCK):
        @T.prim_func
        def main(A: T.Tensor((M, N), "float16")):
            with T.Kernel(pick(M), threads=128):
                s = T.alloc_shared((block, N), "float16")
        return main

    def run(x):
        return build(*x.shape)
"""
FILES = {
    "pyproject.toml": "",
    "pkg/__init__.py": "from .kernel import run",
    "pkg/config.py": "BLOCK = 64\n\ndef pick(m):\n    return m // BLOCK\n",
    "pkg/kernel.py": KERNEL,
}


@pytest.fixture
def folder(tmp_path):
    def write(files: dict[str, str]) -> Path:
        for name, text in files.items():
            path = tmp_path / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(dedent(text), "utf-8")
        return tmp_path

    write(FILES)
    return write


def plan(root: Path, workspace: Workspace | None = None, text: str | None = None) -> FilePlan:
    path = root / "pkg/kernel.py"
    snapshot = Snapshot(str(path), path.read_text("utf-8") if text is None else text)
    return plan_file(snapshot, Options(), workspace or Workspace(str(root)))


def told(made: FilePlan) -> tuple[object, ...]:
    args = made.statics[0].specialization.args
    return tuple(args[name].value for name in ("M", "N") if name in args)


def test_imported_names_are_what_they_are_in_their_module(folder):
    kernel = plan(folder({"use.py": "import torch, pkg\npkg.run(torch.rand(256, 32))"})).statics[0]
    assert kernel.specialization.args["block"].value == 64
    assert kernel.launch.grid == (4,)
    assert [buffer.shape for buffer in kernel.buffers] == [(256, 32), (64, 32)]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("use.py", "from pkg.kernel import build\nbuild(256, 32)"),
        ("use.py", "import pkg.kernel as k\nk.build(M=256, N=32)"),
        ("use.py", "from pkg import kernel\nkernel.build(256, 32)"),
        ("use.py", "from pkg import *\nimport torch\nrun(torch.rand(256, 32))"),
        ("pkg/sub/use.py", "from ..kernel import build\nbuild(256, 32)"),
        ("tests/test_kernel.py", "import pytest, pkg, torch\n@pytest.mark.parametrize('m', [256, 512])\n"
         "def test_run(m):\n    pkg.run(torch.rand(m, 32))"),
    ],
)  # fmt: skip
def test_calls_in_other_files_are_found(folder, name, text):
    root = folder({name: text})
    made = plan(root)
    assert told(made) == (256, 32)
    argument = made.statics[0].specialization.args["M"]
    assert argument.origin == "call"
    if "build" in text:
        assert (argument.file, argument.line) == (str(root / name), 2)


def test_calls_through_a_file_between_are_found(folder):
    root = folder(
        {
            "api.py": "from pkg.kernel import run\n\ndef forward(x):\n    return run(x)\n",
            "bench.py": "import torch, api\napi.forward(torch.rand(256, 32))",
        }
    )
    assert told(plan(root)) == (256, 32)


def test_calls_of_the_file_itself_come_first(folder):
    root = folder(
        {"pkg/kernel.py": KERNEL + "\n    build(1, 2)\n", "use.py": "from pkg.kernel import build\nbuild(9, 9)"}
    )
    assert told(plan(root)) == (1, 2)


def test_hidden_folders_and_environments_are_left_alone(folder):
    call = "from pkg.kernel import build\nbuild(256, 32)"
    root = folder(
        {
            ".hidden/use.py": call,
            "venv/use.py": call,
            "mine/pyvenv.cfg": "",
            "mine/use.py": call,
            "node_modules/use.py": call,
            "old/use.py": call,
        }
    )
    assert told(plan(root, Workspace(str(root), skipped=lambda path: path.endswith("old")))) == ()
    assert told(plan(root, Workspace(str(root), deep=False))) == ()
    assert told(plan(root)) == (256, 32)


def test_only_files_that_changed_are_read_again(folder, monkeypatch):
    root = folder({"use.py": "from pkg.kernel import build\nbuild(256, 32)"})
    workspace = Workspace(str(root))
    assert workspace.refresh()
    assert not workspace.refresh()
    read: list[str] = []
    before = Path.read_text
    monkeypatch.setattr(Path, "read_text", lambda self, *a, **k: (read.append(self.name), before(self, *a, **k))[1])
    (root / "use.py").write_text("from pkg.kernel import build\nbuild(512, 32)")
    os.utime(root / "use.py", ns=(1, 1))
    assert workspace.refresh()
    assert read == ["use.py"]
    assert told(plan(root, workspace)) == (512, 32)


def test_open_editors_stand_for_the_disk(folder):
    root = folder({"use.py": "from pkg.kernel import build\nbuild(256, 32)"})
    workspace = Workspace(str(root))
    assert told(plan(root, workspace)) == (256, 32)
    workspace.overlay({str(root / "use.py"): "from pkg.kernel import build\nbuild(128, 16)"})
    assert told(plan(root, workspace)) == (128, 16)
    workspace.overlay({str(root / "use.py"): "print('nothing')"})
    assert told(plan(root, workspace)) == ()


def test_an_edit_of_a_kernel_keeps_what_other_files_say_and_moves_lines_of_its_own(folder):
    root = folder({"use.py": "import torch, pkg\npkg.run(torch.rand(256, 32))"})
    workspace = Workspace(str(root))
    text = (root / "pkg/kernel.py").read_text("utf-8")
    line = plan(root, workspace).statics[0].specialization.args["M"].line
    edited = text.replace("            s = ", "            # more\n            # lines\n            s = ")
    made = plan(root, workspace, edited)
    assert told(made) == (256, 32)
    assert made.statics[0].specialization.args["M"].line == line + 2
    assert edited.splitlines()[line + 1].strip() == "return build(*x.shape)"
    assert told(plan(root, workspace, edited.replace("*x.shape", "x.shape[1], 8"))) == (32, 8)


def test_a_server_indexes_when_it_likes(folder):
    root = folder({"use.py": "from pkg.kernel import build\nbuild(256, 32)"})
    workspace = Workspace(str(root), lazy=False)
    assert told(plan(root, workspace)) == ()
    assert not workspace.indexed
    workspace.refresh()
    assert told(plan(root, workspace)) == (256, 32)


def test_modules_that_import_each_other_and_files_that_do_not_parse(folder):
    root = folder(
        {
            "pkg/config.py": "from .other import BLOCK\ndef pick(m):\n    return 1\n",
            "pkg/other.py": "from .config import BLOCK\n",
            "broken.py": "from pkg.kernel import build\nbuild(256, 32)\ndef (:\n",
            "binary.py": "from pkg.kernel import build \x00\ufffd",
        }
    )
    made = plan(root)
    assert made.statics[0].specialization.args["block"].value == "BLOCK"
    assert told(made) == (256, 32)


def test_the_words_of_imports():
    text = "import a.b as c, d\nfrom ..e import (f,\n  g as h)\nx = 1\n    from i import j\n"
    assert imported_words(text) == {*"abcdefghij"}
