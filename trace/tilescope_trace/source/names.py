"""Which TileLang thing a name in a file stands for: imports and aliases, resolved without importing anything."""

from __future__ import annotations

import ast
import functools
import re
from dataclasses import dataclass, field

from .per_node import per_node
from .syntax import statements
from .tolerant import Parsed

_CUSTOM = {"T": "tilelang.language", "tilelang": "tilelang", "tl": "tilelang"}
"""What these names mean by custom: believed only while the text is broken and nothing else binds them."""


@dataclass(frozen=True)
class Names:
    """``bound`` maps local names to dotted ones (``T`` to ``tilelang.language``); ``starred`` are the
    modules of star imports."""

    bound: dict[str, str] = field(default_factory=dict)
    starred: tuple[str, ...] = ()

    @property
    def meanings(self) -> tuple[object, ...]:
        """The same, to be hashed: equal where every name means the same."""
        return tuple(self.bound.items()), self.starred

    def dotted(self, node: ast.expr) -> str | None:
        """The dotted name an expression stands for, or None; ``T.copy`` is ``tilelang.language.copy``."""
        parts: list[str] = []
        while isinstance(node, ast.Attribute):
            parts.append(node.attr)
            node = node.value
        if not isinstance(node, ast.Name):
            return None
        base = self.bound.get(node.id)
        if base is None:
            starred = next((module for module in self.starred if "tilelang" in module), None)
            if starred is None or parts:
                return None
            base = f"{starred}.{node.id}"
        return ".".join([base, *reversed(parts)])

    def tile(self, node: ast.expr) -> str | None:
        """The name of a function of the tile language (``copy`` for ``T.copy``), or None."""
        name = self.dotted(node)
        return None if name is None else language_member(name)


@functools.lru_cache(maxsize=4096)
def language_member(dotted: str) -> str | None:
    """``copy`` for ``tilelang.language.copy`` or ``tilelang.ascend.language.copy``; None for others."""
    *module, last = dotted.split(".")
    if "tilelang" not in module or "language" not in module[module.index("tilelang") :]:
        return None
    return last


def is_jit(dotted: str | None) -> bool:
    return _belongs(dotted, "jit") or _belongs(dotted, "lazy_jit")


def is_autotune(dotted: str | None) -> bool:
    return _belongs(dotted, "autotune")


def is_prim_func(dotted: str | None) -> bool:
    return dotted is not None and language_member(dotted) == "prim_func"


def is_macro(dotted: str | None) -> bool:
    return dotted is not None and language_member(dotted) == "macro"


def is_ascend(dotted: str | None) -> bool:
    """Whether a name belongs to the Ascend dialect."""
    return dotted is not None and "tilelang.ascend" in dotted


def split_names(text: str) -> list[str]:
    """``["N", "K"]`` for the text of ``T.const("N, K")``."""
    return [name for name in re.split(r"[,\s]+", text) if name]


def resolve(parsed: Parsed) -> Names:
    """The names a file binds by imports, wherever these stand, and by plain aliases at module level."""
    bound: dict[str, str] = {}
    starred: list[str] = []
    for node in (node for statement in parsed.tree.body for node in _imports(statement)):
        if isinstance(node, ast.Import):
            for alias in node.names:
                local = alias.asname or alias.name.partition(".")[0]
                _bind(bound, local, alias.name if alias.asname else local)
        else:
            module = "." * node.level + (node.module or "")
            for alias in node.names:
                if alias.name == "*":
                    starred.append(module)
                else:
                    _bind(bound, alias.asname or alias.name, f"{module}.{alias.name}")
    names = Names(bound, tuple(starred))
    for statement in parsed.tree.body:
        if isinstance(statement, ast.Assign) and len(statement.targets) == 1:
            target, value = statement.targets[0], statement.value
            if isinstance(target, ast.Name) and isinstance(value, (ast.Name, ast.Attribute)):
                dotted = names.dotted(value)
                if dotted is not None and "tilelang" in dotted:
                    bound.setdefault(target.id, dotted)
    if parsed.problems:
        for name, meaning in _CUSTOM.items():
            bound.setdefault(name, meaning)
    return names


@per_node
def _imports(statement: ast.stmt) -> tuple[ast.Import | ast.ImportFrom, ...]:
    """The imports in a statement at module level."""
    return tuple(node for node in statements((statement,)) if isinstance(node, (ast.Import, ast.ImportFrom)))


def _bind(bound: dict[str, str], local: str, dotted: str) -> None:
    """A TileLang meaning wins over another of the same name, as in a try/except around imports."""
    if "tilelang" in dotted or "tilelang" not in bound.get(local, ""):
        bound[local] = dotted


def _belongs(dotted: str | None, last: str) -> bool:
    if dotted is None:
        return False
    parts = dotted.split(".")
    return parts[-1] == last and "tilelang" in parts[:-1]
