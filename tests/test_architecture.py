"""The floors hold, and starting is cheap."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


def run(*command: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=300)


def loaded_by(statement: str) -> set[str]:
    """Top-level modules that a fresh interpreter has loaded after ``statement``."""
    done = run(
        sys.executable, "-c", f"import sys\n{statement}\nprint(*{{name.partition('.')[0] for name in sys.modules}})"
    )
    assert done.returncode == 0, done.stderr
    return set(done.stdout.split())


def test_the_import_contracts_hold() -> None:
    done = run(sys.executable, "-c", "from importlinter.cli import lint_imports_command as lint; lint()")
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize(
    ("statement", "heavy"),
    [
        (
            "import tilescope.main",
            {"textual", "pygls", "lsprotocol", "tilelang", "torch", "rapidfuzz", "tree_sitter"},
        ),
        ("import tilescope_server.app", {"textual", "tilelang", "torch"}),
        ("import tilescope_trace.analyse", {"textual", "pygls", "lsprotocol", "tilelang", "torch"}),
    ],
)
def test_importing_a_room_loads_only_what_it_needs(statement: str, heavy: set[str]) -> None:
    # Start-up time and the server's memory rest on this; an import in the wrong place is easily missed otherwise.
    assert loaded_by(statement) & heavy == set()


def test_help_loads_no_command() -> None:
    statement = "from tilescope.main import main; import contextlib, io\n"
    statement += "with contextlib.redirect_stdout(io.StringIO()): main(['--help'])"
    assert loaded_by(statement) & {"textual", "pygls", "tilelang", "rapidfuzz", "msgspec", "asyncio"} == set()


def test_the_worker_imports_only_the_standard_library() -> None:
    # It runs inside the user's interpreter, which has none of our dependencies: -S hides site-packages, as there.
    statement = (
        "import sys; sys.path.insert(0, 'trace'); import pkgutil, importlib, tilescope_worker\n"
        "from tilescope_worker.wire import codec, facts, messages\n"
        "print(*{name.partition('.')[0] for name in sys.modules})"
    )
    done = run(sys.executable, "-S", "-c", statement)
    assert done.returncode == 0, done.stderr
    foreign = set(done.stdout.split()) - set(sys.stdlib_module_names) - {"tilescope_worker", "__main__"}
    assert foreign == set()


def test_the_root_folder_does_not_hide_the_standard_librarys_trace() -> None:
    # The folder trace/ would become that module the day someone adds an __init__.py to it.
    assert run(sys.executable, "-c", "import trace; trace.Trace").returncode == 0
