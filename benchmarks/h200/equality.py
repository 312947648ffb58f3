"""Whether kernels with stamps give the same results, to the last bit: ``python equality.py`` on a CUDA device.

Each case is recorded, compiled as it is and with stamps in every block, and both run on the same random tensors.
"""

from __future__ import annotations

import dataclasses
import importlib.util
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import tilelang
import torch
import tvm_ffi

from tilescope_trace.profile.stamps.plan import make_plan
from tilescope_trace.store.read import open_recording
from tilescope_worker.stamps.hook import CALLBACK, Hook

ROOT = Path(__file__).parents[2]
BUNDLED, TESTED = ROOT / "cli" / "tilescope" / "kernels", ROOT / "tests" / "kernels"
EVERY_BLOCK = 1024


@dataclasses.dataclass(frozen=True)
class Case:
    """A factory of a file, with arguments and pass configs. ``sums``: it adds up atomically, in any order."""

    file: Path
    factory: str
    arguments: dict[str, Any] = dataclasses.field(default_factory=dict)
    configs: dict[str, Any] = dataclasses.field(default_factory=dict)
    sums: bool = False


NO_SPECIALIZATION = {"tl.disable_warp_specialized": True}
CASES = (
    Case(BUNDLED / "elementwise.py", "add_one"),
    Case(BUNDLED / "gemm.py", "matmul"),
    Case(BUNDLED / "gemm.py", "matmul", {"num_stages": 1}),
    Case(BUNDLED / "gemm.py", "matmul", {}, NO_SPECIALIZATION),
    Case(BUNDLED / "gemm.py", "matmul", {}, {**NO_SPECIALIZATION, "tl.disable_tma_lower": True}),
    Case(BUNDLED / "attention.py", "attention"),
    Case(BUNDLED / "attention.py", "attention", {}, NO_SPECIALIZATION),
    Case(TESTED / "lines_attention.py", "attention", {"is_causal": True}),
    Case(TESTED / "lines_split_k.py", "matmul", sums=True),
)


def main() -> int:
    """A line for each case; 1 where one differs."""
    tilelang.disable_cache()
    differing = 0
    for case in CASES:
        label = f"{case.file.stem} {case.factory} {case.arguments or ''} {' '.join(case.configs)}"
        try:
            outcome = compared(case)
        except Exception as error:  # noqa: BLE001 - the next case may work
            outcome = f"{type(error).__name__}: {str(error).strip().splitlines()[-1][:150]}"
        differing += not outcome.startswith("equal")
        print(f"{label}: {outcome}", flush=True)
    return 1 if differing else 0


def compared(case: Case) -> str:
    """``equal``, or what is not."""
    spec = importlib.util.spec_from_file_location(f"{case.file.stem}_of_cases", case.file)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    function = getattr(module, case.factory).get_tir(**case.arguments)
    folder = Path(tempfile.mkdtemp())
    with open_recording(recorded(case, folder)) as recording:
        plan = make_plan([recording], (), EVERY_BLOCK, 512)
    if not plan.planned:
        return f"not stamped: {plan.refused}"
    plain = run(function, case)
    (folder / "plan.json").write_text(json.dumps(plan.for_hook()))
    hook = Hook(os.fspath(folder))
    hook.rewrite_sources()
    try:
        stamped = run(function, case)
    finally:
        tvm_ffi.remove_global_func(CALLBACK)
    if not hook.buffers:
        return f"no stamps: {hook.notes or 'the program compiles another source'}"
    same = all(
        torch.allclose(one, other, rtol=1e-3, atol=1e-3) if case.sums else torch.equal(one, other)
        for one, other in zip(plain, stamped, strict=True)
    )
    return f"{'equal' if same else 'DIFFERS'}, {len(plan.planned[0].sites)} sites"


def recorded(case: Case, folder: Path) -> Path:
    """A recording of the case for this device."""
    major, minor = torch.cuda.get_device_capability()
    target = f"cuda:sm_{major}{minor}{'a' if major == 9 else ''}"
    chosen = [word for name, value in case.arguments.items() for word in ("--set", f"{name}={value}")]
    configs = [word for name, value in case.configs.items() for word in ("--pass-config", f"{name}={value}")]
    out = folder / "kernel.tscope"
    command = [sys.executable, "-m", "tilescope", "trace", str(case.file), "--kernel", case.factory]
    subprocess.run([*command, "--target", target, *chosen, *configs, "-o", str(out)], check=True, capture_output=True)
    return out


def run(function: Any, case: Case) -> list[torch.Tensor]:
    """All tensors after one launch on the same random ones."""
    kernel = tilelang.compile(function, pass_configs=case.configs or None)
    torch.manual_seed(0)
    tensors = []
    for parameter in function.params:
        buffer = function.buffer_map[parameter]
        shape = [int(extent) for extent in buffer.shape]
        tensors.append(torch.randn(shape, device="cuda").to(getattr(torch, str(buffer.dtype))))
    kernel(*tensors)
    torch.cuda.synchronize()
    return tensors


if __name__ == "__main__":
    sys.exit(main())
