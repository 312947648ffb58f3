"""The alternative to `edit.py`: one warm process that executes, elaborates and lowers to layouts, and nothing else.

Reads the name of a file from each line of stdin, answers with the milliseconds it took. TileLang's layout inference
is wrapped so that it ends the lowering by an exception: the cheapest way to stop there.
"""

from __future__ import annotations

import importlib
import linecache
import sys
import time
import types
from pathlib import Path
from typing import Any

import tilelang
from tilelang.backend.module import create_backend_context
from tilelang.backend.target import determine_target
from tilelang.transform.pass_config import normalize_pass_configs


class Reached(Exception):  # noqa: N818 - a signal, not a fault
    pass


def to_layouts(func: Any, target: Any, configs: dict[str, Any]) -> None:
    original = tilelang.transform.LayoutInference

    def stopping() -> Any:
        real = original()

        def run(mod: Any) -> Any:
            real(mod)
            raise Reached

        return run

    tilelang.transform.LayoutInference = stopping
    try:
        context = create_backend_context(target, None, "auto")
        with tilelang.transform.PassContext(opt_level=3, config=configs), target:
            importlib.import_module("tilelang.engine.lower").lower_to_host_device_ir(func, context)
    except Reached:
        return
    finally:
        tilelang.transform.LayoutInference = original


def main() -> None:
    target = determine_target({"kind": "cuda", "arch": "sm_90a"}, return_object=True)
    for line in sys.stdin:
        path = line.strip()
        text = Path(path).read_text(encoding="utf-8")
        started = time.perf_counter()
        linecache.cache[path] = (len(text), None, text.splitlines(True), path)
        module = types.ModuleType("edited")
        sys.modules["edited"] = module
        exec(compile(text, path, "exec"), module.__dict__)
        func = module.matmul.get_tir()
        to_layouts(func, target, normalize_pass_configs({}))
        print(f"{(time.perf_counter() - started) * 1000:.3f}", flush=True)


if __name__ == "__main__":
    main()
