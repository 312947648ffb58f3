"""How a range names a compile: for the hook that makes them, and for whoever reads them in a profile."""

from __future__ import annotations

import hashlib

PREFIX = "tl:"
_ID_DIGITS = 16


def compile_id(source: str) -> str:
    """What tells one compile from another: digits of the SHA-256 of its generated device source."""
    return hashlib.sha256(source.encode()).hexdigest()[:_ID_DIGITS]


def id_of_digest(sha256: str) -> str:
    """The same from the whole digest."""
    return sha256[:_ID_DIGITS]
