"""Inert stand-ins for modules that are not installed, where their absence would otherwise end the analysis.

An import is refused first, as Python does it, so that a file's own ``except ImportError`` decides. Only when that
ends the file (or the factory of a kernel) is the module stood in for, and the statement run again. A stand-in gives
stand-ins for its attributes, calls and items, leaves what it decorates as it is, and is no number: a kernel that
needs its value fails. Nothing of it is left when the job is over.
"""

from __future__ import annotations

import importlib
import importlib.abc
import importlib.machinery
import sys
import types
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from .compat import moved_modules

MOST = 64
"""Modules that are stood in for in one job at most."""
_VERSION = "0.0.0"


def _cdiv(x: int, y: int) -> int:
    return -(-x // y)


def _next_power_of_2(n: int) -> int:
    return 1 << max(0, n - 1).bit_length()


_KNOWN: dict[str, Callable[..., Any]] = {"triton.cdiv": _cdiv, "triton.next_power_of_2": _next_power_of_2}
"""Functions of integers that kernels' sizes are computed with: they are what their documentation says."""


class Inert:
    """A value of a module that is not there."""

    def __init__(self, name: str) -> None:
        self.__dict__["_tilescope_name"] = name

    def __getattr__(self, name: str) -> Any:
        if name == "__version__":
            return _VERSION
        if name.startswith("__") and name.endswith("__"):
            raise AttributeError(name)
        dotted = f"{self._tilescope_name}.{name}"
        value: Any = _KNOWN.get(dotted) or Inert(dotted)
        self.__dict__[name] = value
        return value

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        if len(args) == 1 and not kwargs and (isinstance(args[0], type) or callable(args[0])):
            return args[0]
        return Inert(f"{self._tilescope_name}()")

    def __getitem__(self, _: Any) -> Inert:
        return self

    def __setitem__(self, *_: Any) -> None:
        return None

    def __iter__(self) -> Iterator[Any]:
        return iter(())

    def __enter__(self) -> Inert:
        return self

    def __exit__(self, *_: object) -> None:
        return None

    def __bool__(self) -> bool:
        return False

    def __or__(self, _: Any) -> Inert:
        return self

    __ror__ = __or__

    def __mro_entries__(self, bases: tuple[Any, ...]) -> tuple[type, ...]:
        first = next(base for base in bases if type(base) is Inert)
        return (_Base,) if first is self else ()

    def __instancecheck__(self, _: object) -> bool:
        return False

    def __subclasscheck__(self, _: type) -> bool:
        return False

    def __repr__(self) -> str:
        return f"<stand-in for {self._tilescope_name}>"


# Python names the type where it refuses an operator, and nobody knows our class.
Inert.__name__ = Inert.__qualname__ = "stand-in for a missing module"


class _Base:
    """What a class of the user's has for a base that is not there."""

    def __init__(self, *_: Any, **__: Any) -> None:
        return None

    def __init_subclass__(cls, **_: Any) -> None:
        return None


class Module(types.ModuleType):
    """A module that is not there."""

    def __getattr__(self, name: str) -> Any:
        if name == "__version__":
            return _VERSION
        if name.startswith("__") and name.endswith("__"):
            raise AttributeError(name)
        dotted = f"{self.__name__}.{name}"
        value: Any = _KNOWN.get(dotted) or Inert(dotted)
        self.__dict__[name] = value
        return value


class StandIns(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """The stand-ins of one job. ``names`` are the modules stood in for, in the order they were met."""

    def __init__(self) -> None:
        self.names: list[str] = []
        self._moved = moved_modules()

    def offer(self, error: BaseException) -> ModuleNotFoundError | None:
        """The failed import that led to ``error``, whose module can be imported from now on; None where no failed
        import did, or a stand-in would not help."""
        found = absent(error)
        name = found.name if found is not None else None
        if name is None or len(self.names) >= MOST or any(_within(name, known) for known in self.names):
            return None
        package = name.partition(".")[0]
        # A module that an installed package lacks is a mistake or another version's; one of the user's own as well.
        if package in sys.stdlib_module_names or (package != name and name not in self._moved):
            return None
        self.names.append(name)
        return found

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: types.ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        """For `sys.meta_path`, as the last one: a spec for what is stood in for."""
        del path, target
        if any(_within(fullname, name) for name in self.names):
            return importlib.machinery.ModuleSpec(fullname, self, is_package=True)
        return None

    def create_module(self, spec: importlib.machinery.ModuleSpec) -> types.ModuleType:
        module = Module(spec.name)
        module.__path__ = []
        module.__all__ = []  # type: ignore[attr-defined]
        for there in self._moved.get(spec.name, ()):
            found = importlib.import_module(there)
            public = {name: value for name, value in vars(found).items() if not name.startswith("_")}
            vars(module).update(public)
        return module

    def exec_module(self, module: types.ModuleType) -> None:
        """Nothing to execute."""

    def note(self) -> tuple[str, ...]:
        """Sentences that name what was stood in for, if anything was."""
        absent = [name for name in self.names if name not in self._moved]
        moved = [name for name in self.names if name in self._moved]
        said = [f"not installed, stood in for: {', '.join(absent)}"] if absent else []
        return (*said, *(f"{name} is not in this TileLang: what took its place stands in for it" for name in moved))

    def is_moved(self, name: str) -> bool:
        """Whether a module is one that this TileLang has elsewhere."""
        return name in self._moved


@contextmanager
def stand_ins() -> Iterator[StandIns]:
    """Offer stand-ins within; afterwards they and the modules that have touched them are imported no more."""
    given = StandIns()
    before = set(sys.modules)
    sys.meta_path.append(given)
    try:
        yield given
    finally:
        # The user's code may have changed the list.
        sys.meta_path[:] = [one for one in sys.meta_path if one is not given]
        if given.names:
            for name in set(sys.modules) - before:
                if _touched(sys.modules.get(name)):
                    del sys.modules[name]


def _touched(module: types.ModuleType | None) -> bool:
    if isinstance(module, Module):
        return True
    values = list(vars(module).values()) if isinstance(module, types.ModuleType) else []
    return any(type(value) in (Inert, Module) or _Base in getattr(value, "__mro__", ()) for value in values)


def absent(error: BaseException) -> ModuleNotFoundError | None:
    """The import of a module that could not be found, somewhere on the way to ``error``."""
    seen: set[int] = set()
    at: BaseException | None = error
    while at is not None and id(at) not in seen:
        seen.add(id(at))
        if isinstance(at, ModuleNotFoundError) and at.name:
            return at
        at = at.__cause__ or at.__context__
    return None


def _within(name: str, package: str) -> bool:
    return name == package or name.startswith(f"{package}.")
