"""Counters of an Ascend timeline: which values an event has, and in what unit."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

_IN_UNIT = re.compile(r"(.*?)\s*\(([^()]*)\)$")
_BARE_UNITS = ("MHz", "KB", "MB")
_ANONYMOUS = ("value", "")


def counted(event: str, args: Mapping[str, Any]) -> list[tuple[str, float, str]]:
    """Name, value and unit of each counter in one event. A key is a unit (``MHz``), a name with its unit
    (``Read(MB/s)``), a bare name, or the number of a part (``acc_id``)."""
    of = "".join(f" {key} {value}" for key, value in args.items() if key.endswith("_id")) if len(args) > 1 else ""
    found = []
    for key, value in args.items():
        if isinstance(value, (int, float)) and not isinstance(value, bool) and not key.endswith("_id"):
            title, unit = _titled(event, key, of)
            found.append((title, float(value), unit))
    return found


@lru_cache(maxsize=4096)
def _titled(event: str, key: str, of: str) -> tuple[str, str]:
    name, unit = split_unit(key)
    return (event + of if name in _ANONYMOUS or name in event else f"{event}{of} {name}"), unit


@lru_cache(maxsize=1024)
def split_unit(key: str) -> tuple[str, str]:
    """A column's name and its unit: ``Read(MB/s)`` is ``Read`` in ``MB/s``, ``MHz`` is nothing but a unit."""
    if key in _BARE_UNITS:
        return "", key
    found = _IN_UNIT.match(key)
    return (found[1], found[2]) if found else (key, "")
