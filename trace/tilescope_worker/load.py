"""Execute the text of a kernel file as if it were the file at its real path.

The text wins over what is on disk (unsaved edits), the path need not exist, and what is imported from the file's
own folder or package works as it does when Python runs the file.
"""

from __future__ import annotations

import ast
import builtins
import functools
import importlib
import importlib.util
import io
import keyword
import linecache
import os
import sys
import sysconfig
import time
import types
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import tilelang
import tvm

from .compat import intercept_compiles
from .printable import one_line
from .program import Program
from .standins import StandIns
from .toplevel import chosen

_FALLBACK_NAME = "tilescope_document"
_SHOWN = 8
"""Lines that are named in a note at most."""
_INSTALLED = tuple(
    os.path.realpath(folder) + os.sep
    for folder in {
        *(sysconfig.get_path(name) for name in ("stdlib", "platstdlib", "purelib", "platlib")),
        # A checkout of the compiler lies outside all of these.
        *(str(Path(package.__file__).parent) for package in (tilelang, tvm)),
        str(Path(__file__).parent),
    }
)
_BUILTINS = dict(vars(builtins))
_loaded: dict[str, str] = {}
"""Module name by path of every text that was executed in this process: each execution drops the one before."""


@dataclass(frozen=True)
class Loaded:
    """An executed file. ``namespace`` is what it defined, complete only where ``error`` is None; ``error_phase``
    is ``syntax`` or ``module``; ``notes`` say what was done differently from a plain run; ``seconds`` are those of
    CPU time it took; ``absences`` are the failed imports of the modules that are stood in for."""

    path: str
    text: str
    namespace: dict[str, Any]
    error: BaseException | None = None
    error_phase: str | None = None
    notes: tuple[str, ...] = ()
    seconds: float = 0.0
    absences: tuple[ModuleNotFoundError, ...] = ()


@contextmanager
def importable(path: str) -> Iterator[None]:
    """Put the file's folder (for a module of a package: the folder above its outermost package) first on
    ``sys.path``, as running the file would; also needed later, for imports inside its functions."""
    root = str(_package(Path(path))[0])
    sys.path.insert(0, root)
    importlib.invalidate_caches()
    try:
        yield
    finally:
        if root in sys.path:
            sys.path.remove(root)


def execute(path: str, text: str, stand_ins: StandIns | None = None) -> Loaded:
    """Execute what defines something in ``text`` (`toplevel`) under ``path``; never raises: what the text raises
    first is in the result, and the statements after that one are executed all the same. Call it within `importable`,
    and within `standins.stand_ins` where missing modules are to be stood in for. Compiles that the module asks for on
    the way are caught (`compat.intercept_compiles`)."""
    source = text.removeprefix("\ufeff")
    forget(path)
    linecache.cache[path] = (len(source), None, io.StringIO(source, newline=None).readlines(), path)
    try:
        wanted = chosen(ast.parse(source, path))
        program = Program(path, wanted.module)
    except BaseException as error:  # noqa: BLE001 - the compiler of hostile text may raise anything; it is the answer
        return Loaded(path, source, {}, error, "syntax")
    stood: list[ModuleNotFoundError] = []

    def offer(error: BaseException) -> bool:
        found = stand_ins.offer(error) if stand_ins is not None else None
        if found is not None:
            stood.append(found)
        return found is not None

    module, notes = _module(path, offer)
    started = time.process_time()
    failed = program.run(module.__dict__, offer)
    notes += _put_back()
    if wanted.left_out:
        notes += (f"not run, for it defines nothing: {_lines(wanted.left_out)}",)
    phase = None if failed is None else "module"
    seconds = time.process_time() - started
    return Loaded(path, source, module.__dict__, failed, phase, notes, seconds, tuple(stood))


def _lines(numbers: tuple[int, ...]) -> str:
    shown = ", ".join(map(str, numbers[:_SHOWN]))
    more = f" and {len(numbers) - _SHOWN} more" if len(numbers) > _SHOWN else ""
    return f"line{'s' if len(numbers) > 1 else ''} {shown}{more}"


def workspace_modules(path: str, workspace: str | None) -> tuple[str, ...]:
    """Files below ``workspace`` (without one: below the file's folder) that are imported in this process, the file
    itself and installed packages left out; sorted real paths."""
    folder = Path(workspace or Path(path).parent).absolute()
    roots = (str(folder) + os.sep, os.path.realpath(folder) + os.sep)
    executed = {os.path.realpath(own) for own in (path, *_loaded)}
    # Resolving links is slow and an interpreter has thousands of modules: only what lies below is looked at.
    near = {
        os.path.realpath(file)
        for name, module in list(sys.modules.items())
        if name != "__main__" and (file := _file_of(module)) and file.startswith(roots)
    }
    return tuple(sorted(file for file in near - executed if not is_installed(file)))


def is_installed(file: str) -> bool:
    """Whether a source file belongs to the interpreter, to an installed package or to this one, not to the user."""
    if file.startswith("<") or "site-packages" in file or "dist-packages" in file:
        return True
    return os.path.realpath(file).startswith(_INSTALLED)


def _put_back() -> tuple[str, ...]:
    """Undo what would break the compiler and this process: builtins that the file has replaced or taken away, output
    streams that it has taken away."""
    now = builtins.__dict__
    # Without a call: any builtin may be the one that was replaced.
    changed = [name for name in _BUILTINS if name != "_" and (name not in now or now[name] is not _BUILTINS[name])]
    for name in changed:
        now[name] = _BUILTINS[name]
    for stream in ("stdout", "stderr"):
        if not hasattr(sys, stream):
            setattr(sys, stream, getattr(sys, f"__{stream}__"))
    return (f"builtins that the file replaces are put back: {', '.join(changed)}",) if changed else ()


def _file_of(module: object) -> str | None:
    file = getattr(module, "__file__", None)
    return file if isinstance(file, str) else None


def forget(path: str) -> None:
    """Drop what was executed under ``path``, if anything was."""
    linecache.cache.pop(path, None)
    name = _loaded.pop(path, None)
    if name is not None:
        sys.modules.pop(name, None)


def _module(path: str, offer: Callable[[BaseException], bool]) -> tuple[types.ModuleType, tuple[str, ...]]:
    """A fresh module object for the file, registered under its name, and notes."""
    root, package = _package(Path(path))
    notes = _import_package(root, package, offer) if package else ()
    name = ".".join([*package, Path(path).stem]) if package else _free_name(path)
    module = types.ModuleType(name)
    module.__file__ = path
    module.__package__ = ".".join(package)
    _loaded[path] = name
    sys.modules[name] = module
    return module, notes


def _package(path: Path) -> tuple[Path, tuple[str, ...]]:
    """(folder to import from, names of the packages that hold the file, outermost first)."""
    folder, names = path.parent, []
    while (folder / "__init__.py").is_file() and folder.parent != folder:
        names.append(folder.name)
        folder = folder.parent
    return folder, tuple(reversed(names))


def _import_package(root: Path, package: tuple[str, ...], offer: Callable[[BaseException], bool]) -> tuple[str, ...]:
    """Import the packages above the file. One that fails is replaced by an empty one, so that relative imports of
    its other modules still work: a kernel rarely needs what its package does at import."""
    notes = []
    for depth in range(1, len(package) + 1):
        name = ".".join(package[:depth])
        error = _import_error(name)
        while error is not None and offer(error):
            error = _import_error(name)
        if error is not None:
            empty = types.ModuleType(name)
            empty.__path__ = [str(root.joinpath(*package[:depth]))]
            sys.modules[name] = empty
            said = one_line(f"{type(error).__name__}: {error}")
            notes.append(f"package {name} could not be imported ({said}); taken as empty")
    return tuple(notes)


def _import_error(name: str) -> BaseException | None:
    try:
        with intercept_compiles():
            importlib.import_module(name)
    except BaseException as error:  # noqa: BLE001 - as for the file itself; a note answers
        return error
    return None


def _free_name(path: str) -> str:
    """The file's stem, so that its siblings import the edited text, unless that name is another module's."""
    stem = Path(path).stem
    if not stem.isidentifier() or keyword.iskeyword(stem) or stem == "__main__" or stem in sys.modules:
        return _FALLBACK_NAME
    return stem if _is_own_name(stem, path) else _FALLBACK_NAME


@functools.cache
def _is_own_name(stem: str, path: str) -> bool:
    """Whether importing ``stem`` gives the file at ``path`` or nothing. Looking takes long, at each execution."""
    try:
        spec = importlib.util.find_spec(stem)
    except (ImportError, ValueError, AttributeError):
        return False
    return spec is None or (spec.origin is not None and os.path.realpath(spec.origin) == os.path.realpath(path))
