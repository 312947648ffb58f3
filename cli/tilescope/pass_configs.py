"""Misspelt pass configs: told at once where TileLang's own list of names shows them."""

from __future__ import annotations

import ast
import difflib
from collections.abc import Iterable
from pathlib import Path

from tilescope_trace.errors import UsageError

NAMED_IN = Path("transform", "pass_config.py")
"""Where TileLang keeps its enumeration of pass configs, in its folder."""
ALIKE = 0.88
"""Similarity from which on a name is taken for a misspelt one. Other names go to the compiler, which knows some that
the enumeration lacks."""


def refuse_misspelt(names: Iterable[str], tilelang: str | None) -> None:
    """Raise UsageError for a pass config that the TileLang in folder ``tilelang`` does not name, but one like it."""
    known = known_names(tilelang)
    for name in names:
        near = difflib.get_close_matches(name, known, n=3, cutoff=ALIKE)
        if name not in known and near:
            raise UsageError(
                f"--pass-config {name}: TileLang has no such pass config; did you mean {' or '.join(near)}?"
            )


def known_names(tilelang: str | None) -> tuple[str, ...]:
    """The names in TileLang's enumeration, read without importing it; none where it cannot be read."""
    if not tilelang:
        return ()
    try:
        tree = ast.parse((Path(tilelang) / NAMED_IN).read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, SyntaxError):
        return ()
    classes = (node for node in tree.body if isinstance(node, ast.ClassDef) and node.name == "PassConfigKey")
    values = (entry.value for node in classes for entry in node.body if isinstance(entry, ast.Assign))
    return tuple(value.value for value in values if isinstance(value, ast.Constant) and isinstance(value.value, str))
