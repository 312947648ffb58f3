"""Limits of worker processes."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Policy:
    """What a child may use before it is killed, and what is kept between jobs.

    ``step_seconds``: longest silence between two events of a job (executing the module, elaborating, one stage); a
    job that gets little of a busy processor is given up to four times that.
    ``start_seconds``: from process start to Hello (imports TileLang and torch).
    ``memory_bytes``: resident memory of the child, checked every ``watch_seconds``.
    ``grace_seconds``: how long a cancelled job may still take to end by itself.
    ``spares``: whether a spare child waits for the next job of each document; of no use where there is only one.
    ``documents``: documents whose processes are kept; the least recently used are dropped first.
    ``warm_targets``: lowered once in the zygote when it is idle for the first time, so that later forks start warm.
    ``nice``: how far the processes give way to others, as for the command of that name.
    ``fork``: False plays all parts in one persistent process, as where fork is not available.
    """

    step_seconds: float = 60.0
    start_seconds: float = 120.0
    memory_bytes: int = 12 << 30
    watch_seconds: float = 0.1
    grace_seconds: float = 0.02
    spares: bool = True
    documents: int = 8
    warm_targets: tuple[str, ...] = ()
    nice: int = 0
    fork: bool | None = None
