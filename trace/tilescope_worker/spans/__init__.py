"""Source locations that the compiler loses, kept.

Statements of the IR carry the Python line they came from, and many steps of the compiler drop or replace it. What is
repaired here only ever sets spans: they take no part in structural equality, and generated code stays the same.

- Front end (`frontend`): ``T.reduce`` and others are macros of TileLang's own, so their statements get lines of
  TileLang's files. They are given the line of the user's call.
- ``tl.LowerTileOp``: instruction sequences are built by macros of TileLang's own. With span stamping off while the
  pass runs, it fills in the line of the tile operation itself.
- Passes that rebuild statements without their spans: each is found again among those it was made of (`carry`).
- Statements that passes add (barriers, allocations, copies of descriptors): they get the line of the statement they
  are there for (`derive`).
"""

from __future__ import annotations

from .frontend import keep_user_lines
from .repair import SPAN_SWITCH, SpanRepair

__all__ = ["SPAN_SWITCH", "SpanRepair", "keep_user_lines"]
