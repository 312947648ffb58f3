"""What was not compiled, in one sentence for stderr: a long output must not hide it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tilescope_trace.model import FileFacts, Kernel

MOST_KERNELS = 3
"""Kernels named in the sentence; the output itself names all."""


def not_compiled(files: Sequence[FileFacts]) -> str | None:
    """``1 of 3 kernels not compiled: copy.main has no value for N: --set N=...``; None where all were."""
    kernels = [(facts, kernel) for facts in files for kernel in facts.kernels]
    reasons = [reason for facts, kernel in kernels if (reason := _reason(facts, kernel)) is not None]
    if not reasons:
        return None
    named = list(dict.fromkeys(reasons))
    more = f"; and {len(named) - MOST_KERNELS} more" if len(named) > MOST_KERNELS else ""
    noun = "kernel" if len(kernels) == 1 else "kernels"
    return f"{len(reasons)} of {len(kernels)} {noun} not compiled: {'; '.join(named[:MOST_KERNELS])}{more}"


def missing_values(names: Sequence[str]) -> str:
    """The options that give the parameters ``names`` values: ``--set M=... --set N=...``."""
    return " ".join(f"--set {name}=..." for name in names)


def without_tilelang(facts: FileFacts) -> bool:
    """Whether the file was to be compiled and could not be, for want of a TileLang."""
    return any(finding.code == "TS005" for finding in facts.findings)


def _reason(facts: FileFacts, kernel: Kernel) -> str | None:
    return next(_reasons(facts, kernel), None)


def _reasons(facts: FileFacts, kernel: Kernel) -> Iterator[str]:
    if without_tilelang(facts):
        yield "the interpreter cannot import tilelang (choose another with --python)"
    if kernel.status == "unresolved" and kernel.missing:
        names = ", ".join(kernel.missing)
        yield f"{kernel.qualname} has no value for {names}: {missing_values(kernel.missing)}"
    if kernel.status in ("failed", "unresolved"):
        yield f"{kernel.qualname} does not compile for {kernel.target}"
    if kernel.stage == "static":
        yield f"{kernel.qualname} was not reached"
