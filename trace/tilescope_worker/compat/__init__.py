"""Where TileLang versions differ: what is here is probed on the objects themselves, never read off a version.

What a version cannot give is named (`notes`), not faked.
"""

from __future__ import annotations

from .compilation import CompileRequested, KernelCalledError, PendingKernel, config_of, intercept_compiles
from .moved import moved_modules
from .passes import current_phase, normalize_pass_configs, pass_config_key
from .probe import capabilities, notes
from .spans import annotated_script, location_of
from .targets import generate_source, make_target, target_kinds

__all__ = [
    "CompileRequested",
    "KernelCalledError",
    "PendingKernel",
    "annotated_script",
    "capabilities",
    "config_of",
    "current_phase",
    "generate_source",
    "intercept_compiles",
    "location_of",
    "make_target",
    "moved_modules",
    "normalize_pass_configs",
    "notes",
    "pass_config_key",
    "target_kinds",
]
