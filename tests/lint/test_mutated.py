"""Files as no editor leaves them: each has findings or none, and costs no other file anything.

TILESCOPE_MUTATIONS=1000 tries as many; CI tries fewer.
"""

from __future__ import annotations

import os
import random
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from .conftest import CLEAN, UNINITIALISED, Write, run

COUNT = int(os.environ.get("TILESCOPE_MUTATIONS", "150"))
COMPILED = max(14, COUNT // 10)
SEED = 20
KERNELS = [path.read_text(encoding="utf-8") for path in sorted((Path(__file__).parents[1] / "kernels").glob("*.py"))]
DIRECTIVE = CLEAN.replace("@tilelang.jit", "# tilescope: M\n@tilelang.jit")

Mutation = Callable[[str, random.Random], bytes]


def cut(text: str, rng: random.Random) -> bytes:
    return text[: rng.randrange(len(text))].encode()


def cut_out(text: str, rng: random.Random) -> bytes:
    first, last = sorted(rng.sample(range(len(text)), 2))
    return (text[:first] + text[last:]).encode()


def lines_doubled(text: str, rng: random.Random) -> bytes:
    lines = text.split("\n")
    at = rng.randrange(len(lines))
    return "\n".join([*lines[: at + rng.randrange(9)], *lines[at:]]).encode()


def lines_mixed(text: str, rng: random.Random) -> bytes:
    lines = text.split("\n")
    for _ in range(3):
        one, other = rng.randrange(len(lines)), rng.randrange(len(lines))
        lines[one], lines[other] = lines[other], lines[one]
    return "\n".join(lines).encode()


def indented(text: str, rng: random.Random) -> bytes:
    lines = text.split("\n")
    at = rng.randrange(len(lines))
    lines[at] = rng.choice(["\t", " ", "\x0c", "    \t"]) + lines[at]
    return "\n".join(lines).encode()


def characters(text: str, rng: random.Random) -> bytes:
    found = list(text)
    for _ in range(rng.randrange(1, 9)):
        found[rng.randrange(len(found))] = rng.choice("()[]{}:,#\\\"'\n\t =*/%@\x0c\x85\u2028é漢\u200b\x7f0")
    return "".join(found).encode()


def noise(text: str, rng: random.Random) -> bytes:
    data = bytearray(text.encode())
    for _ in range(rng.randrange(1, 9)):
        data[rng.randrange(len(data))] = rng.randrange(256)
    return bytes(data)


def binary(text: str, rng: random.Random) -> bytes:
    return b"tilelang" + rng.randbytes(rng.randrange(5000))


def encoded(text: str, rng: random.Random) -> bytes:
    name = rng.choice(["utf-16", "utf-32", "latin-1", "cp037", "utf-7", "shift-jis"])
    claim = rng.choice(
        ["", "# -*- coding: utf-8 -*-\n", "# coding: nonsense\n", "# coding: ascii\n", "# coding: hex\n"]
    )
    return (claim + "# tilelang ä\n" + text).encode(name, "replace")


def line_ends(text: str, rng: random.Random) -> bytes:
    return text.replace("\n", rng.choice(["\r\n", "\r", "\n\r", "\v\n"])).encode()


def marked(text: str, rng: random.Random) -> bytes:
    return rng.choice([b"\xef\xbb\xbf", b"\xff\xfe", b"\xef\xbb\xbf\xef\xbb\xbf"]) + text.encode()


def nested(text: str, rng: random.Random) -> bytes:
    deep = rng.choice([90, 500, 3000])
    return (
        text + rng.choice(["x = " + "(" * deep, "x = " + "-" * deep + "1", "x = " + "[" * deep + "]" * deep])
    ).encode()


def huge(text: str, rng: random.Random) -> bytes:
    return (
        text + rng.choice(["\nx = '" + "y" * (5 << 20) + "'\n", "\n# " + "z" * 5000 * 1000, "\n" * (5 << 20)])
    ).encode()


def numbers(text: str, rng: random.Random) -> bytes:
    for old in rng.sample(["128", "64", "32", "1024", "2"], 2):
        text = text.replace(
            old, rng.choice(["0", "-1", "10**9", "1 << 4000", "9" * 5000, "None", "'a'", "1e400", "nan"])
        )
    return text.encode()


def nothing(text: str, rng: random.Random) -> bytes:
    return rng.choice([b"", b"\n", b"\0", b"#", b"\\", b"tilelang"])


COMMON: tuple[Mutation, ...] = (
    cut, cut_out, lines_doubled, lines_mixed, indented, characters, noise, binary, encoded, line_ends, marked, nested,
    numbers, nothing,
)  # fmt: skip


def mutants(count: int, rng: random.Random, kernels: list[str]) -> dict[str, bytes]:
    found = {}
    for number in range(count):
        mutate = huge if number % 100 == 50 else COMMON[number % len(COMMON)]
        found[f"m{number:04}_{mutate.__name__}.py"] = mutate(rng.choice(kernels), rng)
    return found


def surrounded(write: Write, files: dict[str, bytes]) -> list[str]:
    """Writes the files among good ones; the names of the good ones that have a finding."""
    for name, data in files.items():
        write(name, data)
    return ["a_first.py", f"{list(files)[len(files) // 2]}_middle.py", "z_last.py"]


def test_static(write: Write, tmp_path: Path) -> None:
    files = mutants(COUNT, random.Random(SEED), KERNELS)
    good = surrounded(write, files)
    for name in good:
        write(name, DIRECTIVE)
    (tmp_path / "loop1.py").symlink_to(tmp_path / "loop2.py")
    (tmp_path / "loop2.py").symlink_to(tmp_path / "loop1.py")
    (tmp_path / "folder.py").mkdir()
    os.mkfifo(tmp_path / "pipe.py") if sys.platform != "win32" else None
    closed = write("closed.py", DIRECTIVE)
    closed.chmod(0)
    ran = run("lint", "--static", "--format", "json", *sorted(p.name for p in tmp_path.glob("*.py")))
    assert ran.code == 1, ran.err
    assert "Traceback" not in ran.err
    document = ran.json
    assert set(document["files"]) >= files.keys() | set(good) | {"loop1.py", "pipe.py", "closed.py"}
    assert [one for one in document["findings"] if one["code"] == "TS009"] == []
    found = {(one["file"], one["code"]) for one in document["findings"]}
    assert {(name, "TS006") for name in good} <= found
    assert ("loop1.py", "TS001") in found
    assert ("pipe.py", "TS001") in found
    assert any(one["file"] == "closed.py" for one in document["findings"])
    for form in ("full", "sarif", "junit", "github"):
        again = run("lint", "--static", "--format", form, "a_first.py", *list(files)[:40])
        assert again.code == 1
        again.out.encode()


def test_compiled(write: Write) -> None:
    pytest.importorskip("tilelang")
    rng = random.Random(SEED)
    files = {
        name: data
        for name, data in mutants(COMPILED, rng, [CLEAN, UNINITIALISED]).items()
        if name.split("_", 1)[1]
        in ("cut_out.py", "lines_mixed.py", "numbers.py", "characters.py", "lines_doubled.py")
    }
    good = surrounded(write, files)[1:2]
    for name in good:
        write(name, UNINITIALISED)
    ran = run("lint", "--target", "c", "--format", "json")
    assert ran.code == 1, ran.err
    found = {(one["file"], one["code"]) for one in ran.json["findings"]}
    assert {(name, "TS310") for name in good} <= found
    assert [one for one in ran.json["findings"] if one["code"] == "TS009"] == []
