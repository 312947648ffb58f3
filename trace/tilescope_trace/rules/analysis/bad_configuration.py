"""TS007: a configuration file that cannot be read, or says what is not understood."""

from __future__ import annotations

from typing import Protocol

from tilescope_trace.rules.rule import Rule
from tilescope_worker.wire.facts import Finding

RULE = Rule(
    code="TS007",
    name="bad-configuration",
    severity="warning",
    summary="`[tool.tilescope]` or `tilescope.toml` has a key that does not exist, or a value of a wrong type",
    doc="""\
The configuration of a project stands in `[tool.tilescope]` of its `pyproject.toml`, or in `tilescope.toml`. What is
wrong in it is left out, so kernels may be analysed with other values than intended. On the command line it ends the
command instead.

All keys are described in [configuration.md](../configuration.md).
""",
    example="""\
# pyproject.toml
[tool.tilescope]
tagrets = ["cuda:sm_90a"]  # targets
""",
)


class Where(Protocol):
    """1-based line and columns, the end exclusive."""

    @property
    def line(self) -> int: ...
    @property
    def column(self) -> int: ...
    @property
    def end_column(self) -> int: ...


def finding(file: str, where: Where, message: str) -> Finding:
    """The finding for a problem in the configuration ``file``."""
    end = max(where.end_column, where.column + 1)
    return Finding(RULE.code, RULE.severity, file, where.line, where.column, where.line, end, message)
