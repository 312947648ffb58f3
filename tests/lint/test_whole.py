"""Files are written whole or not at all."""

from __future__ import annotations

import os
import resource
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from tilescope_trace.whole import write_whole


def names(folder: Path) -> set[str]:
    return {one.name for one in folder.iterdir()}


def test_a_new_file_has_the_usual_mode_and_an_old_one_keeps_its_own(tmp_path: Path) -> None:
    path = tmp_path / "a"
    write_whole(path, b"1")
    (tmp_path / "usual").write_bytes(b"")
    assert path.stat().st_mode == (tmp_path / "usual").stat().st_mode
    path.chmod(0o640)
    write_whole(path, b"22")
    assert (path.read_bytes(), stat.S_IMODE(path.stat().st_mode)) == (b"22", 0o640)
    assert names(tmp_path) == {"a", "usual"}


def test_links_are_followed_and_what_is_no_file_is_written_where_it_is(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    link, target = tmp_path / "link", tmp_path / "folder" / ("x" * 250)
    link.symlink_to(target)
    write_whole(link, b"new")
    write_whole(link, b"newer")
    assert (link.is_symlink(), target.read_bytes()) == (True, b"newer")
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    try:
        write_whole(pipe, b"said")
        assert os.read(reader, 9) == b"said"
    finally:
        os.close(reader)
    assert stat.S_ISFIFO(pipe.stat().st_mode)
    (tmp_path / "loop").symlink_to("loop")
    with pytest.raises(OSError, match="symbolic links"):
        write_whole(tmp_path / "loop", b"")


def test_a_full_disk_leaves_the_old_file_and_nothing_else(tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_bytes(b"old")
    program = (
        "import signal, sys; from pathlib import Path; from tilescope_trace.whole import write_whole\n"
        "signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
        "write_whole(Path(sys.argv[1]), b'x' * 9000)"
    )
    ran = subprocess.run(
        [sys.executable, "-c", program, path],
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096)),
        stderr=subprocess.PIPE,
        text=True,
        check=False,
    )
    assert "File too large" in ran.stderr
    assert (path.read_bytes(), names(tmp_path)) == (b"old", {"a"})


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anything")
def test_permissions(tmp_path: Path) -> None:
    path = tmp_path / "folder" / "a"
    path.parent.mkdir()
    path.write_bytes(b"old")
    path.parent.chmod(0o555)
    write_whole(path, b"in place")
    with pytest.raises(PermissionError):
        write_whole(path.with_name("b"), b"")
    path.parent.chmod(0o755)
    path.chmod(0o444)
    with pytest.raises(PermissionError):
        write_whole(path, b"new")
    assert path.read_bytes() == b"in place"
