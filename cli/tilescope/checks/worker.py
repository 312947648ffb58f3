"""The interpreter that compiles: what it has, and which targets it really lowers."""

from __future__ import annotations

import platform
import sys
from collections.abc import Iterator

from tilescope.bundled import bundled_snapshot
from tilescope.session import Session
from tilescope_trace.errors import UsageError
from tilescope_trace.host import WorkerEnded
from tilescope_trace.model import Options
from tilescope_trace.rules.analysis.no_tilelang import is_installed
from tilescope_worker.wire.messages import Hello

from .check import Check

PROBES = {
    "cuda:sm_80": "gemm",
    "cuda:sm_90a": "gemm",
    "hip:gfx942": "gemm",
    "metal": "gemm",
    "webgpu": "elementwise",
    "c": "elementwise",
    "ascend": "ascend_gemm",
}
"""Target to the bundled kernel that is lowered for it: the most demanding one that a complete TileLang lowers."""

ALWAYS = ("cuda:sm_80", "cuda:sm_90a")
"""Targets that every supported TileLang lowers: without them something is wrong with it."""

INSTALL = "pip install 'tilescope[tilelang]', or choose another interpreter with --python"
MEND = "mend what is installed there, or choose another interpreter with --python"
ONLY_STATIC = "everything compiled: layouts, lowering, recordings; static facts still work"


def check_python() -> Check:
    """The interpreter that runs tilescope itself."""
    return Check("python", "ok", f"{platform.python_version()} at {sys.executable}")


async def check_worker(session: Session) -> list[Check]:
    """The interpreter that compiles, its tilelang and torch, and each target."""
    chosen = session.interpreter
    try:
        hello = await session.hello()
    except (WorkerEnded, UsageError) as error:
        return [Check("interpreter", "broken", f"{error} (chosen because {chosen.why})", ONLY_STATIC, MEND)]
    found = f"Python {hello.python} at {hello.executable}, chosen because {chosen.why}"
    checks = [Check("interpreter", "ok", found), *_packages(hello)]
    if hello.tilelang is not None:
        checks += [await _target(session, target, kernel) for target, kernel in PROBES.items()]
    return checks


def _packages(hello: Hello) -> Iterator[Check]:
    if hello.tilelang is not None:
        yield Check("tilelang", "ok", f"{hello.tilelang} at {hello.tilelang_path}")
    elif is_installed(hello.problem):
        yield Check("tilelang", "broken", f"its import fails: {hello.problem}", ONLY_STATIC, MEND)
        return
    else:
        yield Check("tilelang", "missing", "not installed in this interpreter", ONLY_STATIC, INSTALL)
        return
    if hello.torch is not None:
        yield Check("torch", "ok", hello.torch)
    else:
        yield Check("torch", "missing", "not imported by tilelang", "kernels that use torch at module level", INSTALL)


async def _target(session: Session, target: str, kernel: str) -> Check:
    facts = await session.facts(bundled_snapshot(kernel), Options(targets=(target,)))
    tried = facts.kernels[0]
    if tried.status == "ok" and tried.stage in ("lowered", "registers"):
        return Check(target, "ok", f"lowers {tried.qualname}")
    reasons = [finding.message for finding in (*tried.findings, *facts.findings) if finding.severity == "error"]
    reason = reasons[0] if reasons else f"stopped at stage {tried.stage}"
    lost = f"facts and recordings for {target}"
    if target in ALWAYS:
        return Check(target, "broken", reason, lost, "reinstall tilelang; tilescope facts on a kernel shows more")
    return Check(target, "missing", reason, lost, "use a TileLang that has this back end (0.1.15 has)")
