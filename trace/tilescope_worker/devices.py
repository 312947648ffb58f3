"""What a program asks of its GPU is answered for the selected target; tensors on a GPU become tensors without data.

Kernels ask for the capability or the number of SMs, at import or in their factory, and modules make tensors on the
device. Within `selected` PyTorch (and what TileLang asks through it) answers as on a machine with the device of the
target, whatever this machine has: a real device is neither asked nor used.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from types import SimpleNamespace
from typing import Any

from .models import Model, model_of
from .standins import Inert

_NOTHING = (
    "_lazy_init",
    "empty_cache",
    "init",
    "ipc_collect",
    "manual_seed",
    "manual_seed_all",
    "reset_max_memory_allocated",
    "reset_peak_memory_stats",
    "seed",
    "seed_all",
    "set_device",
    "set_per_process_memory_fraction",
    "set_stream",
    "synchronize",
)
_OBJECTS = ("CUDAGraph", "Event", "ExternalStream", "Stream", "StreamContext", "current_stream", "default_stream")
_CONTEXTS = ("device", "device_of", "graph", "stream")
_KIND = {True: "hip", False: "cuda"}


class Device:
    """The device of a target. ``asked`` is whether the program has asked for a figure of it."""

    def __init__(self, target: str) -> None:
        self.model = model_of(target)
        self.target = target
        self.asked = False

    def note(self) -> tuple[str, ...]:
        """A sentence on whose figures the program got, if it asked for any."""
        model = self.model
        if model is None or not self.asked:
            return ()
        return (f"device queries are answered for {self.target}: {model.name}, {model.multiprocessors} SMs",)

    def figure(self, value: Any) -> Callable[..., Any]:
        """A function that gives ``value`` and notes that it was asked."""

        def answer(*_: Any, **__: Any) -> Any:
            self.asked = True
            return value

        return answer

    def answers(self, model: Model) -> dict[str, Any]:
        """The functions of ``torch.cuda`` by name."""
        properties = properties_of(model)
        asked = self.figure
        return {
            "current_device": lambda: 0,
            "device_count": lambda: 1,
            "get_arch_list": asked([model.architecture]),
            "get_device_capability": asked(model.capability),
            "get_device_name": asked(model.name),
            "get_device_properties": asked(properties),
            "is_available": lambda: True,
            "is_bf16_supported": lambda *_, **__: model.capability >= (8, 0),
            "is_initialized": lambda: True,
            "max_memory_allocated": lambda *_, **__: 0,
            "mem_get_info": asked((model.memory, model.memory)),
            "memory_allocated": lambda *_, **__: 0,
            **{name: lambda *_, **__: None for name in _NOTHING},
            **{name: Inert(f"torch.cuda.{name}") for name in (*_OBJECTS, *_CONTEXTS)},
        }


def properties_of(model: Model) -> SimpleNamespace:
    """What ``torch.cuda.get_device_properties`` gives."""
    major, minor = model.capability
    return SimpleNamespace(
        name=model.name,
        major=major,
        minor=minor,
        multi_processor_count=model.multiprocessors,
        total_memory=model.memory,
        warp_size=model.warp,
        max_threads_per_block=1024,
        max_threads_per_multi_processor=model.threads,
        regs_per_multiprocessor=64 << 10,
        shared_memory_per_block=model.shared_static,
        shared_memory_per_block_optin=model.shared_per_block,
        shared_memory_per_multiprocessor=model.shared_per_multiprocessor,
        L2_cache_size=model.l2,
        gcnArchName=model.architecture if model.is_amd else "",
        is_integrated=False,
        is_multi_gpu_board=False,
    )


@contextmanager
def selected(device: Device) -> Iterator[None]:
    """Answer for ``device`` within."""
    torch: Any = sys.modules.get("torch")
    if torch is None:
        yield
        return
    with ExitStack() as undo:
        model = device.model
        if model is not None:
            _replace(undo, torch.cuda, device.answers(model))
            _replace(undo, torch.version, {"hip": "6.4" if model.is_amd else None})
            if not model.is_amd and getattr(torch.version, "cuda", None) is None:
                _replace(undo, torch.version, {"cuda": "12.8"})
            _answer_tilelang(undo, model, device.figure)
        _replace(undo, torch, {"set_default_device": lambda *_: None, "compile": _uncompiled})
        undo.enter_context(_no_device(torch))
        yield


def _answer_tilelang(undo: ExitStack, model: Model, asked: Callable[[Any], Callable[..., Any]]) -> None:
    """Where TileLang looks for a device without asking PyTorch each time."""
    device = _module("tilelang.utils.device")
    if device is not None:
        _replace(undo, device, {"IS_CUDA": True})
    available = _module("tilelang.rocm.target" if model.is_amd else "tilelang.cuda.target")
    if available is not None:
        _replace(undo, available, {f"check_{_KIND[model.is_amd]}_availability": lambda: True})
    driver = _module("tilelang.carver.arch.driver.cuda_driver")
    if driver is not None:
        properties = properties_of(model)
        attributes = {
            driver.cudaDeviceAttrNames.cudaDevAttrMaxThreadsPerBlock: 1024,
            driver.cudaDeviceAttrNames.cudaDevAttrMaxRegistersPerBlock: properties.regs_per_multiprocessor,
            driver.cudaDeviceAttrNames.cudaDevAttrMaxSharedMemoryPerMultiprocessor: model.shared_per_multiprocessor,
        }
        answers = {
            "get_cuda_device_properties": asked(properties),
            "get_device_attribute": lambda attribute, *_: asked(attributes.get(attribute))(),
        }
        _replace(undo, driver, answers)
    nvcc = _module("tilelang.contrib.nvcc")
    if nvcc is not None and not model.is_amd:
        original = nvcc.get_target_compute_version
        major, minor = model.capability

        def compute_version(target: Any = None) -> Any:
            from tvm.target import Target

            if target is not None or Target.current(allow_none=True) is not None:
                return original(target)
            return asked(f"{major}.{minor}")()

        _replace(undo, nvcc, {"get_target_compute_version": compute_version})


def _module(name: str) -> Any:
    try:
        return importlib.import_module(name)
    except ImportError:
        return None


def _replace(undo: ExitStack, owner: Any, values: dict[str, Any]) -> None:
    """Set attributes that ``owner`` has, until ``undo`` is left."""
    for name, value in values.items():
        if name in vars(owner):
            undo.callback(setattr, owner, name, vars(owner)[name])
            setattr(owner, name, value)


def _uncompiled(model: Any = None, **_: Any) -> Any:
    """In place of ``torch.compile``, whose import takes seconds and which nothing here needs."""
    return (lambda function: function) if model is None else model


def _no_device(torch: Any) -> Any:
    from torch.overrides import TorchFunctionMode

    class OnMeta(TorchFunctionMode):  # type: ignore[misc]
        """Tensors that are asked for on a GPU hold shape and dtype, but no data."""

        def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
            del types
            kwargs = dict(kwargs or {})
            if _is_gpu(kwargs.get("device")):
                kwargs["device"] = "meta"
            name = getattr(func, "__name__", "")
            if name == "cuda" and args and isinstance(args[0], torch.Tensor):
                return args[0].to("meta")
            if name == "to" and len(args) > 1 and _is_gpu(args[1]):
                args = (args[0], "meta", *args[2:])
            return func(*args, **kwargs)

    def _is_gpu(device: Any) -> bool:
        if isinstance(device, bool):
            return False
        if isinstance(device, (int, Inert)):
            return True
        kind = device.type if isinstance(device, torch.device) else str(device or "").partition(":")[0]
        return kind in ("cuda", "npu", "hip", "mps", "xpu")

    return OnMeta()
