"""Who this worker process is: interpreter, TileLang, capabilities."""

from __future__ import annotations

import importlib
import os
import sys
from functools import cache

from .wire.messages import PROTOCOL, Hello

SUPPORTED = "0.1.13 to 0.1.15"


@cache
def _probe() -> tuple[str | None, str | None, str | None, tuple[str, ...], str | None]:
    """(version, folder, torch version, capabilities, problem) of the TileLang in this interpreter."""
    try:
        tilelang = importlib.import_module("tilelang")
    except BaseException as error:  # noqa: BLE001 - a broken installation may raise anything; it is the answer
        return None, None, None, (), f"{type(error).__name__}: {error}".strip()
    version = str(getattr(tilelang, "__version__", "unknown"))
    try:
        from .compat import capabilities

        # Here, once, so that every fork starts with it; and what it lacks is told before the first job.
        importlib.import_module(f"{__package__}.work")
    except Exception as error:  # noqa: BLE001 - as above
        problem = f"TileLang {version} is not supported, {SUPPORTED} are: {type(error).__name__}: {error}"
        return None, None, None, (), problem
    torch = sys.modules.get("torch")
    return (
        version,
        os.path.dirname(getattr(tilelang, "__file__", None) or ""),  # noqa: PTH120
        str(torch.__version__) if torch else None,
        capabilities(),
        None,
    )


def hello() -> Hello:
    """Import TileLang (once; seconds) and say what was found; never raises."""
    version, folder, torch, found, problem = _probe()
    return Hello(
        protocol=PROTOCOL,
        pid=os.getpid(),
        python=".".join(map(str, sys.version_info[:3])),
        executable=sys.executable,
        tilelang=version,
        tilelang_path=folder,
        torch=torch,
        capabilities=found,
        problem=problem,
    )
