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

Values are Python literals or dtype names. What cannot be read in a directive is left out; the rest holds.
""",
    example="""\
# tilescope: M=1024, K  # K has no value
@tilelang.jit
def matmul(M, N, K): ...
""",
    why="""\
In the example `M` is 1024, but `K` is not what somebody meant to write: it gets the value of a call, a default or an
assumed one, and all facts and findings are those of a kernel that nobody asked for.
""",
    fix="""\
Write every value as NAME=VALUE, here `# tilescope: M=1024, K=1024`, with the names of the kernel's own parameters,
and remarks in a line of their own. [What a directive holds](../configuration.md#directives).
""",
    ignore="""\
When the comment is not for tilescope; then it had better begin with another word.
""",
)
