"""TS007: a configuration file that cannot be read, or says what is not understood."""

from __future__ import annotations

from tilescope_trace.rules.place import Where
from tilescope_trace.rules.rule import Rule
from tilescope_worker.wire.facts import Finding

RULE = Rule(
    code="TS007",
    name="bad-configuration",
    severity="warning",
    summary="`[tool.tilescope]` or `tilescope.toml` has a key that does not exist, or a value of a wrong type",
    doc="""\
The configuration of a project stands in `[tool.tilescope]` of its `pyproject.toml`, or in `tilescope.toml`. An editor
shows what is wrong in it and uses the rest; on the command line it ends the command, with exit code 2.

All keys are described in [configuration.md](../configuration.md).
""",
    example="""\
# pyproject.toml
[tool.tilescope]
tagrets = ["cuda:sm_80"]  # targets
""",
    why="""\
The key is left out, so kernels are analysed for `cuda:sm_90a`, the default, in place of sm_80: with another `T.gemm`,
and with 232448 B of shared memory for a block where sm_80 has 166912 B.
""",
    fix="""\
Write the key that the message offers, here `targets`. Editors that know JSON schemas for TOML complete the keys with
`docs/config.schema.json`, which `tilescope schema config` prints.
""",
    ignore="""\
In an editor, where a key is for a newer tilescope than the one that runs. Commands do not run until it is mended.
""",
)


def finding(file: str, where: Where, message: str) -> Finding:
    """The finding for a problem in the configuration ``file``."""
    end = max(where.end_column, where.column + 1)
    return Finding(RULE.code, RULE.severity, file, where.line, where.column, where.line, end, message)
