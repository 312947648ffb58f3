"""From a kernel to a recording on disk, pass by pass as the compiler goes."""

from __future__ import annotations

import asyncio
import contextlib
import datetime
import hashlib
import os
import platform
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
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
    RequestDone,
)

from .errors import UsageError
from .gather import Gathered
from .host import Host, WorkerEnded
from .model import Options, RecordingInfo, Snapshot, SourceFile
from .rules.analysis import no_tilelang
from .source.imports import third_party, workspace_of
from .source.plan import FilePlan, plan_file
from .source.workspace import shared_workspace
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
    *,
    overlays: Mapping[str, str] | None = None,
    process: str | None = None,
) -> RecordingInfo:
    """Record one kernel x specialization x target into ``out``. ``overlays`` are texts, by real path, of modules that
    are imported as they stand in an editor; jobs of one ``process`` (by default the file's) wait for each other.

    A kernel that does not compile leaves a recording with status ``failed`` and its findings. Raises UsageError when
    the options do not name exactly one kernel, when its arguments are unresolved, or without a TileLang.
    """
    # In a thread: a long file takes longer to read than a server's loop may be held up.
    plan = await asyncio.to_thread(_plan_one, snapshot, options)
    gathered = Gathered(snapshot, plan)
    run = _Run(await _hello(host), workspace_of(snapshot.path))
    gathered.tilelang = run.hello.tilelang
    job = Job(
        snapshot.path,
        snapshot.text,
        plan.requests,
        run.workspace,
        record=True,
        device_compile=options.device_compile,
        overlays=dict(overlays or {}),
    )
    for attempt in (job, replace(job, synchronous=True)):
        with RecordingWriter(out, _info(gathered, run, "incomplete")) as writer:
            try:
                await _stream(attempt, process or job.path, gathered, run, host, writer, progress)
            except WorkerEnded as end:
                # Printed after lowering, the passes before a crash are lost: run again, printing each as it ends.
                if not attempt.synchronous and gathered.kernels[0].stage != "static":
                    continue
                gathered.end(end, 0)
            for source in _sources(snapshot, run, job.overlays):
                writer.add_source(source)
            info = _info(gathered, run)
            writer.finish(info)
            break
    _refuse_unresolved(gathered, out)
    return info


def _plan_one(snapshot: Snapshot, options: Options) -> FilePlan:
    plan = plan_file(snapshot, options, shared_workspace(snapshot.path))
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
        raise UsageError(f"{no_tilelang.told(host.interpreter, hello.problem)}: {no_tilelang.advice(hello.problem)}")
    return hello


async def _stream(
    job: Job,
    process: str,
    gathered: Gathered,
    run: _Run,
    host: Host,
    writer: RecordingWriter,
    progress: Callable[[PassBegan | PassEnded], None] | None,
) -> None:
    """Send the job's events where they belong: passes to the recording, facts and failures to ``gathered``."""
    events = host.run(process, job, third_party(gathered.plan.parsed, job.path, run.workspace))
    try:
        async for event in events:
            gathered.take(event, 0)
            if isinstance(event, (PassBegan, PassText, PassEnded, Generated)):
                writer.add(event)
            if isinstance(event, (PassBegan, PassEnded)) and progress is not None:
                progress(event)
            elif isinstance(event, Generated):
                run.language = event.language
            elif isinstance(event, RequestDone):
                run.done = event
            elif isinstance(event, JobDone):
                run.modules = event.modules
    finally:
        await events.aclose()


def _refuse_unresolved(gathered: Gathered, out: Path) -> None:
    kernel = gathered.kernels[0]
    if kernel.status == "unresolved":
        out.unlink(missing_ok=True)
        messages = [finding.message for finding in kernel.findings if finding.code == "TS003"]
        values = " ".join(f"--set {name}=..." for name in kernel.missing)
        raise UsageError(
            f"{gathered.snapshot.path}:{kernel.line}: {'; '.join(messages) or 'arguments are unresolved'}"
            + (f"; give {'it' if len(kernel.missing) == 1 else 'them'} with {values}" if values else "")
        )


def _info(gathered: Gathered, run: _Run, status: Literal["incomplete"] | None = None) -> RecordingInfo:
    kernel = gathered.kernels[0]
    findings = (*kernel.findings, *gathered.findings)
    failed = kernel.status == "failed" or any(finding.severity == "error" for finding in findings)
    return RecordingInfo(
        kernel=replace(kernel, findings=findings),
        status=status or ("failed" if failed else "ok"),
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


def _sources(snapshot: Snapshot, run: _Run, overlays: Mapping[str, str]) -> list[SourceFile]:
    """The kernel's file as analysed and the workspace modules it imported, as they are in the editor or on disk."""
    texts = {snapshot.path: snapshot.text}
    texts.update((module, overlays[module]) for module in run.modules if module in overlays)
    for module in run.modules:
        with contextlib.suppress(OSError, UnicodeDecodeError):
            texts.setdefault(module, Path(module).read_text(encoding="utf-8"))
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
