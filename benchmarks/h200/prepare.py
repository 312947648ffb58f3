"""Lowers and compiles what `measure.py` runs on a GPU: ``python prepare.py FOLDER`` (needs tilelang and nvcc).

FOLDER then holds a cubin for each kernel and for the probes, the generated sources, and ``manifest.json``.
"""

from __future__ import annotations

import dataclasses
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import tilelang
import tvm
from patterns import SHARED_BYTES, patterns
from tilelang.backend.target import determine_target
from tilelang.transform.pass_config import normalize_pass_configs

HERE = Path(__file__).parent
FILE = HERE.parents[1] / "tests" / "kernels" / "warp_accesses.py"
MACHINE = "sm_90a"


@dataclasses.dataclass(frozen=True)
class Case:
    """A kernel of tests/kernels/warp_accesses.py with the architecture it is lowered for; the machine code is always
    that of the GPU that measures."""

    name: str
    kernel: str
    arguments: dict[str, Any]
    architecture: str = "sm_80"


CASES = (
    Case("transpose", "transpose", {}),
    Case("transpose_padded", "transpose", {"pad": 1}),
    Case("gemm_swizzled", "gemm", {}),
    Case("gemm_linear", "gemm", {"linear": True}),
    Case("gemm_linear_narrow", "gemm", {"linear": True, "bK": 32}),
    Case("epilogue_linear", "epilogue", {}, "sm_90a"),
    Case("vectors_of_16", "rows_of_vectors", {}),
    Case("vectors_of_16_padded", "rows_of_vectors", {"pad": 8}),
    Case("vectors_of_8", "rows_of_vectors", {"take": 4}),
    Case("vectors_of_8_padded", "rows_of_vectors", {"take": 4, "pad": 4}),
    Case("sums", "sums", {}),
    Case("columns_of_tensor", "columns_of_tensor", {}),
)


def main(arguments: list[str]) -> int:
    """Fills the folder named by the only argument."""
    if len(arguments) != 1:
        sys.stderr.write("usage: python prepare.py FOLDER\n")
        return 2
    folder = Path(arguments[0])
    folder.mkdir(parents=True, exist_ok=True)
    _compile(HERE / "probe.cu", folder / "probe.cubin", [])
    sys.path.insert(0, str(FILE.parent))
    manifest = {
        "shared_bytes": SHARED_BYTES,
        "patterns": [dataclasses.asdict(pattern) for pattern in patterns()],
        "kernels": [_prepare(case, folder) for case in CASES],
    }
    (folder / "manifest.json").write_text(json.dumps(manifest))
    return 0


def _prepare(case: Case, folder: Path) -> dict[str, Any]:
    import warp_accesses

    impl = getattr(warp_accesses, case.kernel)
    target = determine_target({"kind": "cuda", "arch": case.architecture}, return_object=True)
    config = normalize_pass_configs(impl.pass_configs)
    with tvm.transform.PassContext(opt_level=3, config=config), target:
        artifact = tilelang.lower(impl.get_tir(**case.arguments), target=target)
    source = folder / f"{case.name}.cu"
    source.write_text(artifact.kernel_source)
    _compile(source, folder / f"{case.name}.cubin", ["-lineinfo", *_includes()])
    (function,) = artifact.device_mod.functions.values()
    extents = function.attrs["thread_extent"]
    return {
        "name": case.name,
        "symbol": str(function.attrs["global_symbol"]),
        "grid": [int(extents.get(f"blockIdx.{axis}", 1)) for axis in "xyz"],
        "block": [int(extents.get(f"threadIdx.{axis}", 1)) for axis in "xyz"],
        "shared": int(function.attrs.get("dyn_shared_memory_buf", 0)),
        "pointers": len(function.params),
        "kernel": case.kernel,
        "arguments": case.arguments,
        "architecture": case.architecture,
        "lines": _python_lines(case, folder, artifact.kernel_source),
    }


def _python_lines(case: Case, folder: Path, source: str) -> dict[int, str]:
    """The text of the Python line that each line of the generated source comes from."""
    recording = folder / f"{case.name}.tscope"
    tool = [sys.executable, "-m", "tilescope"]
    chosen = [argument for item in case.arguments.items() for argument in ("--set", "=".join(map(str, item)))]
    target = f"cuda:{case.architecture}"
    command = [*tool, "trace", str(FILE), "--kernel", f"{case.kernel}.main", "--target", target, *chosen]
    subprocess.run([*command, "-o", str(recording)], check=True, capture_output=True)
    shown = [*tool, "show", str(recording), "--generated", "--format", "json"]
    lines = json.loads(subprocess.run(shown, check=True, capture_output=True, text=True).stdout)["lines"]
    if "\n".join(line["text"] for line in lines).strip() != source.strip():
        raise SystemExit(f"{case.name}: the recording has another source")
    written = FILE.read_text().splitlines()
    return {line["line"]: written[line["source"][0]["line"] - 1].strip() for line in lines if line["source"]}


def _includes() -> Iterator[str]:
    package = Path(tilelang.__file__).parent
    for path in (package / "src", package / "3rdparty" / "cutlass" / "include"):
        yield f"-I{path}"


def _compile(source: Path, cubin: Path, options: list[str]) -> None:
    command = ["nvcc", "-cubin", f"-arch={MACHINE}", "-std=c++17", *options, "-o", str(cubin), str(source)]
    subprocess.run(command, check=True)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
