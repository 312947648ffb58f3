"""What names imported from other files of the workspace stand for; such a file is run when one of them is needed."""

from __future__ import annotations

from collections.abc import Callable

from . import objects
from .names import Names
from .values import UNKNOWN, Env, Value
from .workspace import Source, Workspace

_DEEPEST = 6
"""Modules that import from modules."""
_MOST = 24
"""Modules run for one file."""


class Modules:
    """The modules of one analysis. ``run`` executes a file's statements in a scope, by our own means."""

    def __init__(self, workspace: Workspace, run: Callable[[Source, Env], None]) -> None:
        self._workspace = workspace
        self._run = run
        self._scopes: dict[str, tuple[Env, Names]] = {}
        self._paths: dict[int, str] = {}
        self._members: dict[tuple[int, str], Value] = {}
        self._places: dict[tuple[str, str], str | None] = {}
        self._depth = 0

    def add(self, path: str, names: Names, scope: Env) -> None:
        """A file that is run already, or now."""
        self._scopes[path] = (scope, names)
        self._paths[id(names)] = path

    def path_of(self, names: Names) -> str | None:
        """The file whose names these are."""
        return self._paths.get(id(names))

    def member(self, names: Names, dotted: str) -> Value:
        """What a dotted name means in the file of ``names``; UNKNOWN for what is not of the workspace."""
        importer = self._paths.get(id(names))
        if importer is None:
            return UNKNOWN
        head = "." if dotted.startswith(".") else dotted.partition(".")[0]
        if head != "." and self._find(head, importer) is None:
            return UNKNOWN
        key = (id(names), dotted)
        if key not in self._members:
            self._members[key] = UNKNOWN  # for modules that import each other
            self._members[key] = self._look_up(dotted, importer)
        return self._members[key]

    def _look_up(self, dotted: str, importer: str) -> Value:
        level = len(dotted) - len(dotted.lstrip("."))
        parts = dotted[level:].split(".")
        for count in range(len(parts) - 1, -1 if level else 0, -1):
            path = self._find("." * level + ".".join(parts[:count]), importer)
            if path is not None:
                return self._within(path, parts[count:])
        return UNKNOWN

    def _find(self, module: str, importer: str) -> str | None:
        key = (module, importer)
        if key not in self._places:
            self._places[key] = self._workspace.find(module, importer)
        return self._places[key]

    def _within(self, path: str, parts: list[str]) -> Value:
        found = self._scope(path)
        if found is None:
            return UNKNOWN
        scope, names = found
        value = scope.get(parts[0])
        if value is UNKNOWN and self._depth < _DEEPEST:
            self._depth += 1
            try:
                if parts[0] in names.bound:
                    value = self.member(names, names.bound[parts[0]])
                for module in names.starred if value is UNKNOWN else ():
                    dotted = f"{module}{'' if module.endswith('.') else '.'}{parts[0]}"
                    value = self.member(names, dotted) if value is UNKNOWN else value
            finally:
                self._depth -= 1
        for part in parts[1:]:
            value = objects.attribute(value, part)
        return value

    def _scope(self, path: str) -> tuple[Env, Names] | None:
        if path not in self._scopes and len(self._scopes) < _MOST:
            source = self._workspace.source(path)
            if source is not None:
                scope = Env({"__name__": "module"})
                self.add(path, source.names, scope)
                self._run(source, scope)
        return self._scopes.get(path)
