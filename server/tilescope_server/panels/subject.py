"""The one kernel x specialization x target that a request is about."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from tilescope_trace.errors import UsageError
from tilescope_trace.model import Kernel, Options, Snapshot
from tilescope_trace.source.plan import plan_file
from tilescope_trace.source.workspace import shared_workspace

from .asked import Variant


@dataclass(frozen=True)
class Subject:
    """``kernel`` as its source tells, in ``snapshot``; ``options`` are those that name it and nothing else."""

    snapshot: Snapshot
    kernel: Kernel
    options: Options


def choose(snapshot: Snapshot, options: Options, variant: Variant, kernel: str | None, line: int | None) -> Subject:
    """The kernel that is named, or that the line (1-based) is in, or the only one; of its variants the first that
    fits. Reads the source, so it may take a moment. Raises UsageError, which lists what could have been meant."""
    asked = replace(
        options,
        kernel=kernel,
        targets=(variant.target,) if variant.target is not None else options.targets,
        arguments={**options.arguments, **variant.arguments},
        specialization=variant.specialization,
    )
    plan = plan_file(snapshot, asked, shared_workspace(snapshot.path))
    if plan.parsed.problems:
        problem = plan.parsed.problems[0]
        raise UsageError(f"line {problem.line}: {problem.message}; the file must parse first")
    found = _named(plan.statics, line) if kernel is None else plan.statics
    if not found:
        raise UsageError(_nothing(variant, kernel))
    names = list(dict.fromkeys(one.qualname for one in found))
    if len(names) > 1:
        raise UsageError(f"several kernels are here: {', '.join(names)}; name one")
    chosen = found[0]
    only = replace(asked, kernel=chosen.qualname, targets=(chosen.target,), specialization=chosen.specialization.id)
    return Subject(snapshot, chosen, only)


def _named(kernels: Sequence[Kernel], line: int | None) -> Sequence[Kernel]:
    """The kernels that begin last at or before the line; all of them without one."""
    if line is None:
        return kernels
    start = max(
        (one.line for one in kernels if one.line <= line), default=min((one.line for one in kernels), default=0)
    )
    return [one for one in kernels if one.line == start]


def _nothing(variant: Variant, kernel: str | None) -> str:
    if variant.specialization is not None:
        return f"there is no specialization {variant.specialization} of {kernel or 'this kernel'} any more"
    return "the document holds no kernels"
