"""Runs jobs in this process and keeps what they sent."""

from __future__ import annotations

import ast
import os
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

import pytest

from tilescope_worker import work
from tilescope_worker.wire.facts import Kernel
from tilescope_worker.wire.messages import (
    ArgumentText,
    Event,
    Failure,
    Job,
    JobDone,
    KernelRequest,
    KernelUpdate,
    PassEnded,
    PassText,
    RequestDone,
)

KERNELS = Path(__file__).parent.parent / "kernels"
E = TypeVar("E")


@dataclass(frozen=True)
class Answers:
    """What a job sent."""

    path: str
    text: str
    events: tuple[Event, ...]

    def of(self, kind: type[E]) -> list[E]:
        return [event for event in self.events if isinstance(event, kind)]

    @property
    def kernel(self) -> Kernel:
        """The kernel as last told."""
        return self.of(KernelUpdate)[-1].kernel

    @property
    def failures(self) -> list[Failure]:
        return self.of(Failure)

    @property
    def failure(self) -> Failure:
        (only,) = self.failures
        return only

    @property
    def done(self) -> RequestDone:
        (only,) = self.of(RequestDone)
        return only

    @property
    def job_done(self) -> JobDone:
        assert isinstance(self.events[-1], JobDone)
        return self.events[-1]

    @property
    def stages(self) -> list[str]:
        return [update.kernel.stage for update in self.of(KernelUpdate)]

    @property
    def passes(self) -> list[PassEnded]:
        return self.of(PassEnded)

    @property
    def texts(self) -> dict[str, PassText]:
        return {text.hash: text for text in self.of(PassText)}

    def line(self, piece: str) -> int:
        """The 1-based line of the only place that contains ``piece``."""
        (found,) = [number for number, line in enumerate(self.text.split("\n"), 1) if piece in line]
        return found


Run = Callable[..., Answers]


def chain_of(text: str, qualname: str, nth: int = 0) -> tuple[tuple[str, int], ...]:
    """The definitions that a dotted name goes through; ``nth`` picks among equal outermost names."""
    body: list[ast.stmt] = ast.parse(text).body
    chain = []
    for depth, name in enumerate(qualname.split(".")):
        flat = [
            s for statement in body for s in (ast.walk(statement) if isinstance(statement, ast.If) else [statement])
        ]
        found = [s for s in flat if isinstance(s, (ast.FunctionDef, ast.ClassDef)) and s.name == name]
        node = found[nth if depth == 0 else 0]
        chain.append((name, node.lineno))
        body = node.body
    return tuple(chain)


def run_text(
    path: Path | str,
    text: str,
    *qualnames: str,
    target: str = "cuda:sm_90a",
    nth: int = 0,
    configs: dict[str, object] | None = None,
    record: bool = False,
    synchronous: bool = False,
    workspace: str | None = None,
    chains: tuple[tuple[tuple[str, int], ...], ...] = (),
    **arguments: str,
) -> Answers:
    """Execute ``text`` as ``path`` and ask for the named kernels; arguments are Python literal texts."""
    values = {name: ArgumentText(value, "command-line") for name, value in arguments.items()}
    asked = chains or tuple(chain_of(text, name, nth) for name in qualnames)
    requests = tuple(KernelRequest(chain, target, "default", values, configs or {}) for chain in asked)
    events: list[Event] = []
    job = Job(str(path), text, requests, workspace, record=record, synchronous=synchronous)
    with captured() as output:
        work.run_job(job, events.append, output)
    return Answers(str(path), text, tuple(events))


@contextmanager
def captured() -> Iterator[Callable[[], str]]:
    with tempfile.TemporaryFile() as file:

        def output() -> str:
            sys.stdout.flush()
            sys.stderr.flush()
            file.seek(0)
            return file.read().decode()

        sys.stdout.flush()
        sys.stderr.flush()
        saved = os.dup(1), os.dup(2)
        os.dup2(file.fileno(), 1)
        os.dup2(file.fileno(), 2)
        try:
            yield output
        finally:
            os.dup2(saved[0], 1)
            os.dup2(saved[1], 2)
            os.close(saved[0])
            os.close(saved[1])


@pytest.fixture(scope="session")
def run() -> Run:
    """``run(path, text, *qualnames, target=..., **arguments)``: see `run_text`."""
    return run_text


@pytest.fixture(scope="session")
def kernel_file() -> Run:
    """``kernel_file(file, *qualnames, ...)`` runs a file of tests/kernels; equal calls run once a session."""
    known: dict[str, Answers] = {}

    def answers(file: str, *qualnames: str, edit: tuple[str, str] | None = None, **options: object) -> Answers:
        key = repr((file, qualnames, edit, sorted(options.items())))
        if key not in known:
            text = (KERNELS / file).read_text()
            if edit is not None:
                assert edit[0] in text
                text = text.replace(*edit)
            known[key] = run_text(KERNELS / file, text, *qualnames, **options)  # type: ignore[arg-type]
        return known[key]

    return answers


@pytest.fixture(scope="session")
def recorded_gemm(kernel_file: Run) -> Answers:
    """A recording of a 3-stage GEMM for Hopper."""
    return kernel_file("staged_gemm.py", "matmul.main", record=True)
