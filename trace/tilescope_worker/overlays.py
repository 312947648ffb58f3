"""Modules that are open in an editor are imported as they stand there, saved or not."""

from __future__ import annotations

import io
import linecache
import os
import sys
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from importlib.util import spec_from_file_location
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any


@contextmanager
def imported_from(overlays: Mapping[str, str], folder: str) -> Iterator[set[str]]:
    """Within it, modules whose real path is a key of ``overlays`` are imported from the text given there. Gives the
    real paths below ``folder`` of all modules that are looked for, growing as they are; also of those that fail."""
    finder = _Finder(overlays, os.path.realpath(folder) + os.sep)
    sys.meta_path.insert(0, finder)
    try:
        yield finder.seen
    finally:
        # The imported code may have changed the list.
        sys.meta_path[:] = [one for one in sys.meta_path if one is not finder]


class _Finder:
    def __init__(self, overlays: Mapping[str, str], folder: str) -> None:
        self.seen: set[str] = set()
        self._overlays = overlays
        self._folder = folder

    def find_spec(self, name: str, path: Any = None, target: ModuleType | None = None) -> ModuleSpec | None:
        """The spec of a module with an overlay; None leaves every other one to Python."""
        try:
            spec = PathFinder.find_spec(name, path, target)
            if spec is None:
                return self._unsaved(name, path)
        except Exception:  # noqa: BLE001 - whatever is wrong with the path, Python's own finders say it better
            return None
        if not spec.has_location or spec.origin is None:
            return None
        real = os.path.realpath(spec.origin)
        if real.startswith(self._folder):
            self.seen.add(real)
        if real in self._overlays:
            spec.loader = _Loader(name, spec.origin, self._overlays[real])
            return spec
        return None

    def _unsaved(self, name: str, path: Any) -> ModuleSpec | None:
        """A module whose file does not exist yet."""
        if not self._overlays:
            return None
        last = name.rpartition(".")[2]
        for folder in sys.path if path is None else path:
            file = os.path.realpath(Path(folder, f"{last}.py"))
            if file in self._overlays:
                self.seen.add(file)
                return spec_from_file_location(name, file, loader=_Loader(name, file, self._overlays[file]))
        return None


class _Loader(SourceFileLoader):
    """Executes a text as the source file at a path; its lines are those that tracebacks and the front end see."""

    def __init__(self, name: str, path: str, text: str) -> None:
        super().__init__(name, path)
        self._text = text.removeprefix("\ufeff")

    def get_code(self, fullname: str) -> CodeType:  # noqa: ARG002
        lines = io.StringIO(self._text, newline=None).readlines()
        linecache.cache[self.path] = (len(self._text), None, lines, self.path)
        code: CodeType = compile(self._text, self.path, "exec", dont_inherit=True)
        return code

    def get_source(self, fullname: str) -> str:  # noqa: ARG002
        return self._text


def forget_modules(files: Collection[str]) -> None:
    """Have the modules of these real paths imported anew when they are next asked for."""
    for name, module in list(sys.modules.items()) if files else ():
        file = getattr(module, "__file__", None)
        if isinstance(file, str) and os.path.realpath(file) in files:
            del sys.modules[name]
