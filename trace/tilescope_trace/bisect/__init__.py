"""The pass that brought a text or a fact into the IR, or took it out."""

from .facts import Fact, parse_fact
from .model import Bisected, Moment, Query
from .search import bisect
from .texts import TextQuery

__all__ = ["Bisected", "Fact", "Moment", "Query", "TextQuery", "bisect", "parse_fact"]
