"""What an analysis child does with a job: execute the text, answer each request, stage by stage."""

from __future__ import annotations

import ast
import dataclasses
import re
from collections.abc import Callable

from . import load, spans, warmup
from .compat import KernelCalledError
from .definitions import Definitions, definitions_of
from .failures import failure_of, said_by
from .locate.leftout import LeftOut
from .locate.onward import execute, execute_on
from .printable import presentable
from .quiet import without_rewritten_source
from .request import Answer
from .shortcuts import shortcuts
from .surroundings import Surroundings, surroundings
from .wire.facts import Severity
from .wire.messages import Event, Failure, Job, JobDone, KernelRequest, RequestBegan, RequestDone

_DEVICE = re.compile(r"\b(CUDA|NVIDIA|HIP|ROCm|NPU|MPS|GPUs?)\b", re.IGNORECASE)


def run_job(job: Job, sink: Callable[[Event], None], output: Callable[[], str] = lambda: "") -> None:
    """Answer a job: per request RequestBegan, KernelUpdates, Failures and RequestDone, at the end JobDone.

    ``output`` gives what was printed to file descriptors 1 and 2 since the job began: compiler warnings are read
    from it. Never raises for what the text, the compiler or a request does wrong; what ``sink`` raises goes through.
    """

    def send(event: Event) -> None:
        sink(presentable(event))

    spans.keep_user_lines()
    with (
        load.importable(job.path),
        without_rewritten_source(),
        shortcuts(),
        surroundings(_first_target(job)) as around,
    ):
        file = _File(job, around, send)
        if file.loaded.error_phase == "syntax":
            for index in range(len(job.kernels)):
                send(RequestDone(index, "failed", 0.0, 0.0))
        else:
            for index, request in enumerate(job.kernels):
                send(RequestBegan(index))
                if around.turn_to(request.target):
                    file.execute()
                answer = Answer(job, index, request, file.loaded, around, send, output, file.lacking(request))
                send(answer.run(file.definitions))
        modules = load.workspace_modules(job.path, job.workspace)
    send(JobDone(modules, output()))


class _File:
    """The file of a job as it was executed last; what is wrong with it is sent once."""

    def __init__(self, job: Job, around: Surroundings, send: Callable[[Event], None]) -> None:
        self._job = job
        self._around = around
        self.execute()
        if self.loaded.error_phase != "syntax":
            self.definitions = self._whole = definitions_of(job.path, self.executed.text)
            if self.loaded.text != self.executed.text:
                self.definitions = definitions_of(job.path, self.loaded.text)
        self._tell(send)

    def execute(self) -> None:
        """Execute it for the target in turn."""
        run = execute if self._job.record else execute_on
        self.executed = run(self._job.path, self._job.text, self._around)
        loaded = self.executed.loaded
        broken = loaded.error is not None and _severity(loaded, loaded.error, self._job) == "error"
        said = _failed_note(loaded.error) if broken and loaded.error_phase == "module" else ()
        self.loaded = dataclasses.replace(loaded, notes=(*loaded.notes, *said))

    def lacking(self, request: KernelRequest) -> LeftOut | None:
        """What the kernel of a request lacks."""
        return _lacking(self.executed.left_out, request, self._whole)

    def _tell(self, send: Callable[[Event], None]) -> None:
        loaded, job = self.loaded, self._job
        for error in loaded.absences:
            name = str(error.name)
            send(_absence(name, error, job.path, moved=self._around.stand_ins.is_moved(name)))
        if loaded.error is not None:
            send(_file_failure(loaded, loaded.error, job))
        for failure in self.executed.failures:
            owners = [i for i, r in enumerate(job.kernels) if _holds(r, failure.line, self._whole)]
            for owner in owners or (None,):
                send(dataclasses.replace(failure, request=owner))


def _first_target(job: Job) -> str:
    return job.kernels[0].target if job.kernels else ""


def _absence(name: str, error: BaseException, path: str, *, moved: bool) -> Failure:
    """What is told of a module that is not there. That the packages above the file import it, without a statement of
    its own, is information."""
    failure = failure_of(error, "module", severity="info")
    own = not failure.frames or any(frame.file == path for frame in failure.frames)
    failure = dataclasses.replace(failure, severity="warning" if moved and own else "info")
    if moved:
        said = f"this TileLang has no module {name}; what took its place stands in for it here"
    else:
        said = f"{name} is not installed here; an empty stand-in takes its place"
    return dataclasses.replace(failure, message=said)


def warm(targets: tuple[str, ...]) -> None:
    """Pay the compiler's first-use costs: a good lowering with texts for each target that lowers here, and a failing
    one, because the first failure of a process costs seconds. Raises nothing."""
    run_job(warmup.job(targets), lambda _: None)
    load.forget(warmup.PATH)


def _holds(request: KernelRequest, line: int | None, definitions: Definitions) -> bool:
    """Whether the definition that a request leads to has a line in it."""
    node = definitions.nodes.get(request.chain[-1])
    return node is not None and line is not None and bool(node.lineno <= line <= (node.end_lineno or node.lineno))


def _lacking(left_out: LeftOut | None, request: KernelRequest, whole: Definitions) -> LeftOut | None:
    """What the kernel of a request lacks: its own lines, and those of macros, which any kernel may use."""
    lines = [
        line
        for line in (left_out.lines if left_out is not None else ())
        if _holds(request, line, whole) or _in_macro(line, whole)
    ]
    return dataclasses.replace(left_out, lines=tuple(lines)) if left_out is not None and lines else None


def _in_macro(line: int, whole: Definitions) -> bool:
    around = [node for node in whole.nodes.values() if node.lineno <= line <= (node.end_lineno or node.lineno)]
    inner = max(around, key=lambda node: node.lineno, default=None)
    return inner is not None and any("macro" in ast.unparse(one) for one in inner.decorator_list)


def _file_failure(loaded: load.Loaded, error: BaseException, job: Job) -> Failure:
    if loaded.error_phase == "syntax":
        return failure_of(error, "syntax")
    return failure_of(error, "module", severity=_severity(loaded, error, job))


def _severity(loaded: load.Loaded, error: BaseException, job: Job) -> Severity:
    # A script that goes on to run its kernels cannot do so here; that is no fault of the file.
    defined = all(request.chain[0][0] in loaded.namespace for request in job.kernels)
    wants_device = isinstance(error, KernelCalledError) or _DEVICE.search(said_by(error)) is not None
    return "info" if defined and wants_device else "error"


def _failed_note(error: BaseException | None) -> tuple[str, ...]:
    return (f"a statement of the file raises {type(error).__name__}: kernels are compiled without what it defines",)
