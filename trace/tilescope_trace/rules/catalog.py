"""All rules, by code."""

from __future__ import annotations

from .analysis import (
    bad_configuration,
    bad_directive,
    internal_error,
    module_failed,
    no_tilelang,
    syntax_error,
    unresolved_arguments,
    unused_suppression,
    worker_ended,
)
from .checks import CHECKS
from .compile import codegen_failed, compiler_warning, elaboration_failed, lowering_failed
from .kinds import KINDS, WARNINGS
from .portability import target_lacking
from .rule import Rule

_OTHERS = (
    syntax_error,
    module_failed,
    unresolved_arguments,
    worker_ended,
    no_tilelang,
    bad_directive,
    bad_configuration,
    unused_suppression,
    internal_error,
    elaboration_failed,
    lowering_failed,
    codegen_failed,
    compiler_warning,
    target_lacking,
)
RULES: dict[str, Rule] = {
    rule.code: rule
    for rule in sorted(
        [module.RULE for module in _OTHERS] + [rule for rule, _ in (*KINDS, *WARNINGS, *CHECKS)],
        key=lambda rule: rule.code,
    )
}
