"""Which matrix operation lays out which buffers: told by TileLang itself, whose matrix operations infer in Python."""

from __future__ import annotations

import functools
import importlib
import logging
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any

from .participants import Participant, Storage

logger = logging.getLogger(__name__)

_CLASSES = (("tilelang.tileop.gemm", "Gemm"), ("tilelang.tileop.gemm_sp", "GemmSP"))
"""Block-scaled operations inherit from Gemm."""
_ROLES = ("A", "B", "C", "E")
_SCALE_ROLES = ("SFA", "SFB")


@dataclass(frozen=True, eq=False)
class Operand:
    """An operand that a matrix operation lays out: its role (``A``), and the layout that it asks for."""

    role: str
    layout: Any


@dataclass(eq=False)
class Demand:
    """What one matrix operation asked for; empty where it raised. ``instruction`` is ``wgmma``, ``mma`` ..."""

    storages: tuple[Storage, ...]
    instruction: str | None = None
    operands: dict[Storage, Operand] = field(default_factory=dict)


class OperandWatch:
    """Sees every matrix operation infer the layouts of its operands in this thread, between `start` and `stop`."""

    def __init__(self) -> None:
        self.demands: list[Demand] = []
        self._watching = False

    def start(self) -> None:
        """Begin to watch; an earlier watch of this thread sees nothing from now on."""
        if not self._watching:
            _HOOKS.acquire()
            self._watching = True
        self.demands.clear()
        _LOCAL.watch = self

    def stop(self) -> None:
        """Leave TileLang as it was; what was seen stays. May be called again."""
        if self._watching:
            self._watching = False
            _HOOKS.release()
        if getattr(_LOCAL, "watch", None) is self:
            _LOCAL.watch = None

    def __enter__(self) -> OperandWatch:
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    def by_operation(self, operations: list[Participant]) -> dict[int, Demand]:
        """The demands by the index of their operation. Operations infer in program order."""
        found: dict[int, Demand] = {}
        demands = iter(self.demands)
        demand = next(demands, None)
        for operation in operations:
            if operation.kind != "gemm" or demand is None:
                continue
            touched = {buffer.data for buffer in operation.operands}
            if not touched.issuperset(demand.storages):
                logger.warning("a matrix operation inferred layouts out of order: operands are not known")
                return {}
            found[operation.index] = demand
            demand = next(demands, None)
        return found


_LOCAL = threading.local()


class _Hooks:
    """Wraps ``infer_layout`` of TileLang's matrix operations for as long as anybody watches."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._users = 0
        self._originals: list[tuple[Any, Callable[..., Any]]] = []

    def acquire(self) -> None:
        with self._lock:
            self._users += 1
            if self._users == 1:
                self._originals = [(owner, owner.infer_layout) for owner in _owners()]
                for owner, original in self._originals:
                    owner.infer_layout = _watched(original)

    def release(self) -> None:
        with self._lock:
            self._users -= 1
            if self._users == 0:
                for owner, original in self._originals:
                    owner.infer_layout = original
                self._originals = []


_HOOKS = _Hooks()


def _owners() -> Iterator[Any]:
    for module, name in _CLASSES:
        try:
            owner = getattr(importlib.import_module(module), name)
        except (ImportError, AttributeError):
            continue
        if hasattr(owner, "infer_layout"):
            yield owner


def _watched(original: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(original)
    def infer_layout(self: Any, target: Any, thread_nums: Any) -> Any:
        watch: OperandWatch | None = getattr(_LOCAL, "watch", None)
        demand = _demand(self) if watch is not None else None
        if watch is not None and demand is not None:
            watch.demands.append(demand)
        layouts = original(self, target, thread_nums)
        if demand is not None:
            _fill(demand, self, target, thread_nums, layouts)
        return layouts

    return infer_layout


def _demand(operation: Any) -> Demand | None:
    try:
        return Demand(tuple(_roles(operation)))
    except Exception:
        logger.warning("operands of %s not known", type(operation).__name__, exc_info=True)
        return None


def _fill(demand: Demand, operation: Any, target: Any, thread_nums: Any, layouts: Any) -> None:
    try:
        roles = _roles(operation)
        for buffer, layout in layouts.items():
            demand.operands[buffer.data] = Operand(roles.get(buffer.data, ""), layout)
        key = str(operation._select_gemm_instruction(int(thread_nums), target))
        demand.instruction = key.rpartition(".")[2] or None
    except Exception:
        logger.warning("layouts of %s not known", type(operation).__name__, exc_info=True)


def _roles(operation: Any) -> dict[Storage, str]:
    roles: dict[Storage, str] = {}
    for role in _ROLES:
        buffer = getattr(operation, role, None)
        if buffer is not None and hasattr(buffer, "data"):
            roles.setdefault(buffer.data, role)
    for role in _SCALE_ROLES:
        region = getattr(operation, f"{role}Region", None)
        if region is not None:
            roles.setdefault(region.buffer.data, role)
    return roles
