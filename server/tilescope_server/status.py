"""What a status bar should say about a document, in one immutable value."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, Literal

from .analysis import Analysis, is_compiled
from .trust import Trust

Mode = Literal["full", "partial", "static", "untrusted"]
WorkerState = Literal["none", "starting", "busy", "idle", "restarting", "failed"]


@dataclass(frozen=True)
class Worker:
    """The compiler process as far as it is known. ``problem`` says why there is none, ``why`` what led to its
    interpreter."""

    state: WorkerState = "none"
    interpreter: str | None = None
    tilelang: str | None = None
    problem: str | None = None
    why: str | None = None
    restarts: int = 0
    """How often it was lost and started again."""
    memory_bytes: int | None = None
    """Resident memory of its largest process."""
    memory_limit_bytes: int | None = None


@dataclass(frozen=True)
class Status:
    """Parameters of ``tilescope/status``. ``mode``: compiled facts for every kernel (full) or for some (partial),
    source facts only because there is no compiler or no answer yet (static) or because nothing may be executed
    (untrusted). ``target`` is None where kernels differ in it; ``log`` is the file that the server's log goes to."""

    uri: str | None
    mode: Mode
    stage: str
    target: str | None
    worker: WorkerState
    interpreter: str | None
    interpreter_why: str | None
    restarts: int
    memory_bytes: int | None
    memory_limit_bytes: int | None
    log: str | None
    message: str

    def parameters(self) -> dict[str, Any]:
        """As JSON; ``uri`` is left out of a status of the whole session."""
        values = asdict(self)
        if self.uri is None:
            del values["uri"]
        return values


def status_of(
    uri: str | None, analysis: Analysis | None, trust: Trust, worker: Worker, log: str | None = None
) -> Status:
    """The status of a document, or of the session where ``uri`` is None."""
    busy = trust.may_execute and analysis is not None and analysis.facts is not None and not analysis.facts.complete
    state = "busy" if busy and worker.state == "idle" else worker.state
    kernels = analysis.kernels if analysis is not None else ()
    targets = {kernel.target for kernel in kernels}
    mode = _mode(analysis, trust)
    return Status(
        uri=uri,
        mode=mode,
        stage=analysis.stage if analysis is not None else "static",
        target=targets.pop() if len(targets) == 1 else None,
        worker=state,
        interpreter=worker.interpreter,
        interpreter_why=worker.why,
        restarts=worker.restarts,
        memory_bytes=worker.memory_bytes,
        memory_limit_bytes=worker.memory_limit_bytes,
        log=log,
        message=_message(mode, analysis, worker, busy=busy),
    )


def _mode(analysis: Analysis | None, trust: Trust) -> Mode:
    if not trust.may_execute:
        return "untrusted"
    kernels = analysis.kernels if analysis is not None else ()
    compiled = [is_compiled(kernel) and kernel.status == "ok" for kernel in kernels]
    if compiled and all(compiled):
        return "full"
    return "partial" if any(is_compiled(kernel) for kernel in kernels) else "static"


def _message(mode: Mode, analysis: Analysis | None, worker: Worker, *, busy: bool) -> str:
    if mode == "untrusted":
        return "workspace not trusted: source facts only, nothing is executed"
    if analysis is not None and analysis.problem is not None:
        return analysis.problem
    if worker.problem is not None:
        return worker.problem
    if analysis is not None and not analysis.parses:
        return "the text has a syntax error: source facts, and compiled ones of the last good version"
    if busy:
        return "starting the compiler" if worker.state == "starting" else "compiling"
    if analysis is None or not analysis.kernels:
        return "no kernels here" if analysis is not None else "ready"
    counts = {"failed": "does not compile", "unresolved": "arguments unknown", "partial": "partly known"}
    parts = [f"{kernel.qualname}: {counts[kernel.status]}" for kernel in analysis.kernels if kernel.status in counts]
    return "; ".join(parts[:3]) if parts else ("compiled" if mode == "full" else "source facts only")
