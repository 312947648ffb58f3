"""Machine code of NVIDIA GPUs: found in the libraries that TileLang keeps, disassembled with inline stacks.

nvdisasm comes with the extra ``tilescope[profile]`` (NVIDIA's wheel), or from a CUDA toolkit.
"""

from __future__ import annotations

import os
import shutil
import struct
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

from tilescope_trace.errors import UsageError

from .inline_chains import Chains, inline_chains
from .source import Source

_ELF = b"\x7fELF\x02\x01\x01"
_CUDA_MACHINE = 190
"""EM_CUDA of the ELF specification's list of machines."""
_FATBIN = b"\x50\xed\x55\xba"
INSTALL = "pip install 'tilescope[profile]', or put the bin folder of a CUDA toolkit on PATH"


def machine_code(path: Path) -> dict[str, Chains]:
    """The kernels in a file (a cubin, a library of TileLang's cache, a text that ``nvdisasm -gi`` printed; compressed
    or not), by symbol. Raises UsageError where there are none, or no nvdisasm."""
    if path.is_dir():
        raise UsageError(f"{path}: a folder; name the file with the machine code in it")
    if path.exists() and not path.is_file():
        raise UsageError(f"{path}: a device, pipe or socket; name a file with the machine code in it")
    with Source(path).open() as stream:
        data = stream.read()
    if b"//## File" in data or b"\t.section\t.text." in data:
        return inline_chains(data.decode("utf-8", "replace").split("\n"))
    found: dict[str, Chains] = {}
    for cubin in [*cubins(data)] or [*_extracted(path, data)]:
        found |= disassembled(cubin)
    if not found:
        raise UsageError(
            f"{path}: holds no machine code of an NVIDIA GPU; expected a cubin, executable.so of TileLang's cache"
            " (~/.tilelang/cache), or what `nvdisasm -gi -c` printed"
        )
    return found


def cubins(data: bytes) -> Iterator[bytes]:
    """The cubins that lie in a file as they are, whatever is around them. Offsets are of ELF's 64-bit header."""
    at = data.find(_ELF)
    while at >= 0:
        header = data[at : at + 64]
        if len(header) == 64 and struct.unpack_from("<H", header, 18)[0] == _CUDA_MACHINE:
            sections, entry, count = (
                struct.unpack_from("<Q", header, 40)[0],
                *struct.unpack_from("<HH", header, 58),
            )
            programs, size, number = (
                struct.unpack_from("<Q", header, 32)[0],
                *struct.unpack_from("<HH", header, 54),
            )
            end = max(sections + entry * count, programs + size * number)
            if at + end <= len(data):
                yield data[at : at + end]
        at = data.find(_ELF, at + 1)


def disassembled(cubin: bytes) -> dict[str, Chains]:
    """What nvdisasm makes of a cubin. Raises UsageError without nvdisasm, or for what it refuses."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "kernel.cubin"
        path.write_bytes(cubin)
        return inline_chains(_run("nvdisasm", "-gi", "-c", str(path)).split("\n"))


def _extracted(path: Path, data: bytes) -> Iterator[bytes]:
    """Cubins of a fat binary, which may be compressed."""
    if _FATBIN not in data:
        return
    with tempfile.TemporaryDirectory() as folder:
        _run("cuobjdump", "-xelf", "all", str(path.absolute()), folder=folder)
        for cubin in sorted(Path(folder).glob("*.cubin")):
            yield cubin.read_bytes()


def _run(name: str, *arguments: str, folder: str | None = None) -> str:
    tool = find_tool(name)
    if tool is None:
        raise UsageError(f"{name} is not installed: {INSTALL}")
    done = subprocess.run(
        [tool, *arguments], capture_output=True, text=True, cwd=folder, errors="replace", check=False
    )
    if done.returncode:
        raise UsageError(f"{name}: {(done.stderr or done.stdout).strip().splitlines()[-1:]}")
    return done.stdout


def find_tool(name: str) -> str | None:
    """A tool of CUDA's: of NVIDIA's wheels beside us, on PATH, or in a toolkit."""
    folders = [Path(entry, "bin") for entry in _wheels()]
    folders += [Path(os.environ[key], "bin") for key in ("CUDA_HOME", "CUDA_PATH") if os.environ.get(key)]
    folders.append(Path("/usr/local/cuda/bin"))
    suffix = ".exe" if sys.platform == "win32" else ""
    for folder in folders:
        if (folder / f"{name}{suffix}").is_file():
            return str(folder / f"{name}{suffix}")
    return shutil.which(name)


def _wheels() -> Iterator[str]:
    """The folders of NVIDIA's wheels: ``nvidia/cu13``, and ``nvidia/cuda_nvdisasm`` of older ones."""
    spec = find_spec("nvidia")
    for place in (spec.submodule_search_locations or []) if spec else []:
        yield from (str(path) for path in sorted(Path(place).glob("cu*")))
