"""What a soak of the language server does to a document: edits as people and accidents make them, and files whose
code is hostile. Everything follows from a seed."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from dataclasses import dataclass

HOSTILE = {
    "infinite loop": "while True:\n    pass",
    "sys.exit": "import sys\nsys.exit(3)",
    "os._exit": "import os\nos._exit(5)",
    "kill the parent": "import os, signal\nif os.getppid() > 1:\n    os.kill(os.getppid(), signal.SIGKILL)",
    "kill the group": "import os, signal\nos.killpg(0, signal.SIGKILL)",
    "forks": "import os, time\nfor _ in range(20):\n    if os.fork() == 0:\n        time.sleep(600)",
    "a session of its own": "import os, time\nif os.fork() == 0:\n    os.setsid()\n    time.sleep(600)",
    "10 GB": "big = [bytearray(1 << 26) for _ in range(160)]",
    "recursion": "def down(n):\n    return down(n + 1)\ndown(0)",
    "recursion without a limit": "import sys\nsys.setrecursionlimit(1 << 30)\ndown = lambda n: down(n + 1)\ndown(0)",
    "flood": "import sys\nfor _ in range(3000):\n    print('x' * 10000)\n    sys.stderr.write('y' * 10000)",
    "threads": "import threading, time\n[threading.Thread(target=time.sleep, args=(600,)).start() for _ in range(8)]",
    "a busy thread": "import threading\nthreading.Thread(target=lambda: sum(iter(int, 1)), daemon=True).start()",
    "signal handlers": "import signal\nfor one in (2, 10, 15):\n    signal.signal(one, signal.SIG_IGN)",
    "an alarm": "import signal\nsignal.setitimer(signal.ITIMER_REAL, 0.001, 0.001)",
    "builtins": "import builtins\nbuiltins.open = builtins.len = builtins.isinstance = builtins.print = None",
    "stdout": "import sys\nsys.stdout = sys.stderr = sys.stdin = None",
    "closed descriptors": "import os\nos.closerange(0, 4096)",
    "segfault": "import ctypes\nctypes.string_at(0)",
    "abort": "import os\nos.abort()",
    "at exit": "import atexit, os\natexit.register(os.abort)",
    "json and struct": "import json, struct, pickle, socket\njson.dumps = struct.pack = socket.socket = None",
    "a working folder": "import os\nos.chdir('/')",
    "the environment": "import os\nos.environ.clear()",
    "modules": "import sys\nsys.modules.clear()",
    "a trace": "import sys\nsys.settrace(lambda *_: 1 / 0)",
    "an exception hook": "import sys\nsys.excepthook = None\nraise BaseException('out')",
}
"""Statements by what they do."""

HELPER = "hostile_helper"


def at_module_level(text: str, snippet: str) -> str:
    return f"{text}\n{snippet}\n"


def in_factory(text: str, snippet: str) -> str:
    """Inside the function that builds a kernel, before it does."""
    return text.replace("    @T.prim_func\n", f"{_indented(snippet, 4)}\n    @T.prim_func\n", 1)


def in_macro(text: str, snippet: str) -> str:
    """In the body of a macro that the kernel calls: Python there runs as the kernel is built."""
    macro = f"@T.macro\ndef hostile(buffer):\n    T.clear(buffer)\n{_indented(snippet, 4)}\n\n\n@tilelang.jit"
    return text.replace("@tilelang.jit", macro, 1).replace("T.clear(C_local)", "hostile(C_local)", 1)


def in_import(text: str, _: str) -> str:
    """In a module beside the file, which has to be written by the caller as ``HELPER``."""
    return f"import {HELPER}\n{text}"


PLACES: dict[str, Callable[[str, str], str]] = {
    "module": at_module_level,
    "factory": in_factory,
    "macro": in_macro,
    "import": in_import,
}


def _indented(snippet: str, columns: int) -> str:
    return "\n".join(" " * columns + line for line in snippet.split("\n"))


@dataclass(frozen=True)
class Edit:
    """Code points ``start`` to ``end`` of the text become ``text``."""

    what: str
    start: int
    end: int
    text: str

    def of(self, before: str) -> str:
        return before[: self.start] + self.text + before[self.end :]


_TOKEN = re.compile(r"\w+|[^\w\s]")
_ODD = (
    "é",
    "😀",
    "漢字",
    "\u2028",
    "\x0c",
    "\ufeff",
    "\t",
    "\r\n",
    "\r",
    "\0",
    "a\u0301",
    "'''",
    '"',
    "(",
    "\\\n",
    "# ",
)


def edit(dice: random.Random, text: str) -> Edit:
    """A random edit of a text."""
    return dice.choice(_EDITS)(dice, text)


def _token(dice: random.Random, text: str) -> Edit:
    found = list(_TOKEN.finditer(text))
    if not found:
        return Edit("insert", 0, 0, "x = 1\n")
    token = dice.choice(found)
    return Edit("delete a token", token.start(), token.end(), "")


def _swap(dice: random.Random, text: str) -> Edit:
    found = list(_TOKEN.finditer(text))
    if len(found) < 2:
        return Edit("insert", 0, 0, "y = 2\n")
    token, other = dice.choice(found), dice.choice(found)
    return Edit("replace a token", token.start(), token.end(), other.group())


def _truncate(dice: random.Random, text: str) -> Edit:
    return Edit("cut off", dice.randint(0, len(text)), len(text), "")


def _block(dice: random.Random, text: str) -> Edit:
    lines = text.splitlines(keepends=True) or [""]
    first = dice.randrange(len(lines))
    block = "".join(lines[first : first + dice.randint(1, 12)])
    at = sum(map(len, lines[: dice.randint(0, len(lines))]))
    return Edit("repeat a block", at, at, block if len(text) < 60_000 else "")


def _drop(dice: random.Random, text: str) -> Edit:
    start = dice.randint(0, len(text))
    return Edit("delete a range", start, min(len(text), start + dice.randint(1, 200)), "")


def _odd(dice: random.Random, text: str) -> Edit:
    at = dice.randint(0, len(text))
    return Edit("odd characters", at, at, dice.choice(_ODD) * dice.randint(1, 3))


def _type(dice: random.Random, text: str) -> Edit:
    at = dice.randint(0, len(text))
    return Edit("type", at, at, dice.choice("abcxyz_0123456789 .,()[]=\n"))


_EDITS = (_token, _token, _swap, _truncate, _block, _drop, _odd, _type, _type)
