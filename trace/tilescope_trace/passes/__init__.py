"""What each lowering pass is for, in our own words."""

from .lookup import GROUPS, PASSES, explained, find
from .model import PassInfo

__all__ = ["GROUPS", "PASSES", "PassInfo", "explained", "find"]
