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
    with load.importable(job.path), without_rewritten_source():
        executed = (execute if job.record else execute_on)(job.path, job.text)
        loaded = executed.loaded
        if loaded.error is not None:
            send(_file_failure(loaded, loaded.error, job))
        if loaded.error_phase == "syntax":
            for index in range(len(job.kernels)):
                send(RequestDone(index, "failed", 0.0, 0.0))
        else:
            definitions = definitions_of(job.path, loaded.text)
            whole = definitions_of(job.path, executed.text)
            for failure in executed.failures:
                owners = [i for i, r in enumerate(job.kernels) if _holds(r, failure.line, whole)]
                for owner in owners or (None,):
                    send(dataclasses.replace(failure, request=owner))
            for index, request in enumerate(job.kernels):
                send(RequestBegan(index))
                lacking = _lacking(executed.left_out, request, whole)
                send(Answer(job, index, request, loaded, send, output, lacking).run(definitions))
    send(JobDone(load.workspace_modules(job.path, job.workspace), output()))


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
    # A script that goes on to run its kernels cannot do so here; that is no fault of the file.
    defined = all(request.chain[0][0] in loaded.namespace for request in job.kernels)
    wants_device = isinstance(error, KernelCalledError) or _DEVICE.search(said_by(error)) is not None
    severity: Severity = "info" if defined and wants_device else "error"
    return failure_of(error, "module", severity=severity)
