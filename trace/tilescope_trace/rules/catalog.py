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
from .rule import Rule

RULES: dict[str, Rule] = {
    module.RULE.code: module.RULE
    for module in (
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
}
