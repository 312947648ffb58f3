"""JSON schemas of the public outputs, from the dataclasses that the outputs are made of."""

from __future__ import annotations

from typing import Any

import msgspec

from .public import EMPTY_LEFT_OUT, NOT_PUBLIC, OPTIONAL, RENAMED

DIALECT = "https://json-schema.org/draft/2020-12/schema"


def schema_of(name: str, keys: dict[str, Any]) -> dict[str, Any]:
    """The JSON schema of the document ``name`` with the given keys and their types."""
    kinds = list(keys.values())
    shapes, components = msgspec.json.schema_components(kinds, ref_template="#/$defs/{name}")
    return {
        "$schema": DIALECT,
        "title": f"tilescope.{name}/1",
        "type": "object",
        "properties": {
            "schema": {"const": f"tilescope.{name}/1"},
            **dict(zip(keys, shapes, strict=True)),
        },
        "required": ["schema", *keys],
        "$defs": {kind: _public_component(kind, component) for kind, component in components.items()},
    }


IN_CELLS = frozenset({"FileFacts", "Argument", "Finding", "Place", "Cell", "Comparison"})
"""Classes whose ``file`` may be a notebook: `notebook_files.with_cells` then writes ``cell`` beside it."""
_CELL = {"type": "integer", "minimum": 1}


def with_cell_keys(schema: dict[str, Any]) -> dict[str, Any]:
    """The schema with ``cell`` beside ``file`` in what may stand in a notebook: the number of the cell among all of
    its cells, from 1; absent for a file that is none."""
    shapes = {
        kind: _with_cell(shape) if kind in IN_CELLS else shape for kind, shape in schema.get("$defs", {}).items()
    }
    return {**schema, "$defs": shapes} if shapes else schema


def _with_cell(shape: dict[str, Any]) -> dict[str, Any]:
    properties: dict[str, Any] = {}
    for key, value in shape["properties"].items():
        properties |= {key: value, "cell": _CELL} if key == "file" else {key: value}
    return {**shape, "properties": properties}


def _public_component(kind: str, component: dict[str, Any]) -> dict[str, Any]:
    left_out = OPTIONAL.get(kind, frozenset()) | EMPTY_LEFT_OUT.get(kind, frozenset())
    hidden = NOT_PUBLIC.get(kind, frozenset())
    properties = {key: shape for key, shape in component.get("properties", {}).items() if key not in hidden}
    shapes = {
        RENAMED.get(key, key): {name: part for name, part in shape.items() if name != "default"}
        for key, shape in properties.items()
    }
    required = [RENAMED.get(key, key) for key in properties if key not in left_out]
    return {**component, "properties": shapes, "required": required}
