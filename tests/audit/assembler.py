"""What the assembler's report and the binary that it makes say: registers, static shared memory, threads of a block.

The binary is read here, as the ELF file it is: ``.nv.info`` has the registers of each function and, per kernel, its
launch bounds; the section ``.nv.shared`` is as large as what comes before dynamic shared memory, which on sm_90
begins with 1024 bytes that the system keeps.
"""

from __future__ import annotations

import math
import struct
import subprocess
import tempfile
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from tilelang.env import CUTLASS_INCLUDE_DIR, TILELANG_TEMPLATE_PATH

from tilescope_worker import registers, targets

from .claims import Claim
from .compiled import Compiled

_KERNEL = "main_kernel"
_MAX_THREADS, _REGISTERS, _SIZED = 0x05, 0x2F, 0x04
"""Attributes of ``.nv.info``, and the format of those with a size and a value behind it."""
_RESERVED = {"cuda:sm_90a": 1024}


def is_present() -> bool:
    """Whether there is a compiler to ask."""
    return registers.find() is not None


def claims(one: Compiled) -> Iterator[Claim]:
    """Claims for a CUDA kernel."""
    if not one.target.startswith("cuda"):
        return
    launch = one.facts.launch
    assert launch is not None
    told = registers.measure(one.source.text, targets.resolve(one.target), {})
    yield Claim("assembler.registers", one.title, told.registers, lambda: _binary(one)[0])
    before_dynamic = next((use.bytes for use in launch.memory if use.space == "shared"), 0)
    before_dynamic -= launch.shared_dynamic_bytes or 0
    yield Claim("assembler.static bytes", one.title, before_dynamic, lambda: told.shared_static_bytes)
    yield Claim("assembler.static bytes in binary", one.title, before_dynamic, lambda: _binary(one)[1])
    yield Claim("assembler.threads", one.title, launch.threads_lowered, lambda: _binary(one)[2])


@cache
def _binary(one: Compiled) -> tuple[int, int, int]:
    """Registers, static shared memory and launch bounds."""
    compiler = registers.find()
    assert compiler is not None
    with tempfile.TemporaryDirectory() as folder:
        file, binary = Path(folder) / "kernel.cu", Path(folder) / "kernel.cubin"
        file.write_text(one.source.text, encoding="utf-8")
        command = [compiler, "-cubin", "-O3", f"-arch={one.target.partition(':')[2]}", "-std=c++20"]
        command += ["-I", TILELANG_TEMPLATE_PATH, "-I", CUTLASS_INCLUDE_DIR, "-o", str(binary), str(file)]
        subprocess.run(command, check=True, capture_output=True)
        sections = _sections(binary.read_bytes())
    shared = max(sections.get(f".nv.shared.{_KERNEL}", (0, b""))[0] - _RESERVED.get(one.target, 0), 0)
    counted = [struct.unpack("<II", value)[1] for value in _attributes(sections[".nv.info"][1], _REGISTERS)]
    bounds = next(_attributes(sections[f".nv.info.{_KERNEL}"][1], _MAX_THREADS))
    return max(counted), shared, math.prod(struct.unpack("<III", bounds))


def _sections(binary: bytes) -> dict[str, tuple[int, bytes]]:
    """Size and content of the sections of a 64-bit ELF file by their names."""
    (start,) = struct.unpack_from("<Q", binary, 0x28)
    size, count, names_at = struct.unpack_from("<HHH", binary, 0x3A)
    headers = [struct.unpack_from("<IIQQQQIIQQ", binary, start + at * size) for at in range(count)]
    names = headers[names_at]
    found = {}
    for header in headers:
        at = names[4] + header[0]
        name = binary[at : binary.index(b"\0", at)].decode()
        found[name] = (header[5], binary[header[4] : header[4] + header[5]])
    return found


def _attributes(section: bytes, wanted: int) -> Iterator[bytes]:
    """The values of an attribute in a section of ``.nv.info``."""
    at = 0
    while at < len(section):
        form, kind, size = struct.unpack_from("<BBH", section, at)
        sized = size if form == _SIZED else 0
        if form == _SIZED and kind == wanted:
            yield section[at + 4 : at + 4 + size]
        at += 4 + sized
