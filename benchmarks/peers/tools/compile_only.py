"""TileLang's compile_only: a command that writes the generated source."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from peers.cases import Case
from peers.compiler_text import said_in
from peers.judge import Said
from peers.place import Place, run_all

NAME = "compile_only"
DISTRIBUTION = "tilelang"
HOW = (
    '`python -m tilelang.tools.compile_only --target "cuda -arch=T" --output_file OUT FILE`; it takes no arguments: '
    "where a kernel needs some, FILE is one of five lines that builds it with them"
)
_BUILDS = """from importlib.util import module_from_spec, spec_from_file_location

spec = spec_from_file_location("kernels", {path!r})
kernels = module_from_spec(spec)
spec.loader.exec_module(kernels)
kernel = kernels.{kernel}.get_tir(**{args!r})
"""


def command(case: Case, folder: Path) -> list[str]:
    """The command for a case; where its kernel needs arguments, a file that builds it is written to the folder."""
    path = case.path
    if case.args:
        path = folder / "builds.py"
        path.write_text(_BUILDS.format(path=str(case.path), kernel=case.kernel, args=case.args), encoding="utf-8")
    target = f"cuda -arch={case.target}"
    return ["-m", "tilelang.tools.compile_only", "--target", target, "--output_file", "kernel.cu", str(path)]


def look(cases: Sequence[Case], place: Place) -> dict[str, tuple[Said, ...]]:
    commands = {case.name: command(case, place.folder("compile_only", case.name)) for case in cases}
    ran = run_all("compile_only", commands, place)
    paths = {case.name: case.path for case in cases}
    return {name: said_in(one.output, paths[name], failed=one.code != 0) for name, one in ran.items()}
