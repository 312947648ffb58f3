"""Which documents are to be analysed again when something beside their own text changes."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterable
from pathlib import Path, PurePath

from .session import Document, Session

Modules = Callable[[str], Collection[str]]
"""The real paths of the workspace modules that the document at a path imports, as far as they are known."""


def watched() -> tuple[str, ...]:
    """Globs of the files that the analyses of other files depend on."""
    return ("**/*.py", *(f"**/{name}" for name in _settings()))


def is_setting(path: str) -> bool:
    """Whether a file may hold for every kernel below its folder."""
    return PurePath(path).name in _settings()


def dependents(paths: Iterable[str], session: Session, modules: Modules) -> list[Document]:
    """The open documents that depend on one of the changed files: below a configuration or a captured file, or
    importing a module. What a document imports is known only once it was run: until then, and where a module did not
    exist before, one whose import statements name it is taken to depend on it."""
    from tilescope_trace.source.workspace import imported_words  # slow to import: not at every start

    changed = [os.path.realpath(path) for path in paths]
    settings = [_holds_for(path) for path in changed if is_setting(path)]
    imported = {path for path in changed if path.endswith(".py")} if session.trust.may_execute else set()

    def depends(document: Document) -> bool:
        if any(document.real.startswith(folder) for folder in settings):
            return True
        others = imported - {document.real}
        if not others.isdisjoint(modules(document.snapshot.path)):
            return True
        return bool(others) and not _names(others).isdisjoint(imported_words(document.snapshot.text))

    return [document for document in session.documents() if depends(document)]


def relied_on(session: Session, modules: Modules) -> set[str]:
    """The files that the open documents are known to depend on, those that may come to exist included."""
    found: set[str] = set()
    for document in session.documents():
        path = Path(document.snapshot.path)
        found.update(modules(document.snapshot.path))
        for folder in path.parents:
            found.update(str(folder / name) for name in _settings())
    return found


def _settings() -> tuple[str, ...]:
    """The names of files that hold for the folder they are in."""
    from tilescope_trace.captured.model import FILE  # these are slow to import: not at every start
    from tilescope_trace.config.model import NAMES

    return (*NAMES, FILE)


def _holds_for(path: str) -> str:
    """The folder, with its separator, whose files a setting is for."""
    return str(Path(path).parent).rstrip(os.sep) + os.sep


def _names(paths: Iterable[str]) -> set[str]:
    """The names by which modules are imported, without the packages around them."""
    return {Path(path).parent.name if Path(path).stem == "__init__" else Path(path).stem for path in paths}
