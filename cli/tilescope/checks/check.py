"""The result of looking at one thing."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

CheckStatus = Literal["ok", "missing", "broken"]


@dataclass(frozen=True)
class Check:
    """``detail`` says what was found; ``lost`` what does not work because of it, ``remedy`` how to get it."""

    name: str
    status: CheckStatus
    detail: str
    lost: str | None = None
    remedy: str | None = None
