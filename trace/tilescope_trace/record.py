"""From a kernel to a recording on disk, pass by pass as the compiler goes."""

from __future__ import annotations

import datetime
import hashlib
import os
import platform
from collections.abc import Callable
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path
from typing import Literal

from tilescope_worker.wire.messages import (
    Generated,
    Hello,
    Job,
    JobDone,
    PassBegan,
    PassEnded,
    PassText,
    RequestBegan,
    RequestDone,
)

from .errors import UsageError
from .gather import Gathered
from .host import Host, WorkerEnded
from .model import Kernel, Options, RecordingInfo, Snapshot, SourceFile
from .source.imports import third_party, workspace_of
from .source.plan import FilePlan, plan_file
from .store.write import RecordingWriter

ENVIRONMENT = (
    "TILELANG_DEFAULT_TARGET",
    "TILELANG_ENABLE_DATA_RACE_CHECK",
    "CUDA_HOME",
    "ROCM_PATH",
    "CUDA_VISIBLE_DEVICES",
)
"""Variables that can change what the compiler does and hold nothing private: all that a recording keeps of them."""


@dataclass
class _Run:
    """What one job told about the recorded kernel."""

    hello: Hello
    workspace: str
    modules: tuple[str, ...] = ()
    done: RequestDone | None = None
    language: str | None = None


async def record(
    snapshot: Snapshot,
    options: Options,
    host: Host,
    out: Path,
    progress: Callable[[PassBegan | PassEnded], None] | None = None,
    device_compile: bool = False,
) -> RecordingInfo:
    """Record one kernel x specialization x target into ``out``.

    A kernel that does not compile leaves a recording with status ``failed`` and its findings. Raises UsageError when
    the options do not name exactly one kernel, when its arguments are unresolved, or without a TileLang.
    """
    plan = _plan_one(snapshot, options)
    gathered = Gathered(snapshot, plan)
    run = _Run(await _hello(host), workspace_of(snapshot.path))
    gathered.tilelang = run.hello.tilelang
    try:
        await _attempt(gathered, run, host, out, progress, device_compile, synchronous=False)
    except WorkerEnded:
        # Printed after lowering, the passes before the crash are lost: run again, printing each pass as it ends.
        try:
            await _attempt(gathered, run, host, out, progress, device_compile, synchronous=True)
        except WorkerEnded as end:
            gathered.end(end, 0)
    return _finish(gathered, run, out)


def _plan_one(snapshot: Snapshot, options: Options) -> FilePlan:
    plan = plan_file(snapshot, options)
    if plan.parsed.problems:
        problem = plan.parsed.problems[0]
        raise UsageError(f"{snapshot.path}:{problem.line}:{problem.column}: {problem.message}: mend it, then record")
    if not plan.requests:
        raise UsageError(f"no kernels in {snapshot.path}")
    if len(plan.requests) > 1:
        several = [f"{kernel.qualname} ({kernel.target})" for kernel in plan.statics]
        raise UsageError(
            f"{snapshot.path} has {len(several)} kernels to record: choose one with --kernel"
            f" (and --target): {', '.join(several)}"
        )
    return plan


async def _hello(host: Host) -> Hello:
    try:
        hello = await host.hello()
    except WorkerEnded as end:
        raise UsageError(f"the compiling process {end.detail}") from None
    if hello.tilelang is None:
        raise UsageError(
            f"{host.interpreter} cannot import tilelang ({hello.problem}): choose another interpreter with --python,"
            " or install it: pip install 'tilescope[tilelang]'"
        )
    return hello


async def _attempt(
    gathered: Gathered,
    run: _Run,
    host: Host,
    out: Path,
    progress: Callable[[PassBegan | PassEnded], None] | None,
    device_compile: bool,
    *,
    synchronous: bool,
) -> None:
    snapshot = gathered.snapshot
    job = Job(
        snapshot.path,
        snapshot.text,
        gathered.plan.requests,
        run.workspace,
        record=True,
        synchronous=synchronous,
        device_compile=device_compile,
    )
    imports = third_party(gathered.plan.parsed, snapshot.path, run.workspace)
    with RecordingWriter(out, _info(gathered.kernels[0], "incomplete", run)) as writer:
        events = host.run(snapshot.path, job, imports)
        try:
            async for event in events:
                if isinstance(event, (PassBegan, PassText, PassEnded, Generated)):
                    writer.add(event)
                if isinstance(event, (PassBegan, PassEnded)) and progress is not None:
                    progress(event)
                elif isinstance(event, Generated):
                    run.language = event.language
                elif isinstance(event, RequestDone):
                    run.done = event
                    gathered.take(event, 0)
                elif isinstance(event, JobDone):
                    run.modules = event.modules
                elif not isinstance(event, (PassText, RequestBegan)):
                    gathered.take(event, 0)
        finally:
            await events.aclose()  # type: ignore[attr-defined]
            for source in _sources(snapshot, run):
                writer.add_source(source)
            writer.finish(_info(gathered.kernels[0], "ok" if _clean(gathered) else "failed", run))


def _finish(gathered: Gathered, run: _Run, out: Path) -> RecordingInfo:
    kernel = gathered.kernels[0]
    if kernel.status == "unresolved":
        out.unlink(missing_ok=True)
        messages = [finding.message for finding in kernel.findings if finding.code == "TS003"]
        raise UsageError(
            f"{gathered.snapshot.path}:{kernel.line}: {'; '.join(messages) or 'arguments are unresolved'}"
        )
    return _info(kernel, "ok" if _clean(gathered) else "failed", run)


def _clean(gathered: Gathered) -> bool:
    return gathered.kernels[0].status == "ok" and not any(f.severity == "error" for f in gathered.findings)


def _info(kernel: Kernel, status: Literal["ok", "failed", "incomplete"], run: _Run) -> RecordingInfo:
    return RecordingInfo(
        kernel=kernel,
        status=status,
        lower_ms=run.done.lower_ms if run.done else 0.0,
        record_ms=run.done.record_ms if run.done else 0.0,
        created=datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="seconds"),
        tilescope=metadata.version("tilescope"),
        tilelang=run.hello.tilelang,
        workspace=run.workspace,
        environment=_environment(run.hello),
        generated_language=run.language,
    )


def _environment(hello: Hello) -> dict[str, str]:
    kept = {name: os.environ[name] for name in ENVIRONMENT if name in os.environ}
    versions = {"python": hello.python, "torch": hello.torch or "", "platform": platform.platform()}
    return {**{name: value for name, value in versions.items() if value}, **kept}


def _sources(snapshot: Snapshot, run: _Run) -> list[SourceFile]:
    """The kernel's file as analysed and the workspace modules it imported as they are on disk."""
    texts = {snapshot.path: snapshot.text}
    for module in run.modules:
        try:
            texts.setdefault(module, Path(module).read_text(encoding="utf-8"))
        except (OSError, UnicodeDecodeError):
            continue
    return [
        SourceFile(
            _relative(path, run.workspace), text, hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
        )
        for path, text in texts.items()
    ]


def _relative(path: str, workspace: str) -> str:
    try:
        return Path(path).relative_to(workspace).as_posix()
    except ValueError:
        return path
