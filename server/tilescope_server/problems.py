"""Which findings an editor shows: those that `tilescope lint` reports of the same facts."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from tilescope_trace.config.model import Config
from tilescope_trace.model import Finding, Place
from tilescope_trace.rules.analysis import unresolved_arguments

from .analysis import UNRESOLVED, Analysis
from .lint.report import is_complete, joined
from .lint.settings import Asked, selection
from .lint.suppress import apply as suppress


def problems_of(analysis: Analysis, config: Config, path: str) -> tuple[Finding, ...]:
    """The findings at their places in the present text, without those that a comment suppresses, selected and graded
    by the configuration, each once. ``path`` is the file that per-file ignores are about."""
    own = analysis.snapshot.path
    found = [_here(one, analysis) if one.file != own else one for one in analysis.findings()]
    found += _unresolved(analysis, found)
    kept, _ = suppress(found, analysis.snapshot.text, own, complete=_is_told(analysis, config))
    chosen = selection(Asked(), config)
    counted = [one for one in (chosen.apply(one, path) for one in kept) if one is not None]
    return tuple(one.finding for one in joined(counted, {}))


def _unresolved(analysis: Analysis, found: Iterable[Finding]) -> list[Finding]:
    """Kernels that are not compiled for want of arguments and of which nobody has said so: those that nothing may be
    tried for, where nothing may be executed."""
    told = {one.kernel for one in found if one.code == UNRESOLVED}
    silent = (one for one in analysis.kernels if one.status == "unresolved" and one.missing)
    if analysis.facts is None or not analysis.facts.complete:
        return []
    snapshot = analysis.snapshot
    return [
        unresolved_arguments.finding(one, snapshot.text, snapshot.path) for one in silent if one.qualname not in told
    ]


def _is_told(analysis: Analysis, config: Config) -> bool:
    """Whether all that lint would find is known, so that a comment that suppresses nothing is idle. Lint looks at
    every captured specialization and at targets of its own beside."""
    facts = analysis.facts
    return (
        facts is not None
        and facts.complete
        and facts.tilelang is not None
        and is_complete(facts)
        and not config.lint.targets
        and not any(kernel.specialization.origin == "captured" for kernel in facts.kernels)
    )


def _here(finding: Finding, analysis: Analysis) -> Finding:
    """A finding in another file, at the ``def`` of the kernel that it is about, with its own place beside it."""
    line = next((kernel.line for kernel in analysis.kernels if kernel.qualname == finding.kernel), 1)
    place = Place(finding.file, finding.line, finding.message)
    return replace(
        finding,
        file=analysis.snapshot.path,
        line=line,
        column=1,
        end_line=line,
        end_column=1 << 20,
        related=(place, *finding.related),
        fixes=(),
    )
