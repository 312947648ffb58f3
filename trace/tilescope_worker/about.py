"""Who this worker process is: interpreter, TileLang, capabilities."""

from __future__ import annotations

import importlib
import os
import sys
from functools import cache

from .wire.messages import PROTOCOL, Hello


@cache
def _probe() -> tuple[str | None, str | None, str | None, tuple[str, ...], str | None]:
    """(version, folder, torch version, capabilities, problem) of the TileLang in this interpreter."""
    try:
        tilelang = importlib.import_module("tilelang")
    except BaseException as error:  # noqa: BLE001 - a broken installation may raise anything; it is the answer
        return None, None, None, (), f"{type(error).__name__}: {error}".strip()
    from .compat import capabilities

    torch = sys.modules.get("torch")
    return (
        str(getattr(tilelang, "__version__", "unknown")),
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
