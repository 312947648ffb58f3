"""One adapter a tool: how it is run on the cases, and what it says in our words.

``NAME`` heads its column, ``DISTRIBUTION`` is the package whose version counts, ``HOW`` tells how it was driven, and
``look(cases, place)`` gives what it reported of each case by the case's name.
"""

from __future__ import annotations

from types import ModuleType

from . import compile_only, compiler, devkit, lower_trace, pass_visualizer, race_check, tile_lsp, tilescope

TOOLS: tuple[ModuleType, ...] = (
    tilescope,
    tile_lsp,
    compiler,
    race_check,
    lower_trace,
    devkit,
    pass_visualizer,
    compile_only,
)
