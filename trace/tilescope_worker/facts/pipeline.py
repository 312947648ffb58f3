"""Software pipelines: what was asked for, what was planned, and warp specialization."""

from __future__ import annotations

from typing import Any

from tilescope_worker.wire.facts import Json

from .ir import Location, as_int, extent, kernel_bodies, location, statements

_REQUEST = {"num_stages": "num_stages", "tl_pipeline_order": "order", "tl_pipeline_stage": "stage"}
_PLAN = {
    "software_pipeline_stage": "stage",
    "software_pipeline_order": "order",
    "software_pipeline_async_producers": "async_producers",
}
_WARP_SPECIALIZATION = "kWarpSpecializationScope"


def is_pipelined(loop: Any) -> bool:
    return any(key in loop.annotations for key in _REQUEST)


def read(loop: Any) -> dict[str, Json]:
    """Facts of a ``T.Pipelined`` loop as written; ``num_stages`` is what its author asked for."""
    return {"extent": extent(loop.extent)} | _annotated(loop, _REQUEST)


def planned(mod: Any) -> dict[Location, dict[str, Json]]:
    """Stage and order of each statement, and which statements are asynchronous producers, by the loop's line."""
    found: dict[Location, dict[str, Json]] = {}
    for body in kernel_bodies(mod):
        for stmt in statements(body):
            if type(stmt).__name__ == "For" and any(key in stmt.annotations for key in _PLAN):
                where = location(stmt)
                if where is not None:
                    found.setdefault(where, _annotated(stmt, _PLAN))
    return found


def warp_specialization(mod: Any) -> dict[str, Json]:
    """Threads of the producer and the consumer warps; empty where the kernel is not specialized."""
    for body in kernel_bodies(mod):
        for stmt in statements(body):
            if type(stmt).__name__ == "AttrStmt" and stmt.attr_key == _WARP_SPECIALIZATION:
                producers, consumers = (as_int(size) for size in stmt.node)
                return {"producer_threads": producers, "consumer_threads": consumers}
    return {}


def _annotated(loop: Any, keys: dict[str, str]) -> dict[str, Json]:
    return {name: _plain(loop.annotations[key]) for key, name in keys.items() if key in loop.annotations}


def _plain(value: Any) -> Json:
    number = as_int(value)
    if number is not None:
        return number
    return [as_int(item) for item in value]
