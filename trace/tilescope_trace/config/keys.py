"""The keys of a configuration: one list from which files are read, the editor's schema and the documentation made."""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from .check import Checker, dotted
from .kinds import (
    CODES,
    GLOBS,
    TARGETS,
    Arguments,
    Choice,
    IgnoresByGlob,
    Kind,
    PassConfigs,
    Schema,
    Severities,
    Text,
)
from .positions import Path


@dataclass(frozen=True)
class Key:
    """One key: what it holds, and what that means in a sentence or two."""

    name: str
    kind: Kind
    doc: str


class Table:
    """A table with known keys; read, it is a dict of those that are there and right."""

    def __init__(self, keys: Sequence[Key]) -> None:
        self.keys = {key.name: key for key in keys}

    @property
    def schema(self) -> Schema:
        return {
            "type": "object",
            "properties": {key.name: {"description": key.doc, **key.kind.schema} for key in self.keys.values()},
            "additionalProperties": False,
        }

    def read(self, value: Any, path: Path, checker: Checker) -> dict[str, Any] | None:
        if not isinstance(value, dict):
            checker.wrong(path, "a table", value)
            return None
        found = {}
        for name, item in value.items():
            place = (*path, name)
            if name not in self.keys:
                checker.report(place, f"unknown key {dotted(place)}; {_advice(name, tuple(self.keys))}")
            elif (read := self.keys[name].kind.read(item, place, checker)) is not None:
                found[name] = read
        return found


class Tables:
    """An array of tables; read, each table has its line under the key ``""``."""

    def __init__(self, table: Table) -> None:
        self._table = table

    @property
    def schema(self) -> Schema:
        return {"type": "array", "items": self._table.schema}

    def read(self, value: Any, path: Path, checker: Checker) -> list[dict[str, Any]] | None:
        if not isinstance(value, list):
            checker.wrong(path, f"an array of tables: [[{dotted(path)}]]", value)
            return None
        found = []
        for number, item in enumerate(value):
            place = (*path, number)
            if (read := self._table.read(item, place, checker)) is not None:
                found.append({**read, "": checker.at(place).line})
        return found


KERNELS = Table(
    [
        Key("files", GLOBS, "Globs of the files this entry is for, relative to this file. Default: every file."),
        Key("kernel", Text(), "The kernel it is for, by any suffix of its qualified name. Default: every kernel."),
        Key(
            "args",
            Arguments(),
            "Values of kernel parameters; an array of tables gives several specializations. "
            'A value that TOML has no form for is written { literal = "(64, 64)" }.',
        ),
        Key("targets", TARGETS, "Targets to compile for, such as cuda:sm_90a, where the source names none."),
        Key("pass_configs", PassConfigs(), "TileLang pass configs, over the kernel's own."),
    ]
)
LINT = Table(
    [
        Key("select", CODES, "Rule codes, or beginnings of codes, that are reported. Default: all."),
        Key("ignore", CODES, "Rule codes, or beginnings of codes, that are not reported."),
        Key("severity", Severities(), "Severities of rules, by code: error, warning or info."),
        Key("extend_select", CODES, "Rule codes that are reported beside those of select."),
        Key(
            "per_file_ignores",
            IgnoresByGlob(),
            "Rule codes that are not reported in files, by globs relative to this file.",
        ),
        Key("targets", TARGETS, "Targets that tilescope lint checks every kernel for, whatever the source names."),
        Key(
            "specialization",
            Choice("all", "first"),
            "Whether all specializations of a kernel are checked. Default: all.",
        ),
        Key(
            "fail_level",
            Choice("error", "warning", "info"),
            "The severity from which on a run fails. Default: warning.",
        ),
        Key("baseline", Text(), "The file of findings that are known and not reported, relative to this file."),
        Key("cache_dir", Text(), "The folder where tilescope lint keeps results, relative to this file."),
    ]
)
ROOT = Table(
    [
        Key("targets", TARGETS, "Targets to compile for, such as cuda:sm_90a, where the source names none."),
        Key(
            "interpreter",
            Text(),
            "The Python interpreter that has tilelang, or its environment, relative to this file. "
            "Read in trusted workspaces only.",
        ),
        Key("exclude", GLOBS, "Globs of files and folders that are left alone, relative to this file."),
        Key("pass_configs", PassConfigs(), "TileLang pass configs of every kernel, over its own."),
        Key("kernels", Tables(KERNELS), "What holds for some files or kernels only; later entries win."),
        Key("lint", LINT, "Which rules are reported, how severe they are, and how tilescope lint runs."),
    ]
)


def json_schema() -> Schema:
    """The JSON schema of ``[tool.tilescope]`` and of ``tilescope.toml``, in the draft that TOML editors read."""
    return {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "title": "tilescope configuration",
        "description": "[tool.tilescope] in pyproject.toml, or the whole of tilescope.toml.",
        **ROOT.schema,
    }


def _advice(name: str, known: Sequence[str]) -> str:
    plain = name.replace("-", "_").lower()
    close = [plain] if plain in known else difflib.get_close_matches(plain, known, n=1)
    return f"did you mean {close[0]}?" if close else f"there are {', '.join(known)}"
