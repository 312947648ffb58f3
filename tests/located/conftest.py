"""Findings of faulty kernels: planned, compiled and worded as in real use, with the worker's part in this process."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest
from tests.worker.conftest import captured

from tilescope_trace.gather import Gathered
from tilescope_trace.model import Finding, Kernel, Options, Snapshot
from tilescope_trace.source.plan import plan_file
from tilescope_worker import work
from tilescope_worker.wire.messages import Event, Failure, Job, KernelUpdate, RequestDone

KERNELS = Path(__file__).parent.parent / "kernels"


@dataclass(frozen=True)
class Analysed:
    """A file as analysed: the events its job sent, and what was gathered of them."""

    text: str
    events: tuple[Event, ...]
    gathered: Gathered

    @property
    def kernel(self) -> Kernel:
        (only,) = self.gathered.kernels
        return only

    @property
    def findings(self) -> list[Finding]:
        """Findings of the file and of all kernels."""
        return [*self.gathered.findings, *(f for kernel in self.gathered.kernels for f in kernel.findings)]

    @property
    def failures(self) -> list[Failure]:
        return [event for event in self.events if isinstance(event, Failure)]

    @property
    def done(self) -> list[RequestDone]:
        return [event for event in self.events if isinstance(event, RequestDone)]

    @property
    def updates(self) -> list[KernelUpdate]:
        return [event for event in self.events if isinstance(event, KernelUpdate)]

    def underlined(self, finding: Finding) -> str:
        """The characters that a finding of one line underlines."""
        return self.text.split("\n")[finding.line - 1][finding.column - 1 : finding.end_column - 1]


Analyse = Callable[..., Analysed]


def analyse_text(
    path: Path, text: str, *, kernel: str | None = None, target: str = "cuda:sm_80", **arguments: str
) -> Analysed:
    """Analyse ``text`` as the file ``path``; arguments are Python literal texts."""
    snapshot = Snapshot(str(path), text)
    plan = plan_file(snapshot, Options(kernel=kernel, targets=(target,), arguments=arguments))
    gathered = Gathered(snapshot, plan)
    events: list[Event] = []

    def send(event: Event) -> None:
        events.append(event)
        gathered.take(event, 0)

    with captured() as output:
        work.run_job(Job(str(path), text, plan.requests), send, output)
    return Analysed(text, tuple(events), gathered)


@pytest.fixture(scope="session")
def analyse() -> Analyse:
    """``analyse(path, text, kernel=..., target=..., **arguments)``: see `analyse_text`."""
    return analyse_text
