"""Which findings count, and how severe they are."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from tilescope_trace.config.globs import matches
from tilescope_trace.errors import UsageError
from tilescope_trace.model import Finding, Severity
from tilescope_trace.rules.catalog import RULES

ALL = "ALL"
LEVELS: tuple[Severity, ...] = ("info", "warning", "error")


@dataclass(frozen=True)
class Selection:
    """Codes may be prefixes: ``TS2`` is every rule about memory; ``ALL`` is every rule. Where several prefixes of a
    code are named, the longest decides, ``ignore`` before ``select`` of equal length. ``per_file`` are ignored codes
    by globs relative to ``folder``; ``severity`` goes by prefixes as well."""

    select: tuple[str, ...] = (ALL,)
    ignore: tuple[str, ...] = ()
    per_file: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    severity: Mapping[str, Severity] = field(default_factory=dict)
    folder: str = ""

    def takes(self, code: str) -> bool:
        """Whether findings of a rule count at all."""
        return _longest(self.select, code) > _longest(self.ignore, code)

    def apply(self, finding: Finding, path: str) -> Finding | None:
        """The finding with the severity that is wanted, None where it does not count in the file ``path``."""
        if not self.takes(finding.code):
            return None
        for pattern, codes in self.per_file.items():
            if _longest(codes, finding.code) >= 0 and matches(path, (pattern,), self.folder):
                return None
        named = [code for code in self.severity if code == ALL or finding.code.startswith(code)]
        wanted = self.severity[max(named, key=_length)] if named else None
        return replace(finding, severity=wanted) if wanted is not None else finding


def checked_codes(codes: tuple[str, ...], option: str) -> tuple[str, ...]:
    """``codes``, given one by one or separated by commas. Raises UsageError for one that no rule begins with."""
    found = tuple(code.strip() for text in codes for code in text.split(",") if code.strip())
    for code in found:
        if code != ALL and not any(known.startswith(code) for known in RULES):
            raise UsageError(f"{option} {code}: no rule has this code; tilescope lint --explain ALL lists them")
    return found


def at_least(severity: Severity, level: Severity) -> bool:
    """Whether a severity is the level or above it."""
    return LEVELS.index(severity) >= LEVELS.index(level)


def _longest(prefixes: tuple[str, ...], code: str) -> int:
    """Length of the longest prefix of ``code``, 0 for ALL, -1 where there is none."""
    return max((_length(one) for one in prefixes if one == ALL or code.startswith(one)), default=-1)


def _length(prefix: str) -> int:
    return 0 if prefix == ALL else len(prefix)
