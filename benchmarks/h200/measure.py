"""Launches each prepared kernel once: ``ncu ... python measure.py FOLDER`` on a machine with a GPU.

Needs the CUDA driver and Python's standard library only. Launches follow the manifest: all probes, then all kernels.
"""

from __future__ import annotations

import ctypes
import json
import sys
from pathlib import Path
from typing import Any

TENSOR_BYTES = 4 << 20
SHARED_ATTRIBUTE = 8
"""CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES."""


class Gpu:
    """The first GPU, through the driver's own interface."""

    def __init__(self) -> None:
        self._cuda = ctypes.CDLL("libcuda.so.1")
        device, context = ctypes.c_int(), ctypes.c_void_p()
        self._call("cuInit", 0)
        self._call("cuDeviceGet", ctypes.byref(device), 0)
        self._call("cuDevicePrimaryCtxRetain", ctypes.byref(context), device)
        self._call("cuCtxSetCurrent", context)

    def _call(self, name: str, *arguments: Any) -> None:
        status = getattr(self._cuda, name)(*arguments)
        if status:
            raise SystemExit(f"{name} failed with CUDA error {status}")

    def memory(self, size: int) -> ctypes.c_uint64:
        """Zeroed memory of the GPU."""
        address = ctypes.c_uint64()
        self._call("cuMemAlloc_v2", ctypes.byref(address), ctypes.c_size_t(size))
        self._call("cuMemsetD8_v2", address, ctypes.c_ubyte(0), ctypes.c_size_t(size))
        return address

    def module(self, path: Path) -> ctypes.c_void_p:
        """A cubin, loaded."""
        module = ctypes.c_void_p()
        self._call("cuModuleLoad", ctypes.byref(module), str(path).encode())
        return module

    def launch(
        self, module: ctypes.c_void_p, symbol: str, shape: list[int], shared: int, parameters: list[Any]
    ) -> None:
        """Launch a kernel over a grid and a block (``shape``) and wait for it."""
        function = ctypes.c_void_p()
        self._call("cuModuleGetFunction", ctypes.byref(function), module, symbol.encode())
        if shared > 48 * 1024:
            self._call("cuFuncSetAttribute", function, SHARED_ATTRIBUTE, shared)
        pointers = (ctypes.c_void_p * len(parameters))(*(ctypes.addressof(value) for value in parameters))
        self._call("cuLaunchKernel", function, *shape, shared, None, pointers, None)
        self._call("cuCtxSynchronize")


def main(arguments: list[str]) -> int:
    """Run what the folder named by the only argument holds."""
    if len(arguments) != 1:
        sys.stderr.write("usage: python measure.py FOLDER\n")
        return 2
    folder = Path(arguments[0])
    manifest = json.loads((folder / "manifest.json").read_text())
    gpu = Gpu()
    out = gpu.memory(TENSOR_BYTES)
    probes = gpu.module(folder / "probe.cubin")
    for pattern in manifest["patterns"]:
        lanes = (ctypes.c_int * 32)(*pattern["lanes"])
        gpu.launch(probes, pattern["probe"], [1, 1, 1, 32, 1, 1], manifest["shared_bytes"] + 16, [lanes, out])
    for kernel in manifest["kernels"]:
        module = gpu.module(folder / f"{kernel['name']}.cubin")
        tensors = [gpu.memory(TENSOR_BYTES) for _ in range(kernel["pointers"])]
        gpu.launch(module, kernel["symbol"], kernel["grid"] + kernel["block"], kernel["shared"], tensors)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
