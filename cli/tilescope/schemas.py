"""The JSON schemas of all outputs and of the configuration, by name."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, Literal

from tilescope_passdiff.render.bisect import BISECT
from tilescope_passdiff.render.compare import COMPARE
from tilescope_passdiff.render.history import HISTORY
from tilescope_passdiff.render.json import SHAPES
from tilescope_passdiff.render.layout import LAYOUT
from tilescope_passdiff.render.timeline import TIMELINE
from tilescope_server.lint.formats.public import lint_schema
from tilescope_server.panels.shapes import ANSWERS, NEW, PROBLEM
from tilescope_server.settings.schema import form
from tilescope_trace.captured.model import Captured
from tilescope_trace.config.keys import json_schema
from tilescope_trace.differences import Comparison
from tilescope_trace.model import FileFacts, Finding, Kernel
from tilescope_trace.model.schemas import schema_of, with_cell_keys
from tilescope_trace.profile.stamps.document import DOCUMENT as STAMPS

from .checks.check import Check
from .commands.lock import LOCK
from .demonstrated import Demonstrated
from .explain import RULES_SHAPE
from .lint_output import MATRIX, Statistic
from .show_config import SETTINGS
from .stored import PRUNED, RECORDINGS
from .traced import Traced

Schema = dict[str, Any]
RecordingStatus = Literal["ok", "failed", "incomplete"]

_MADE: dict[str, Callable[[], Schema]] = {
    "facts": lambda: schema_of("facts", {"files": list[FileFacts]}),
    "differences": lambda: schema_of("differences", {"comparisons": list[Comparison]}),
    "finding": lambda: schema_of("finding", {"finding": Finding}),
    **{name: partial(schema_of, name, keys) for name, keys in SHAPES.items()},
    "compare": partial(schema_of, "compare", COMPARE),
    "bisect": partial(schema_of, "bisect", BISECT),
    "history": partial(schema_of, "history", HISTORY),
    "layout": partial(schema_of, "layout", LAYOUT),
    "timeline": partial(schema_of, "timeline", TIMELINE),
    "stamps": partial(schema_of, "stamps", STAMPS),
    **{name: partial(schema_of, name, keys) for name, keys in ANSWERS.values() if name in NEW},
    "problem": partial(schema_of, "problem", PROBLEM),
    "traced": lambda: schema_of("traced", {"program": list[str], "kernels": list[Traced]}),
    "trace": lambda: schema_of("trace", {"recording": str, "status": RecordingStatus, "kernel": Kernel}),
    "recordings": partial(schema_of, "recordings", RECORDINGS),
    "pruned": partial(schema_of, "pruned", PRUNED),
    "demo": lambda: schema_of("demo", {"recordings": list[Demonstrated]}),
    "doctor": lambda: schema_of("doctor", {"checks": list[Check]}),
    "config": json_schema,
    "editor-settings": form,
    "captured": lambda: schema_of("captured", {"kernels": dict[str, dict[str, list[Captured]]]}),
    "lint": lint_schema,
    "lock": lambda: schema_of("lock", LOCK),
    "matrix": lambda: schema_of("matrix", MATRIX),
    "statistics": lambda: schema_of("statistics", {"statistics": list[Statistic]}),
    "settings": lambda: schema_of("settings", SETTINGS),
    "rules": lambda: schema_of("rules", RULES_SHAPE),
    "schema": lambda: schema_of("schema", {"names": list[str]}),
}


def _made(name: str) -> Schema:
    return with_cell_keys(_MADE[name]())


SCHEMAS: dict[str, Callable[[], Schema]] = {name: partial(_made, name) for name in _MADE}
