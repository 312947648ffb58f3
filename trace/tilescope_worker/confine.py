"""Refuse writes outside the scratch folder and TCP connections: by Landlock where the kernel has it, else by hook.

Numbers are those of the kernel's include/uapi/linux/landlock.h.
"""

from __future__ import annotations

import ctypes
import os
import struct
import sys
from pathlib import Path
from typing import Any

_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446
_RULE_PATH_BENEATH = 1
_PR_SET_NO_NEW_PRIVS = 38
_WRITE_FILE = 1 << 1
_REMOVE_AND_MAKE = sum(1 << bit for bit in range(4, 13))
_REFER = 1 << 13  # ABI 2
_TRUNCATE = 1 << 14  # ABI 3
_TCP = 0b11  # ABI 4: bind and connect
_DEVICES = ("/dev/null", "/dev/zero", "/dev/full", "/dev/tty", "/dev/shm", "/dev/nvidiactl", "/dev/nvidia-uvm")


def confine(scratch: str) -> None:
    """Confine this process and all it starts. Must be called by a process with a single thread (just forked)."""
    abi = _landlock_abi()
    if abi >= 1:
        _landlock(abi, [scratch, *_DEVICES, *map(str, Path("/dev").glob("nvidia[0-9]*"))])
    if abi < 4:
        _install_hook(scratch, writes=abi < 1)


def _landlock_abi() -> int:
    if sys.platform != "linux":
        return 0
    return max(0, int(ctypes.CDLL(None).syscall(_CREATE_RULESET, None, 0, 1)))


def _landlock(abi: int, writable: list[str]) -> None:
    libc = ctypes.CDLL(None)
    files = _WRITE_FILE | _REMOVE_AND_MAKE | (_REFER if abi >= 2 else 0) | (_TRUNCATE if abi >= 3 else 0)
    attributes = struct.pack("QQ", files, _TCP) if abi >= 4 else struct.pack("Q", files)
    ruleset = libc.syscall(_CREATE_RULESET, attributes, len(attributes), 0)
    if ruleset < 0:
        return
    for path in writable:
        try:
            parent = os.open(path, os.O_PATH | os.O_CLOEXEC)
        except OSError:
            continue
        allowed = files if Path(path).is_dir() else files & (_WRITE_FILE | _TRUNCATE)
        rule = struct.pack("=Qi", allowed, parent)
        libc.syscall(_ADD_RULE, ruleset, _RULE_PATH_BENEATH, rule, 0)
        os.close(parent)
    libc.prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
    libc.syscall(_RESTRICT_SELF, ruleset, 0)
    os.close(ruleset)


def _install_hook(scratch: str, *, writes: bool) -> None:
    allowed = (os.path.realpath(scratch), *_DEVICES)
    changing = {
        "os.remove",
        "os.rename",
        "os.rmdir",
        "os.mkdir",
        "os.link",
        "os.symlink",
        "os.truncate",
        "shutil.rmtree",
    }

    def outside(path: object) -> bool:
        if not isinstance(path, (str, bytes, os.PathLike)):
            return False
        real = os.path.realpath(os.fsdecode(path))
        return not any(real == root or real.startswith(root + os.sep) for root in allowed)

    def hook(event: str, arguments: tuple[Any, ...]) -> None:
        if event in {"socket.connect", "socket.bind"} and not isinstance(arguments[1], (str, bytes)):
            raise PermissionError(f"tilescope refuses network access while it analyses a kernel ({event})")
        if not writes:
            return
        written = event == "open" and (arguments[2] or 0) & (os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC)
        if (written or event in changing) and outside(arguments[0]):
            raise PermissionError(f"tilescope refuses writes while it analyses a kernel: {arguments[0]!r}")

    sys.addaudithook(hook)
