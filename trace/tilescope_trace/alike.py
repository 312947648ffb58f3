"""Copies of frozen dataclasses with other values."""

from __future__ import annotations

from typing import TypeVar

T = TypeVar("T")


def alike(one: T, **values: object) -> T:
    """A copy of a dataclass with other values: `dataclasses.replace` for many small ones, of which an edit may move
    thousands, without going over all fields. For classes without ``__post_init__`` and slots."""
    made = object.__new__(type(one))
    vars(made).update(vars(one), **values)
    return made
