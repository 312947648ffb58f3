"""What each architecture offers: one table, every number with the vendor's document that states it."""

from __future__ import annotations

from .lookup import TARGETS, limits_of
from .model import Limits, Peak

__all__ = ["TARGETS", "Limits", "Peak", "limits_of"]
