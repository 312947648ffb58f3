"""A user's program: imports a file, builds one of its kernels and lowers it, as tilelang.compile does before nvcc.

    python compile.py FILE KERNEL ARCH ARGS_JSON [--devkit plugin|instrument] [--times N]

lower_trace watches it by its environment variable; ``--devkit`` switches tilelang-devkit on in one of the two ways
that its page describes. ``--times`` lowers again, and the last line is then the milliseconds of each time.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import sys
import time
from types import ModuleType
from typing import Any

import tilelang
from tilelang.backend.target import determine_target


def load(path: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location("kernels", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["kernels"] = module
    spec.loader.exec_module(module)
    return module


def lower(func: Any, arch: str, configs: Any, devkit: str | None) -> None:
    instrument = None
    if devkit == "instrument":
        from tilelang_devkit.lower_trace import create_pass_instrument

        instrument = create_pass_instrument(mode="html", trace_dir="./traces")
    target = determine_target({"kind": "cuda", "arch": arch}, return_object=True)
    instruments = [] if instrument is None else [instrument]
    try:
        with tilelang.transform.PassContext(opt_level=3, config=configs, instruments=instruments), target:
            tilelang.lower(func, target=target)
    finally:
        if instrument is not None:
            instrument.finish()


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("file")
    parser.add_argument("kernel")
    parser.add_argument("arch")
    parser.add_argument("args", type=json.loads)
    parser.add_argument("--devkit", choices=("plugin", "instrument"))
    parser.add_argument("--times", type=int, default=0)
    options = parser.parse_args()
    sys.argv = [options.file]  # lower_trace names its folder after the program
    if options.devkit == "plugin":
        from tilelang_devkit import lower_trace

        lower_trace.enable(mode="html", trace_dir="./traces")
    kernel = getattr(load(options.file), options.kernel)
    func = kernel.get_tir(**options.args)
    configs = dict(kernel.pass_configs or {})
    lower(func, options.arch, configs, options.devkit)
    spent = []
    for _ in range(options.times):
        started = time.perf_counter()
        lower(func, options.arch, configs, options.devkit)
        spent.append((time.perf_counter() - started) * 1000)
    if spent:
        print(json.dumps(spent))


if __name__ == "__main__":
    main()
