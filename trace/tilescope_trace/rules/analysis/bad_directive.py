"""TS006: a directive that cannot be read, or that names what is not there."""

from __future__ import annotations

from tilescope_trace.rules.rule import Rule

RULE = Rule(
    code="TS006",
    name="bad-directive",
    severity="warning",
    summary="A `# tilescope:` comment cannot be read, or names a parameter or target that does not exist",
    doc="""\
A directive stands directly above the kernel it is for and gives values to its parameters, or targets:

```python
# tilescope: M=1024, N=1024, dtype=float16 target=cuda:sm_90a
```

Values are Python literals or dtype names. A directive that cannot be read is not used at all, so the kernel may be
analysed with other values than intended, or not at all.
""",
    example="""\
# tilescope: M=1024, K  # K has no value
@tilelang.jit
def matmul(M, N, K): ...
""",
)
