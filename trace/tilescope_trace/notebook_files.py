"""Notebook files: the Python of their code cells, and places in them.

A place in a notebook is named by its cell, counted from 1 over all cells as editors show them, and the line there.
The name of such a cell, ``kernels.ipynb:cell 3``, stands wherever the name of a file does; programs get both apart.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from pathlib import PurePath
from typing import Any

from .errors import UsageError
from .source.notebooks import Joined, join

SUFFIX = ".ipynb"
_CELL = re.compile(r"(.*\.ipynb):cell (\d+)", re.DOTALL)


@dataclass(frozen=True)
class Cells:
    """The code cells of a notebook as one text; ``numbers`` are their places among all of its cells, from 1,
    ``texts`` what they hold."""

    joined: Joined
    numbers: tuple[int, ...]
    texts: tuple[str, ...]

    def place(self, line: int) -> tuple[int, int]:
        """The number of the cell that holds a line of the text, and the line there."""
        if not self.numbers:
            return 1, line
        cell, line = self.joined.place(line)
        return self.numbers[cell], line


def is_notebook(path: PurePath) -> bool:
    """Whether a file is one by its name."""
    return path.suffix == SUFFIX


def read_cells(data: bytes, path: PurePath) -> Cells:
    """The code cells of the notebook file that holds ``data`` (nbformat 4). Raises UsageError for what is none, or
    none of Python."""
    try:
        notebook: Any = json.loads(data.decode("utf-8-sig"))
    except (ValueError, RecursionError) as error:
        raise UsageError(f"{path} is not a notebook: {error}") from None
    cells = notebook.get("cells") if isinstance(notebook, dict) else None
    if not isinstance(cells, list):
        raise UsageError(f"{path} is not a notebook: it has no list of cells (nbformat 4)")
    language = _language(notebook)
    if language not in (None, "python"):
        raise UsageError(f"{path} is a notebook of {language}, not of Python")
    found = [
        (number, text)
        for number, cell in enumerate(cells, 1)
        if isinstance(cell, dict)
        and cell.get("cell_type") == "code"
        and (text := _text(cell.get("source"))) is not None
    ]
    texts = tuple(text for _, text in found)
    return Cells(join(texts), tuple(number for number, _ in found), texts)


def cell_name(file: str, number: int) -> str:
    """The name of a cell, where that of a file would stand."""
    return f"{file}:cell {number}"


def split_cell(name: str) -> tuple[str, int | None]:
    """The file of a name, and the cell where it names one."""
    found = _CELL.fullmatch(name)
    return (found[1], int(found[2])) if found is not None else (name, None)


def with_cells(value: Any) -> Any:
    """Plain JSON in which each object that names a cell as its ``file`` has ``file`` and ``cell``. Pure."""
    if isinstance(value, list):
        return [with_cells(item) for item in value]
    if not isinstance(value, dict):
        return value
    made: dict[str, Any] = {}
    for name, item in value.items():
        made[name] = with_cells(item)
        if name == "file" and isinstance(item, str):
            file, number = split_cell(item)
            if number is not None:
                made |= {"file": file, "cell": number}
    return made


def without_cells(value: dict[str, Any]) -> dict[str, Any]:
    """The reverse of `with_cells` for one object and those in its lists."""
    made = {
        name: [without_cells(one) if isinstance(one, dict) else one for one in item]
        if isinstance(item, list)
        else item
        for name, item in value.items()
        if name != "cell"
    }
    number = value.get("cell")
    return made if number is None else {**made, "file": cell_name(str(value.get("file")), int(number))}


def _language(notebook: dict[str, Any]) -> str | None:
    """The language as the metadata have it; None where they say nothing."""
    metadata = notebook.get("metadata")
    for name, key in (("language_info", "name"), ("kernelspec", "language")):
        part = metadata.get(name) if isinstance(metadata, dict) else None
        if isinstance(part, dict) and isinstance(part.get(key), str):
            return str(part[key]).lower()
    return None


def _text(source: Any) -> str | None:
    if isinstance(source, str):
        return source
    if isinstance(source, list) and all(isinstance(line, str) for line in source):
        return "".join(source)
    return None
