"""The captured file as text: sorted, one line per specialization, so that version control merges it line by line."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import msgspec

from .model import SCHEMA, Captured, CapturedFile

Kernels = Mapping[str, Mapping[str, Iterable[Captured]]]


class CapturedFileError(ValueError):
    """A captured file that cannot be read; the text says where and why."""


def render(kernels: Kernels) -> str:
    """The text of a captured file; the same for the same kernels, whatever their order."""
    files = {file: [*_kernel_lines(kernels[file])] for file in sorted(kernels)}
    blocks = [f"  {_text(file)}: {{\n" + ",\n".join(blocks) + "\n  }" for file, blocks in files.items() if blocks]
    body = "{\n" + ",\n".join(blocks) + "\n }" if blocks else "{}"
    return f'{{\n "schema": {_text(SCHEMA)},\n "kernels": {body}\n}}\n'


def _kernel_lines(kernels: Mapping[str, Iterable[Captured]]) -> Iterator[str]:
    for qualname in sorted(kernels):
        entries = sorted(kernels[qualname], key=order)
        if entries:
            lines = ",\n".join(f"    {_text(public(entry))}" for entry in entries)
            yield f"   {_text(qualname)}: [\n{lines}\n   ]"


def public(entry: Captured) -> dict[str, Any]:
    """An entry as JSON, without what is empty."""
    kept = {
        "args": dict(entry.args),
        "target": entry.target,
        "caller": entry.caller,
        "pass_configs": dict(entry.pass_configs),
        "compile_flags": list(entry.compile_flags),
        "tuned": entry.tuned,
    }
    return {key: value for key, value in kept.items() if value or key == "args"}


def order(entry: Captured) -> tuple[int, str]:
    """Winners of a tuning first, what was only tried last; within these by content, numbers by their size."""
    rank = {"winner": 0, None: 1, "tried": 2}[entry.tuned]
    return rank, json.dumps(_comparable(public(entry)), sort_keys=True)


def parse(text: str, path: str) -> CapturedFile:
    """The captured file ``path`` with this text. Raises CapturedFileError."""
    try:
        document = json.loads(text)
    except (ValueError, RecursionError) as error:
        where = f"{path}:{error.lineno}" if isinstance(error, json.JSONDecodeError) else path
        raise CapturedFileError(f"{where}: not JSON: mend it, or delete it and capture again") from None
    try:
        schema = document["schema"] if isinstance(document, dict) else None
        if schema != SCHEMA:
            raise CapturedFileError(f"{path}: its schema is {schema!r}, not {SCHEMA!r}: another tilescope wrote it?")
        found = msgspec.convert(document.get("kernels"), dict[str, dict[str, tuple[Captured, ...]]])
    except (msgspec.ValidationError, KeyError) as error:
        raise CapturedFileError(f"{path}: {error}: mend it, or delete it and capture again") from None
    return CapturedFile(path, found, _lines(text, found))


def _lines(
    text: str, kernels: Mapping[str, Mapping[str, tuple[Captured, ...]]]
) -> dict[tuple[str, str], tuple[int, ...]]:
    """Where the entries stand: our own layout has each on a line of its own, in order."""
    starts = [number for number, line in enumerate(text.split("\n"), start=1) if line.lstrip().startswith('{"args"')]
    keys = [(file, qualname) for file, inner in kernels.items() for qualname in inner]
    if len(starts) != sum(len(kernels[file][qualname]) for file, qualname in keys):
        return {key: (1,) * len(kernels[key[0]][key[1]]) for key in keys}
    lines = iter(starts)
    return {key: tuple(next(lines) for _ in kernels[key[0]][key[1]]) for key in keys}


def _text(value: Any) -> str:
    return json.dumps(value, sort_keys=True, ensure_ascii=False)


def _comparable(value: Any) -> Any:
    if isinstance(value, bool) or value is None:
        return value
    if isinstance(value, int):
        return f"{value:024d}"
    if isinstance(value, dict):
        return {key: _comparable(item) for key, item in value.items()}
    return [_comparable(item) for item in value] if isinstance(value, list) else value
