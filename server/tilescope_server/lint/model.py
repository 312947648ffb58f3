"""What a lint run works with and results in."""

from __future__ import annotations

from dataclasses import dataclass, field

from tilescope_trace.model import FileFacts, Finding, Status
from tilescope_trace.notebook_files import Cells


@dataclass(frozen=True)
class Source:
    """A file to lint: ``path`` absolute, ``shown`` as output names it (relative to the working folder, with slashes,
    where it lies inside). ``text`` is None where the file cannot be read; ``problem`` says why. ``piped`` text is not
    that of a file. Of a notebook the text is that of its ``cells``."""

    path: str
    shown: str
    text: str | None
    problem: str | None = None
    piped: bool = False
    cells: Cells | None = None


@dataclass(frozen=True)
class Checked:
    """A file with its facts and all that the rules find in it, before anything is selected or suppressed.
    ``cached`` tells that nothing had to be compiled."""

    source: Source
    facts: FileFacts
    cached: bool = False


@dataclass(frozen=True)
class Variant:
    """A kernel x specialization x target that a finding is about. ``assumed`` are its arguments that nothing in the
    project gives (``M=1024, N=1024``); empty where all are known."""

    kernel: str
    specialization: str
    target: str
    assumed: str = ""


@dataclass(frozen=True)
class Listed:
    """A finding as it is reported: once, for all ``variants`` of which the same is said at one place (none: it is
    about the file). ``finding`` is that of the first."""

    finding: Finding
    variants: tuple[Variant, ...] = ()

    @property
    def targets(self) -> tuple[str, ...]:
        """The targets that it holds for, in order."""
        return tuple(dict.fromkeys(one.target for one in self.variants))

    @property
    def assumed(self) -> str:
        """The assumed arguments that it depends on; empty where a variant has none."""
        return self.variants[0].assumed if self.variants and all(one.assumed for one in self.variants) else ""


@dataclass(frozen=True)
class Cell:
    """One kernel x specialization x target of the portability table. ``reason`` says in one line why it does not
    lower, with the code and line of the finding; ``errors`` are those of a kernel that lowers, in the same form:
    what the target cannot run though the compiler takes it. ``assumed``: some of its arguments are."""

    file: str
    kernel: str
    line: int
    target: str
    specialization: str
    arguments: str
    status: Status
    stage: str = "static"
    reason: str | None = None
    errors: tuple[str, ...] = ()
    assumed: bool = False


@dataclass(frozen=True)
class Report:
    """The outcome of a run. ``findings`` are those kept, in order of file, line, column, code, kernel and target;
    their ``file`` is as shown. ``texts`` has the sources that they excerpt, by the same name."""

    files: tuple[str, ...]
    findings: tuple[Listed, ...]
    cells: tuple[Cell, ...] = ()
    suppressed: int = 0
    baselined: int = 0
    cached: int = 0
    texts: dict[str, str] = field(default_factory=dict)
