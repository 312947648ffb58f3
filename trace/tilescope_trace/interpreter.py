"""Which Python interpreter the compiler runs in: one that has TileLang, found without executing anything."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from .config.model import Config
from .errors import UsageError

_VARIABLES = ("VIRTUAL_ENV", "CONDA_PREFIX")
_FOLDER = ".venv"
_PACKAGE = Path("tilelang", "__init__.py")
_TRACES = ("tilelang-*.dist-info", "tilelang-*.egg-info", "tilelang.egg-link", str(_PACKAGE))


@dataclass(frozen=True)
class Interpreter:
    """An interpreter and, in words, why it was chosen."""

    path: str
    why: str


def choose(
    setting: str | None,
    workspace: Path | None,
    trusted: bool,
    environ: Mapping[str, str] | None = None,
    config: Config | None = None,
) -> Interpreter:
    """The interpreter to run the compiler in: the one that is set (by the caller, else in the configuration of a
    trusted workspace), else the active environment or the workspace's ``.venv`` (trusted workspaces only) where
    TileLang is installed in it, else our own.

    Raises UsageError when the one that is set does not exist.
    """
    if setting:
        return Interpreter(_from_setting(setting, workspace), "it is set")
    if trusted and config is not None and config.interpreter:
        where = f"{config.file}:{config.lines.get('interpreter', 1)}"
        try:
            return Interpreter(_from_setting(config.interpreter, Path(config.file).parent), f"{where} sets it")
        except UsageError as error:
            raise UsageError(f"{where}: {error}") from None
    environ = os.environ if environ is None else environ
    added = [Path(folder) for folder in environ.get("PYTHONPATH", "").split(os.pathsep) if folder]
    for variable in _VARIABLES:
        folder = environ.get(variable)
        if folder and (found := _python_with_tilelang(Path(folder), added)):
            return Interpreter(found, f"TileLang is installed in the active environment ({variable}={folder})")
    if workspace is not None and trusted and (found := _python_with_tilelang(workspace / _FOLDER)):
        return Interpreter(found, f"TileLang is installed in the workspace's {_FOLDER}")
    if workspace is not None and not trusted and (workspace / _FOLDER).is_dir():
        return Interpreter(
            sys.executable, f"it runs tilescope itself; {_FOLDER} is left alone: workspace not trusted"
        )
    return Interpreter(sys.executable, "it runs tilescope itself")


def has_tilelang(environment: Path) -> bool:
    """Whether TileLang, or a fork that is imported by the same name, is installed in an environment, by what lies on
    disk: its metadata, a development link, the package itself, or a path file that leads to it."""
    folders = [*_site_packages(environment)]
    return any(_first(folder.glob(pattern)) for folder in folders for pattern in _TRACES) or any(
        (linked / _PACKAGE).is_file() for folder in folders for linked in _linked(folder)
    )


def site_packages_of(interpreter: str) -> tuple[Path, ...]:
    """The site-packages folders of an interpreter's environment, by the place of its executable."""
    # The link of a virtual environment leads out of it: where it stands is what counts.
    return tuple(folder for folder in _site_packages(Path(interpreter).absolute().parent.parent) if folder.is_dir())


def _from_setting(setting: str, workspace: Path | None) -> str:
    """The path of an interpreter, or of the environment it is in; relative ones count from the workspace."""
    path = Path(setting).expanduser()
    if not path.is_absolute() and workspace is not None:
        path = workspace / path
    if path.is_dir():
        found = _python_of(path)
        if found is None:
            raise UsageError(f"interpreter {setting!r}: the folder {path} holds no Python interpreter")
        return found
    if not path.is_file():
        raise UsageError(f"interpreter {setting!r}: there is no file {path}")
    return str(path)


def _linked(folder: Path) -> Iterator[Path]:
    """The folders that the path files of a site-packages folder add."""
    for file in folder.glob("*.pth"):
        with contextlib.suppress(OSError, UnicodeDecodeError):
            lines = file.read_text(encoding="utf-8").splitlines()
            yield from (
                folder / line.strip() for line in lines if line.strip() and not line.startswith(("#", "import"))
            )


def _python_with_tilelang(environment: Path, added: Sequence[Path] = ()) -> str | None:
    """``added`` are folders that are on the path of whatever Python is run."""
    try:
        found = has_tilelang(environment) or any((folder / _PACKAGE).is_file() for folder in added)
        return _python_of(environment) if found else None
    except OSError:
        return None


def _python_of(environment: Path) -> str | None:
    """The interpreter of an environment, as venv and conda lay it out on Unix and on Windows. Not resolved: the
    place of the link is what makes it the environment's."""
    names = ("bin/python", "bin/python3", "Scripts/python.exe", "python.exe")
    return next((str(environment / name) for name in names if (environment / name).is_file()), None)


def _site_packages(environment: Path) -> Iterator[Path]:
    yield from environment.glob("lib/python3*/site-packages")
    yield environment / "Lib" / "site-packages"


def _first(found: Iterator[Path]) -> bool:
    return next(found, None) is not None
