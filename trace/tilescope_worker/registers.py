"""Registers, spills and stack of generated CUDA source, as NVIDIA's assembler reports them. Nothing is run."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tilelang.env import CUTLASS_INCLUDE_DIR, TILELANG_TEMPLATE_PATH

LIMIT_SECONDS = 50.0
"""How long the compiler may take: less than the silence after which a process counts as hanging."""
_HOME_VARIABLES = ("CUDA_HOME", "CUDA_PATH")
_STANDARDS = ("-std=c++20", "-std=c++17")
"""What TileLang 0.1.15 and older ones ask for; nvcc before 12 does not know the first."""
_ENTRY = re.compile(r"Compiling entry function '([^']+)'")
_STACK = re.compile(r"(\d+) bytes stack frame, (\d+) bytes spill stores, (\d+) bytes spill loads")
_USED = re.compile(r"Used (\d+) registers")
_STATIC = re.compile(r"(\d+) bytes smem")


class RegistersUnknownError(RuntimeError):
    """Why the assembler's report could not be had, for people."""


@dataclass(frozen=True)
class Usage:
    """What one thread of the kernel takes: registers, bytes that are spilled (stores and loads in the code), bytes of
    stack; and the static shared memory of a block."""

    registers: int
    spill_bytes: int
    stack_bytes: int
    shared_static_bytes: int


def measure(source: str, target: Any, configs: dict[str, Any]) -> Usage:
    """Compile ``source`` for the architecture of ``target`` under a kernel's pass ``configs`` (its compile flags
    among them) and read the assembler's report; of several kernels the largest figures count.

    Raises RegistersUnknownError without nvcc, and where it refuses the source or takes too long.
    """
    if str(target.kind.name) != "cuda":
        raise RegistersUnknownError(f"registers are not known for {target.kind.name}: only nvcc reports them")
    compiler = find()
    if compiler is None:
        raise RegistersUnknownError("registers are not known: there is no nvcc here (CUDA_HOME, then PATH)")
    with tempfile.TemporaryDirectory(prefix="tilescope-") as folder:
        file = Path(folder) / "kernel.cu"
        file.write_text(source, encoding="utf-8")
        report = _compile(compiler, file, str(target.attrs["arch"]), configs)
    return parse(report)


def find() -> str | None:
    """The nvcc that would be used: of CUDA_HOME, of CUDA_PATH, or on PATH."""
    for variable in _HOME_VARIABLES:
        candidate = Path(os.environ.get(variable, "")) / "bin" / "nvcc"
        if os.environ.get(variable) and candidate.exists():
            return str(candidate)
    return shutil.which("nvcc")


def parse(report: str) -> Usage:
    """The figures in what ``ptxas -v`` says. Raises RegistersUnknownError where it says none."""
    registers = [int(found) for found in _USED.findall(report)]
    if not registers or not _ENTRY.search(report):
        raise RegistersUnknownError("registers are not known: nvcc reported none")
    stacks = [tuple(map(int, found)) for found in _STACK.findall(report)]
    return Usage(
        registers=max(registers),
        spill_bytes=max((stores + loads for _, stores, loads in stacks), default=0),
        stack_bytes=max((stack for stack, _, _ in stacks), default=0),
        shared_static_bytes=max((int(found) for found in _STATIC.findall(report)), default=0),
    )


def _compile(compiler: str, file: Path, architecture: str, configs: dict[str, Any]) -> str:
    problem = ""
    for standard in _STANDARDS:
        command = [compiler, "-cubin", "-O3", f"-arch={architecture}", standard, "-Xptxas", "-v"]
        command += ["-I", TILELANG_TEMPLATE_PATH, "-I", CUTLASS_INCLUDE_DIR, *_flags(configs)]
        command += ["-o", os.devnull if os.name == "nt" else str(file.with_suffix(".cubin")), str(file)]
        try:
            done = subprocess.run(
                command,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                cwd=file.parent,
                timeout=LIMIT_SECONDS,
                check=False,
            )
        except subprocess.TimeoutExpired:
            raise RegistersUnknownError(
                f"registers are not known: nvcc took more than {LIMIT_SECONDS:.0f} seconds"
            ) from None
        except OSError as error:
            raise RegistersUnknownError(f"registers are not known: {compiler} does not run: {error}") from None
        said = done.stdout.decode("utf-8", "replace")
        if done.returncode == 0:
            return said
        problem = _first_error(said)
        if standard.partition("=")[2] not in said:
            break
    raise RegistersUnknownError(f"registers are not known: nvcc refuses the generated source: {problem}")


def _flags(configs: dict[str, Any]) -> list[str]:
    """The compiler's options that pass configs ask for, as TileLang turns them into options."""
    flags = configs.get("tl.device_compile_flags") or ()
    options = [token for flag in ([flags] if isinstance(flags, str) else flags) for token in shlex.split(str(flag))]
    if configs.get("tl.enable_fast_math"):
        options.append("--use_fast_math")
    if configs.get("tl.ptxas_register_usage_level") is not None:
        options.append(f"--ptxas-options=--register-usage-level={int(configs['tl.ptxas_register_usage_level'])}")
    return options


def _first_error(said: str) -> str:
    lines = [line.strip() for line in said.splitlines() if line.strip()]
    return next(
        (line for line in lines if "error" in line or "fatal" in line), lines[-1] if lines else "no reason given"
    )
