"""The terminal browser over a recording."""

from .app import run

__all__ = ["run"]
