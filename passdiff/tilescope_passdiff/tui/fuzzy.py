"""Finding names by parts of them, or by their letters in order."""

from __future__ import annotations


def matches(needle: str, name: str) -> bool:
    """Whether each word of ``needle`` is a part of ``name``, or its letters stand in it in this order: ``lyinf``
    finds ``tl.LayoutInference``. Upper and lower case are the same; an empty needle matches everything."""
    folded = name.lower()
    return all(word in folded or _in_order(word, folded) for word in needle.lower().split())


def _in_order(letters: str, name: str) -> bool:
    at = 0
    for letter in letters:
        at = name.find(letter, at) + 1
        if not at:
            return False
    return True
