"""Finds and reads the configuration that holds for a file."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tilescope_trace.errors import UsageError
from tilescope_trace.rules.analysis import bad_configuration
from tilescope_worker.wire.facts import Finding

from . import positions
from .check import FIRST, Checker, Problem
from .keys import ROOT
from .model import NAMES, OWN, Config, KernelEntry, Lint
from .toml import TOMLDecodeError, loads

LARGEST = 1 << 20
"""No hand-written configuration comes near this many bytes."""
_PLACE = re.compile(r"\s*\(at (?:line (\d+), column (\d+)|end of document)\)")


@dataclass(frozen=True)
class Read:
    """A configuration, and what is wrong in its file (TS007); what is wrong is not in it."""

    config: Config
    findings: tuple[Finding, ...] = ()


NONE = Read(Config())


def config_for(path: str) -> Read:
    """The configuration that holds for a file: the nearest tilescope.toml, or pyproject.toml with a
    ``[tool.tilescope]``, in its folder or above. Never raises."""
    for folder in Path(path).absolute().parents:
        for name in NAMES:
            read = _read_file(folder / name)
            if read is not None:
                return read
    return NONE


def strictly(path: str) -> Config:
    """`config_for`, for whoever cannot show findings. Raises UsageError that names all that is wrong."""
    read = config_for(path)
    if read.findings:
        raise UsageError("\n".join(f"{one.file}:{one.line}:{one.column}: {one.message}" for one in read.findings))
    return read.config


def parse(text: str, file: str) -> Read | None:
    """Read the text of a configuration file; None where it says nothing about tilescope."""
    try:
        document = loads(text)
    except (TOMLDecodeError, RecursionError) as error:
        if Path(file).name != OWN and "tilescope" not in text:
            return None
        return _broken(text, file, str(error) or "nested too deeply")
    prefix: positions.Path = () if Path(file).name == OWN else ("tool", "tilescope")
    table: Any = document
    for key in prefix:
        if not isinstance(table, dict) or key not in table:
            return None
        table = table[key]
    checker = Checker(_positions(text))
    found = ROOT.read(table, prefix, checker) or {}
    lines = {
        ".".join(map(str, path[len(prefix) :])): position.line
        for path, position in checker.positions.items()
        if path[: len(prefix)] == prefix and len(path) > len(prefix)
    }
    return Read(_config(found, file, lines), tuple(_finding(problem, file) for problem in checker.problems))


_seen: dict[Path, tuple[tuple[int, int], Read | None]] = {}
"""What was read last, by file, with its modification time and size."""


def _read_file(path: Path) -> Read | None:
    try:
        status = path.stat()
    except OSError:
        _seen.pop(path, None)
        return None
    stamp = status.st_mtime_ns, status.st_size
    if path not in _seen or _seen[path][0] != stamp:
        _seen[path] = stamp, _read_text(path, status.st_size)
    return _seen[path][1]


def _read_text(path: Path, size: int) -> Read | None:
    if not path.is_file():
        return None
    if size > LARGEST:
        return _unread(path, "the file is too large to be read")
    data = b""
    try:
        data = path.read_bytes()
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        reason = "the file is not UTF-8"
    except OSError as error:
        reason = f"the file cannot be read: {error.strerror or error}"
    else:
        return parse(text.replace("\r\n", "\n"), str(path))
    # A project that has nothing to do with tilescope is none of our business. Of two bytes a character, one is null.
    return _unread(path, reason) if path.name == OWN or b"tilescope" in data.replace(b"\0", b"") else None


def _unread(path: Path, reason: str) -> Read:
    return Read(Config(file=str(path)), (_finding(Problem(FIRST, reason), str(path)),))


def _positions(text: str) -> Mapping[positions.Path, positions.Position]:
    try:
        # The parser takes CR LF for a line end; so do the positions, whose columns end before it.
        return positions.positions(text)
    except (ValueError, IndexError, RecursionError):
        return {}


def _broken(text: str, file: str, said: str) -> Read:
    match = _PLACE.search(said)
    last = text.rstrip().split("\n")
    line, column = (int(match[1]), int(match[2])) if match and match[1] else (len(last), max(len(last[-1]), 1))
    message = f"no valid TOML: {_PLACE.sub('', said)}"
    problem = Problem(positions.Position(line, column, column + 1), message)
    return Read(Config(file=file), (_finding(problem, file),))


def _finding(problem: Problem, file: str) -> Finding:
    return bad_configuration.finding(file, problem.position, problem.message)


def _config(found: Mapping[str, Any], file: str, lines: Mapping[str, int]) -> Config:
    lint = found.get("lint", {})
    return Config(
        file=file,
        targets=found.get("targets", ()),
        interpreter=found.get("interpreter"),
        exclude=found.get("exclude", ()),
        pass_configs=found.get("pass_configs", {}),
        kernels=tuple(
            KernelEntry(
                line=entry[""],
                files=entry.get("files", ()),
                kernel=entry.get("kernel"),
                specializations=tuple(one for one in entry.get("args", ()) if one),
                targets=entry.get("targets", ()),
                pass_configs=entry.get("pass_configs", {}),
            )
            for entry in found.get("kernels", ())
        ),
        lint=Lint(**lint),
        lines=lines,
    )
