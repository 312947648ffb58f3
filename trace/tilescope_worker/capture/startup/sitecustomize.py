"""Imported by every Python interpreter that a captured or profiled program starts, before any code of its own.

Waits for TileLang to be imported and then loads the hooks that are asked for; otherwise it costs one comparison per
import. Written so that any interpreter from Python 2.7 on can read it, since the program may start others than ours.
Everything that goes wrong here stays here: the program must not notice.
"""

import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
HOOKS = {
    "TILESCOPE_ANNOTATE": "annotate",
    "TILESCOPE_CAPTURE": "capture",
    "TILESCOPE_EDITS": "editing",
    "TILESCOPE_STAMPS": "stamps",
}
"""The folder of each hook by the variable that asks for it and names where it leaves what it finds."""
REWRITING = ("TILESCOPE_EDITS", "TILESCOPE_STAMPS")
"""Hooks that change what is compiled: such a kernel must reach no cache of the user's, nor come from one (with stamps
it holds an address of its process)."""
WATCHED = "tilelang"


def load_hook(hook):
    """A hook's package, under a name of its own: nothing of ours is on the import path of the program."""
    import importlib.util

    name = "_tilescope_" + hook
    if name not in sys.modules:
        folder = os.path.join(os.path.dirname(os.path.dirname(HERE)), hook)
        spec = importlib.util.spec_from_file_location(
            name, os.path.join(folder, "__init__.py"), submodule_search_locations=[folder]
        )
        package = importlib.util.module_from_spec(spec)
        sys.modules[name] = package
        spec.loader.exec_module(package)
    return importlib.import_module(name + ".hook")


class Waiting(object):
    """A finder that finds nothing itself: when TileLang is looked for, the loader that is found runs the hooks
    after the module."""

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
    """Run the hooks once ``loader`` has executed its module. The loader keeps its type and loses the addition."""
    execute = loader.exec_module

    def exec_module(module):
        del loader.exec_module
        if finder in sys.meta_path:
            sys.meta_path.remove(finder)
        execute(module)
        for variable in asked():
            install(variable)

    loader.exec_module = exec_module


def install(variable):
    try:
        load_hook(HOOKS[variable]).install(os.environ[variable])
    except Exception:  # noqa: BLE001
        complain(os.environ[variable])


def asked():
    """The variables that are set, in the order in which their hooks run."""
    return [variable for variable in sorted(HOOKS) if os.environ.get(variable)]


def complain(folder):
    try:
        import traceback

        with open(os.path.join(folder, "hook.log"), "a") as log:
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


if asked() and sys.version_info >= (3, 10):
    for variable in REWRITING:
        if os.environ.get(variable):
            os.environ["TILELANG_CACHE_DIR"] = os.path.join(os.environ[variable], ".cache-%d" % os.getpid())
    sys.meta_path.insert(0, Waiting())
next_in_line()
