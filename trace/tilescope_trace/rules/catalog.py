"""All rules, by code."""

from __future__ import annotations

from . import (
    bad_directive,
    codegen_failed,
    compiler_warning,
    elaboration_failed,
    lowering_failed,
    module_failed,
    no_tilelang,
    syntax_error,
    unresolved_arguments,
    worker_ended,
)
from .kinds import KINDS, WARNINGS
from .rule import Rule

_OTHERS = (
    syntax_error,
    module_failed,
    unresolved_arguments,
    worker_ended,
    no_tilelang,
    bad_directive,
    elaboration_failed,
    lowering_failed,
    codegen_failed,
    compiler_warning,
)
RULES: dict[str, Rule] = {
    rule.code: rule
    for rule in sorted(
        [module.RULE for module in _OTHERS] + [rule for rule, _ in (*KINDS, *WARNINGS)], key=lambda rule: rule.code
    )
}
