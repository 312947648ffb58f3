"""Questions to the device, answered for the target as the worker answers them when it executes the file."""

from __future__ import annotations

from tilescope_worker.models import Model

from .call_arguments import Arguments
from .values import UNKNOWN, Namespace, Value

_FP8 = {"e4m3": "float8_e4m3fn", "e5m2": "float8_e5m2"}
_FP8_AMD = {"e4m3": "float8_e4m3fnuz", "e5m2": "float8_e5m2fnuz"}
_OPEN = "gfx950"
"""The AMD architecture that has the OCP types."""


def attribute(dotted: str, model: Model) -> Value:
    """``torch.version.hip`` and ``torch.version.cuda``, of which one is None."""
    if dotted in ("torch.version.hip", "torch.version.cuda"):
        return None if model.is_amd == dotted.endswith("cuda") else UNKNOWN
    return UNKNOWN


def function(dotted: str, given: Arguments, model: Model) -> Value:
    """The answer to a call; UNKNOWN for what is no question to the device."""
    head, _, last = dotted.rpartition(".")
    if head == "torch.cuda":
        return _runtime(last, model)
    if last == "get_num_sms" and head.startswith("tilelang"):
        return model.multiprocessors
    if last == "get_target_compute_version" and not model.is_amd:
        return ".".join(map(str, model.capability))
    if last == "parse_compute_version" and given.args and isinstance(given.args[0], str):
        parts = given.args[0].split(".")
        return tuple(map(int, parts)) if len(parts) == 2 and all(map(str.isdigit, parts)) else UNKNOWN
    if last in ("determine_fp8_type", "determine_torch_fp8_type") and head.startswith("tilelang"):
        kind = given.args[0] if given.args else given.kwargs.get("fp8_format", "e4m3")
        names = _FP8_AMD if model.is_amd and model.architecture != _OPEN else _FP8
        return names.get(kind, UNKNOWN) if isinstance(kind, str) else UNKNOWN
    return UNKNOWN


def _runtime(name: str, model: Model) -> Value:
    if name == "get_device_properties":
        return Namespace(
            {
                "name": model.name,
                "major": model.capability[0],
                "minor": model.capability[1],
                "multi_processor_count": model.multiprocessors,
                "max_threads_per_multi_processor": model.threads,
                "shared_memory_per_block": model.shared_static,
                "shared_memory_per_block_optin": model.shared_per_block,
                "shared_memory_per_multiprocessor": model.shared_per_multiprocessor,
                "total_memory": model.memory,
                "warp_size": model.warp,
                "L2_cache_size": model.l2,
            }
        )
    answers: dict[str, Value] = {
        "current_device": 0,
        "device_count": 1,
        "get_device_capability": model.capability,
        "get_device_name": model.name,
        "is_available": True,
    }
    return answers.get(name, UNKNOWN)
