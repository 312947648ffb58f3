"""TS110: a warning of the compiler that has no code of its own."""

from __future__ import annotations

from tilescope_trace.rules.rule import Rule

RULE = Rule(
    code="TS110",
    name="compiler-warning",
    severity="warning",
    summary="The compiler warns about the kernel",
    doc="""\
The compiler printed a warning with a place while it lowered the kernel, and it is none of those that have a code of
their own. Those of TileLang 0.1.15 have one: reads of what was never written ([TS310](TS310.md)) and data races
([TS303](TS303.md)). So this code is for other versions and forks. Warnings without a place are not passed on.
""",
    why="""\
After a warning the compiler goes on, and the kernel may do something else than its source says: a wrong result, or
an access that is not the one asked for.
""",
    fix="""\
Look at the line named, with the compiler's own words; they often say which call or pass config ends the warning.
""",
    ignore="""\
When the line does what is meant: `# tilescope: ignore[TS110] reason`.
""",
)
