"""Imported by every Python interpreter that a captured program starts, before any code of its own.

Waits for TileLang to be imported and then loads the hook; otherwise it costs one comparison per import. Written so
that any interpreter from Python 2.7 on can read it, since the program may start others than ours. Everything that
goes wrong here stays here: the program must not notice.
"""

import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
PARTS = "TILESCOPE_CAPTURE"
WATCHED = "tilelang"


def load_hook():
    """The hook's package, under a name of its own: nothing of ours is on the import path of the program."""
    import importlib.util

    name = "_tilescope_capture"
    if name not in sys.modules:
        folder = os.path.dirname(HERE)
        spec = importlib.util.spec_from_file_location(
            name, os.path.join(folder, "__init__.py"), submodule_search_locations=[folder]
        )
        package = importlib.util.module_from_spec(spec)
        sys.modules[name] = package
        spec.loader.exec_module(package)
    return importlib.import_module(name + ".hook")


class Waiting(object):
    """A finder that finds nothing itself: when TileLang is looked for, the loader that is found runs the hook after
    the module."""

    def __init__(self):
        self.busy = False

    def find_spec(self, name, path=None, target=None):
        if name != WATCHED or self.busy:
            return None
        self.busy = True
        try:
            import importlib.util

            spec = importlib.util.find_spec(name)
            if spec is not None and spec.loader is not None:
                follow(spec.loader, self)
            return spec
        except Exception:  # noqa: BLE001
            return None
        finally:
            self.busy = False


def follow(loader, finder):
    """Run the hook once ``loader`` has executed its module. The loader keeps its type and loses the addition."""
    execute = loader.exec_module

    def exec_module(module):
        del loader.exec_module
        if finder in sys.meta_path:
            sys.meta_path.remove(finder)
        execute(module)
        try:
            load_hook().install(os.environ.get(PARTS, ""))
        except Exception:  # noqa: BLE001
            complain()

    loader.exec_module = exec_module


def complain():
    try:
        import traceback

        with open(os.path.join(os.environ[PARTS], "hook.log"), "a") as log:
            traceback.print_exc(file=log)
    except Exception:  # noqa: BLE001
        pass


def next_in_line():
    """Import the ``sitecustomize`` that this one hides, if there is one, as if ours were not there."""
    ours = sys.modules.pop("sitecustomize", None)
    sys.path[:] = [entry for entry in sys.path if os.path.abspath(entry or ".") != HERE]
    try:
        import sitecustomize  # noqa: F401
    except ImportError as error:
        if getattr(error, "name", "sitecustomize") != "sitecustomize":
            raise
    finally:
        if "sitecustomize" not in sys.modules and ours is not None:
            sys.modules["sitecustomize"] = ours


if os.environ.get(PARTS) and sys.version_info >= (3, 10):
    sys.meta_path.insert(0, Waiting())
next_in_line()
