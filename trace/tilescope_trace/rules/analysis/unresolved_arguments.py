"""TS003: a kernel's parameters have no values."""

from __future__ import annotations

from tilescope_trace.rules.place import name_span
from tilescope_trace.rules.rule import Rule
from tilescope_worker.wire.facts import Finding, Kernel

RULE = Rule(
    code="TS003",
    name="unresolved-arguments",
    severity="info",
    summary="Some parameters of the kernel have no value, and none was found that it takes, so it was not compiled",
    doc="""\
Layouts and lowering depend on the values a kernel is built with. They are taken, strongest first, from
`--set` or the editor, a directive, call sites, the first autotune configuration and defaults. Where nothing gives a
value, likely ones are tried until the kernel's own assertions accept them; a kernel compiled like that says which
values are assumed, and what is found in it is information at most. This finding is for a kernel that took none of
them.
""",
    example="""\
@tilelang.jit
def matmul(M, N, K):
    assert sizes_are_registered(M, N, K)
""",
    why="""\
In the example nothing says what `M`, `N` and `K` are, and `sizes_are_registered` accepts none of the sizes that are
tried. Only facts that need no values are shown: no layouts, no memory, and no rule that reads them finds anything.
""",
    fix="""\
Write the values above the kernel:

```python
# tilescope: M=1024, N=1024, K=1024
@tilelang.jit
def matmul(M, N, K): ...
```

or give them once: `tilescope facts kernel.py --set M=1024 --set N=1024 --set K=1024`. The
[configuration](../configuration.md) gives them to many kernels, a [capture](../capture.md) takes them from a run.
""",
    ignore="""\
When the kernel is there for other files, which build it with values of their own, and is looked at with those.
""",
)


def finding(kernel: Kernel, text: str, file: str) -> Finding:
    """The finding for a kernel whose ``missing`` parameters have no value, at the name in its ``def``."""
    missing = ", ".join(kernel.missing)
    directive = ", ".join(f"{name}=..." for name in kernel.missing)
    noun = "a value" if len(kernel.missing) == 1 else "values"
    span = name_span(text, kernel.line, kernel.name)
    return Finding(
        code=RULE.code,
        severity=RULE.severity,
        file=file,
        line=span.line,
        column=span.column,
        end_line=span.end_line,
        end_column=span.end_column,
        message=f"{kernel.qualname} is not compiled: it needs {noun} for {missing}",
        kernel=kernel.qualname,
        specialization=kernel.specialization.id,
        target=kernel.target,
        help=f"write `# tilescope: {directive}` above the kernel",
    )
