"""TS501: a kernel lowers for some of its targets only."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tilescope_trace.rules.place import line_text
from tilescope_trace.rules.rule import Rule
from tilescope_worker.wire.facts import Finding, Kernel

RULE = Rule(
    code="TS501",
    name="target-lacking",
    severity="warning",
    summary="A kernel lowers for some of its targets only",
    doc="""\
Where several targets are asked for (by `# tilescope: target=...` lines, by configuration, or by `--target`), and the
same kernel with the same arguments lowers for one and not for another, this tells which, with the statement to
change. The failure itself has a finding of its own, with its reason.
""",
    example="""\
# tilescope: target=cuda:sm_80
# tilescope: target=cuda:sm_90a
T.wgmma_gemm(A_s, B_s, C_l)  # Hopper only
""",
    why="""\
A kernel that was only ever compiled for the machine at hand stops on the next one: the example lowers for sm_90a,
and lowering for sm_80 ends at `T.wgmma_gemm`.
""",
    fix="Use what all targets have (`T.gemm`), or choose by target in the factory.",
    ignore="When the kernel is for one target, drop the other from its directives or the configuration.",
)


def findings(kernels: Sequence[Kernel], text: str) -> tuple[Finding, ...]:
    """One for each kernel, specialization and target that fails while another target is fine; ``kernels`` are all of
    a file, as they are when its analysis is complete."""
    together: dict[tuple[str, str], list[Kernel]] = {}
    for kernel in kernels:
        together.setdefault((kernel.qualname, kernel.specialization.id), []).append(kernel)
    return tuple(finding for group in together.values() for finding in _lacking(group, text))


def _lacking(group: list[Kernel], text: str) -> Iterator[Finding]:
    fine = [kernel.target for kernel in group if kernel.status == "ok"]
    for kernel in group if fine else ():
        cause = next((one for one in kernel.findings if one.severity == "error" and _is_failure(one)), None)
        if kernel.status not in ("failed", "partial") or cause is None:
            continue
        statement = line_text(text, cause.line).strip()
        # Where the failure has no line of its own, the kernel's is no statement to change.
        change = f": change `{statement}`" if cause.confidence == "exact" else ""
        yield Finding(
            code=RULE.code,
            severity=RULE.severity,
            file=cause.file,
            line=cause.line,
            column=cause.column,
            end_line=cause.end_line,
            end_column=cause.end_column,
            message=f"{kernel.name} lowers for {', '.join(fine)} and not for {kernel.target}{change}",
            kernel=kernel.qualname,
            specialization=kernel.specialization.id,
            target=kernel.target,
            help=f"see {cause.code}",
        )


def _is_failure(finding: Finding) -> bool:
    """Whether a finding tells why a kernel does not lower, not of a fault that the compiler accepts."""
    return finding.compiler is not None
