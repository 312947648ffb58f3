"""Entry point of a worker process: run by path under any interpreter, whose ``sys.path`` it leaves alone.

INTERPRETER bootstrap.py fork CONTROL_FD SCRATCH     a zygote that forks on request (needs fork)
INTERPRETER bootstrap.py single SCRATCH              one process that plays all parts, jobs on stdin and stdout
"""

from __future__ import annotations

import importlib.util
import os
import sys
from types import ModuleType

HERE = os.path.dirname(os.path.abspath(__file__))  # noqa: PTH100, PTH120 - pathlib is not worth its start-up time here
PACKAGE = "tilescope_worker"


def load_package() -> ModuleType:
    """Load this package from its folder, whatever else is (or is not) installed under its name."""
    # Python put this script's folder in front: left there, modules such as `load` would shadow the user's own.
    if sys.path and os.path.abspath(sys.path[0] or ".") == HERE:  # noqa: PTH100
        del sys.path[0]
    spec = importlib.util.spec_from_file_location(
        PACKAGE,
        os.path.join(HERE, "__init__.py"),  # noqa: PTH118
        submodule_search_locations=[HERE],
    )
    assert spec is not None
    assert spec.loader is not None
    package = importlib.util.module_from_spec(spec)
    sys.modules[PACKAGE] = package
    spec.loader.exec_module(package)
    return package


def main(arguments: list[str]) -> int:
    load_package()
    from tilescope_worker import child, sandbox, zygote

    if arguments[0] == "fork":
        sandbox.use_scratch(arguments[2])
        return zygote.main(int(arguments[1]), arguments[2])
    channel = sandbox.claim_stdio(arguments[1])
    sandbox.use_scratch(arguments[1])
    return child.serve_alone(channel, arguments[1])


if __name__ == "__main__":
    # Not sys.exit: taking torch and TileLang apart takes a second, and nothing here needs it.
    os._exit(main(sys.argv[1:]))
