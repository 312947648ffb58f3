"""Writes the documentation of the methods that panels use: ``python -m tilescope_server.panels.docs FILE``."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import msgspec

from tilescope_trace.model.schemas import schema_of

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
    "tilescope/compare": (asked.Compare, "Two specializations or targets of a kernel, side by side."),
}
"""Parameters and purpose of each method."""

HEAD = """\
# Methods for panels

Beside the Language Server Protocol the server answers these requests. Editors' panels use them; any client may.
Generated from the code by `make docs`.

- Places are 1-based, columns count code points, ends are exclusive: as in all JSON of tilescope, not as in LSP.
- Each answer has its `schema`; `tilescope schema NAME` prints the JSON schema of `tilescope.NAME/1`. Answers may have
  further keys, in future as well.
- Where there is no such answer (no kernel of that name, a syntax error, a workspace that is not trusted, no
  TileLang), the answer is `{schema: "tilescope.problem/1", message}`; the message is for people. Requests never end
  in an error of the protocol, unless they are cancelled. A kernel that does not compile is answered with what there
  is: `passes` has `status: "failed"`, and its last pass the error.
- What needs a recording makes it, in a process of its own, and keeps it as long as text, specialization and target
  stay the same. Meanwhile work-done progress is shown (`workDoneToken` of the request, else a token of the server's)
  and can be cancelled there, or with `$/cancelRequest`.
- `of` says what the answer is about, `of.version` which text. A newer text does not take an answer back: compare the
  versions. `tilescope/status` is notified when an analysis has got further.
- Notebook cells are no documents here: name the notebook's `uri`.
"""

TAIL = """\
## `tilescope/analysis`

Parameters: `{uri}`. Answers `{version, stage, complete, facts}` at once: what is known of the text now. `facts` is
the document `facts`; `complete` is false while more is due for this version. `null` for a document that is not open.

## `tilescope/timeline`

Parameters: `{uri, profiles?: string[]}`. Answers the document `timeline`; without a profile the document `problem`.

## `tilescope/status` (notification)

`{uri?, mode, stage, target, worker, interpreter, interpreter_why, message}`: what a status bar should say of a
document (without `uri`: of the session). `mode` is `full`, `partial`, `static` or `untrusted`; `worker` is
`none`, `starting`, `busy`, `idle` or `failed`.
"""


def page() -> str:
    """The Markdown page."""
    parts = [HEAD]
    shapes: dict[str, Schema] = {}
    for method, (kind, purpose) in METHODS.items():
        (_,), inputs = msgspec.json.schema_components([kind], ref_template="#/$defs/{name}")
        parameters = inputs.pop(kind.__name__)
        name, keys = ANSWERS[method]
        answer = schema_of(name, keys)
        shapes.update(answer["$defs"])
        shapes.update(inputs)
        parts.append(
            f"## `{method}`\n\n{purpose}\n\nParameters. {_words(parameters)}\n\n"
            f"```ts\n{_object(parameters)}\n```\n\nAnswer.\n\n```ts\n{_object(answer)}\n```\n"
        )
    parts.append(TAIL)
    parts.append("## Shapes\n")
    parts += [
        f"`{name}`: {_words(shape)}\n\n```ts\n{_object(shape)}\n```\n" for name, shape in sorted(shapes.items())
    ]
    return "\n".join(parts)


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


def main(arguments: list[str]) -> int:
    """Writes the page into the file named by the only argument."""
    if len(arguments) != 1:
        sys.stderr.write("usage: python -m tilescope_server.panels.docs FILE\n")
        return 2
    Path(arguments[0]).write_text(page(), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
