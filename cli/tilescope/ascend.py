"""The commands that profile a program on Ascend hardware, which tilescope itself does not start."""

from __future__ import annotations

import shlex
from collections.abc import Sequence


def instructions(program: Sequence[str], kernel: str = "main_kernel") -> list[str]:
    """What to run on the machine with the NPU, and how to read what comes out. The flags are
    those that CANN's documentation gives; they were not tried on a device."""
    command = shlex.join(program)
    return [
        '# 1. Machine code with source lines: give each kernel compile_flags=["-g"], and compile it anew',
        "export TILELANG_CACHE_DIR=$(mktemp -d)",
        "",
        "# 2. The whole program: timeline, op_summary, task_time",
        f"msprof --output=./msprof_out --task-time=on --ai-core=on --aic-metrics=PipeUtilization {command}",
        "tilescope timeline msprof_out",
        "",
        "# 3. One kernel on the device: pipe utilization, memory, conflicts",
        f"msprof op --kernel-name={kernel} --launch-count=1 --output=./opprof_out {command}",
        "tilescope timeline opprof_out",
        "",
        "# 4. One kernel in the simulator: each instruction with its source line, which needs step 1",
        "#    CHIP is Ascend and the name that `npu-smi info` shows; the kernel's name is a prefix of its symbol",
        f"msprof op simulator --soc-version=CHIP --kernel-name={kernel} --output=./opsim_out {command}",
        "tilescope timeline opsim_out",
        "",
        "# Recordings, to have profiles shown over Python, IR and generated source",
        f"tilescope trace -o recordings -- {command}",
    ]
