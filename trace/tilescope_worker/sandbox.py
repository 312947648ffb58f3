"""What keeps a child from disturbing anything: its own session, limits, scratch folders, captured output.

This guards against accidents. The boundary against malice is trust: an untrusted workspace is never executed.
"""

from __future__ import annotations

import contextlib
import ctypes
import faulthandler
import os
import signal
import sys
import threading
from pathlib import Path

from . import confine
from .channel import Channel

MEMORY_BYTES = int(os.environ.get("TILESCOPE_WORKER_MEMORY", 8 << 30))
"""Private data a child may map beyond what it was forked with; the host watches resident memory as well."""
FILE_BYTES = 256 << 20
"""Largest file (captured output included) a child may write."""
OUTPUT_TAIL = 64 << 10
"""Bytes of captured output that are kept for a job's end."""

_CACHE_VARIABLES = (
    "XDG_CACHE_HOME",
    "XDG_CONFIG_HOME",
    "XDG_DATA_HOME",
    "TILELANG_CACHE_DIR",
    "TILELANG_TMP_DIR",
    "TRITON_CACHE_DIR",
    "TORCHINDUCTOR_CACHE_DIR",
    "TORCH_EXTENSIONS_DIR",
    "CUDA_CACHE_PATH",
    "NUMBA_CACHE_DIR",
    "MPLCONFIGDIR",
)
_PR_SET_PDEATHSIG = 1
_PR_SET_CHILD_SUBREAPER = 36


def use_scratch(folder: str) -> None:
    """Point HOME, TMPDIR and cache variables of this process into ``folder``.

    HOME changes only now, after the interpreter has started, because user site-packages are found through it.
    """
    scratch = Path(folder)
    (scratch / "tmp").mkdir(parents=True, exist_ok=True)
    for name in _CACHE_VARIABLES:
        os.environ[name] = str(scratch / "cache")
    for name in ("TMPDIR", "TEMP", "TMP"):
        os.environ[name] = str(scratch / "tmp")
    os.environ["HOME"] = os.environ["USERPROFILE"] = str(scratch)


def claim_stdio(scratch: str) -> Channel:
    """Take stdin and stdout for the protocol and give the process a null stdin and a log in their place."""
    channel = Channel(os.dup(0), os.dup(1))
    capture_output(str(Path(scratch) / "single.log"))
    return channel


def capture_output(log: str) -> None:
    """fd 0 becomes the null device; fds 1 and 2 append to the file ``log``, emptied first."""
    null = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null, 0)
    os.close(null)
    file = os.open(log, os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND, 0o600)
    os.dup2(file, 1)
    os.dup2(file, 2)
    os.close(file)


def flush_output() -> None:
    """Push Python's and C's buffered output to the log."""
    for name in ("stdout", "stderr"):
        # User code may have taken a stream away or put anything in its place.
        with contextlib.suppress(Exception):
            getattr(sys, name).flush()
    if sys.platform != "win32":
        ctypes.CDLL(None).fflush(None)


def forget_output() -> None:
    """Empty the log before a job, so that `output` tells of this job only."""
    flush_output()
    with contextlib.suppress(OSError):
        os.ftruncate(1, 0)


def output() -> str:
    """The tail of what was printed since `forget_output`."""
    flush_output()
    try:
        size = os.fstat(1).st_size
        start = max(0, size - OUTPUT_TAIL)
        return os.pread(1, OUTPUT_TAIL, start).decode("utf-8", "replace")
    except (OSError, AttributeError):
        return ""


def own_session() -> None:
    """Become leader of a session and process group, so that the whole group can be killed at once."""
    os.setsid()


def adopt_orphans() -> None:
    """Let descendants whose parent ends become children of this process (Linux), so that none is lost."""
    _prctl(_PR_SET_CHILD_SUBREAPER, 1)


def die_with_parent(parent: int) -> None:
    """End when the forking process ends (Linux); elsewhere the closed channel ends the child after its job."""
    _prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:
        os._exit(1)


def limit(scratch: str) -> None:
    """Resource limits, and writes only below ``scratch``; for forked processes that run users' code."""
    import resource

    sys.dont_write_bytecode = True
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    _set_soft(resource.RLIMIT_FSIZE, FILE_BYTES)
    if sys.platform == "linux":
        _set_soft(resource.RLIMIT_DATA, _private_data() + MEMORY_BYTES)
    confine.confine(scratch)


def tell_where_it_stands() -> None:
    """On a crash, or on SIGUSR1 from the host before it kills a hanging child, print the Python stack to the log.

    This replaces handlers that libraries installed: TVM's own takes over a second for a stack of C++ symbols.
    """
    for number in (signal.SIGSEGV, signal.SIGABRT, signal.SIGFPE, signal.SIGILL):
        signal.signal(number, signal.SIG_DFL)
    faulthandler.enable(file=2, all_threads=False)
    if sys.platform != "win32":
        faulthandler.register(signal.SIGUSR1, file=2, all_threads=False)


def children() -> tuple[int, ...]:
    """Process ids of the direct children of this process (Linux; empty elsewhere)."""
    found: list[int] = []
    with contextlib.suppress(OSError):
        for task in Path("/proc/self/task").iterdir():
            found += map(int, (task / "children").read_text().split())
    return tuple(found)


def belongings() -> frozenset[str]:
    """The open sockets (Linux) and the Python threads of this process."""
    found = {f"thread {thread.ident}" for thread in threading.enumerate()}
    with contextlib.suppress(OSError):
        for entry in Path("/proc/self/fd").iterdir():
            with contextlib.suppress(OSError):
                link = str(entry.readlink())
                found |= {link} if link.startswith("socket:") else set()
    return frozenset(found)


def _set_soft(kind: int, value: int) -> None:
    import resource

    _, hard = resource.getrlimit(kind)
    if hard != resource.RLIM_INFINITY:
        value = min(value, hard)
    resource.setrlimit(kind, (value, hard))


def _private_data() -> int:
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith("VmData:"):
            return int(line.split()[1]) << 10
    return 0


def _prctl(option: int, value: int) -> None:
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(option, value, 0, 0, 0)
