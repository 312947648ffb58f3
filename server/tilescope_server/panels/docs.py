"""Writes the documentation of the methods that panels use: ``python -m tilescope_server.panels.docs FILE``.

What is not in the code is in ``protocol.md`` beside this module.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import msgspec

from tilescope_trace.model.schemas import schema_of
from tilescope_trace.pages import write_page

from . import asked
from .shapes import ANSWERS

Schema = dict[str, Any]

METHODS: dict[str, tuple[type[msgspec.Struct], str]] = {
    "tilescope/passes": (asked.OfKernel, "The passes of a kernel's lowering, what each did and how long it took."),
    "tilescope/diff": (asked.Diff, "What a pass did to its own input, as rows of two columns."),
    "tilescope/history": (asked.History, "What became of a buffer, or of a Python line, pass by pass."),
    "tilescope/show": (
        asked.OfPass,
        "The IR after a pass (before it, where it failed), each line with its Python lines.",
    ),
    "tilescope/generated": (asked.OfKernel, "The generated source, each line with its Python lines and its role."),
    "tilescope/layout": (
        asked.Layout,
        "Where a layout puts each element of a buffer: a picture and, row by row, `cells`: `{threads, register}` of a"
        " fragment, `{address, bank?}` of memory (bytes; banks of shared memory).",
    ),
    "tilescope/memory": (asked.Memory, "What is in each on-chip memory, and how much room there is."),
    "tilescope/variants": (
        asked.OfKernel,
        "Specializations and targets to choose among, from calls, directives, configuration and captures. `chosen`:"
        " something was chosen, by `tilescope.chooseSpecialization` or `tilescope.chooseTarget`.",
    ),
    "tilescope/timeline": (
        asked.Timeline,
        "Launches, lanes, samples of profiles. `alone` says why they are not joined with a kernel (null: they are).",
    ),
    "tilescope/compare": (asked.Compare, "Two specializations or targets of a kernel, side by side."),
}
"""Parameters and purpose of each method."""


def page() -> str:
    """The Markdown page."""
    methods: list[str] = []
    shapes: dict[str, Schema] = {}
    for method, (kind, purpose) in METHODS.items():
        (_,), inputs = msgspec.json.schema_components([kind], ref_template="#/$defs/{name}")
        parameters = inputs.pop(kind.__name__)
        answer = schema_of(*ANSWERS[method])
        shapes.update(answer["$defs"])
        shapes.update(inputs)
        methods.append(
            f"## `{method}`\n\n{purpose}\n\nParameters. {_words(parameters)}\n\n```ts\n{_object(parameters)}\n```\n\n"
            f"Answer.\n\n```ts\n{_object(answer)}\n```"
        )
    described = [
        f"`{name}`: {_words(shape)}\n\n```ts\n{_object(shape)}\n```" for name, shape in sorted(shapes.items())
    ]
    text = Path(__file__).with_name("protocol.md").read_text(encoding="utf-8")
    for place, filling in (("methods", methods), ("shapes", described)):
        text = text.replace(f"<!-- {place} -->", "\n\n".join(filling))
    return text


def _words(schema: Schema) -> str:
    return " ".join(str(schema.get("description", "")).replace("``", "`").split())


def _object(schema: Schema) -> str:
    required = set(schema.get("required", ()))
    properties = sorted(schema.get("properties", {}).items(), key=lambda item: item[0] not in required)
    return "\n".join(["{", *(f"  {_key(name, part, name in required)}" for name, part in properties), "}"])


def _key(name: str, schema: Schema, required: bool) -> str:
    default = schema.get("default")
    given = f" // default {json.dumps(default)}" if default not in (None, {}, [], (), "") else ""
    return f"{name}{'' if required else '?'}: {_type(schema)};{given}"


def _type(schema: Schema) -> str:
    if "$ref" in schema:
        return str(schema["$ref"]).rpartition("/")[2]
    if "const" in schema:
        return f'"{schema["const"]}"'
    if "enum" in schema:
        return " | ".join("null" if one is None else f'"{one}"' for one in schema["enum"])
    if "anyOf" in schema:
        return " | ".join(dict.fromkeys(map(_type, schema["anyOf"])))
    kind = schema.get("type")
    if kind == "array":
        return _array(schema)
    if kind == "object":
        return f"{{ [name: string]: {_type(schema.get('additionalProperties', {}))} }}"
    names = {"integer": "number", "number": "number", "string": "string", "boolean": "boolean", "null": "null"}
    return names.get(str(kind), "any")


def _array(schema: Schema) -> str:
    if "prefixItems" in schema:
        return f"[{', '.join(map(_type, schema['prefixItems']))}]"
    item = _type(schema["items"]) if isinstance(schema.get("items"), dict) else "any"
    return f"({item})[]" if "|" in item else f"{item}[]"


if __name__ == "__main__":
    write_page(page)
