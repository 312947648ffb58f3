"""What a computation reads of a module's names, so that its result holds as long as these stay what they are."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from .names import Names
from .values import UNKNOWN, Env, Function, Reference, Tensor, Value

Member = Callable[[Names, str], Value]


@dataclass
class Noted:
    """What was read: names of the module and, by dotted names, members of other modules. ``vague`` says that
    something was read that cannot be compared later."""

    names: dict[str, Value] = field(default_factory=dict)
    members: dict[str, Value] = field(default_factory=dict)
    vague: bool = False


class Reads:
    """Notes what is read of ``module``, a scope that has been run, and through ``member``, by which the module's file
    reads other modules."""

    def __init__(self, module: Env, names: Names, member: Member | None) -> None:
        self.module = module
        self._names = names
        self._member = member
        self._noted: Noted | None = None
        module.values = _Watched(module.values, self._read)

    @property
    def member(self) -> Member | None:
        """To read members of other modules with."""
        return None if self._member is None else self._look_up

    @contextmanager
    def noting(self) -> Iterator[Noted]:
        """Note what is read inside."""
        before, self._noted = self._noted, Noted()
        try:
            yield self._noted
        finally:
            self._noted = before

    def same(self, noted: Noted) -> bool:
        """Whether all that was read then is the same now. ``noted`` must not be vague."""
        now = self.module.values
        return all(self._is_same(value, now.get(name, UNKNOWN)) for name, value in noted.names.items()) and all(
            self._member is not None and self._is_same(value, self._member(self._names, dotted))
            for dotted, value in noted.members.items()
        )

    def _read(self, name: str | None, value: Value) -> None:
        if self._noted is not None:
            if name is None or not self._lasts(value):
                self._noted.vague = True
            else:
                self._noted.names[name] = value

    def _look_up(self, names: Names, dotted: str) -> Value:
        assert self._member is not None
        value = self._member(names, dotted)
        if self._noted is not None:
            if names is not self._names or isinstance(value, Function) or not self._lasts(value):
                self._noted.vague = True
            else:
                self._noted.members[dotted] = value
        return value

    def _lasts(self, value: Value) -> bool:
        """Whether a value says by itself whether a later one is the same: not what refers to scopes of this run, but
        for functions of the module, all of whose reads are noted as well."""
        if isinstance(value, Function):
            return value.scope is self.module and value.owner is None and value.names in (None, self._names)
        return _is_fixed(value)

    def _is_same(self, before: Value, now: Value) -> bool:
        if isinstance(before, Function):
            return isinstance(now, Function) and now.node is before.node and self._lasts(now)
        return type(before) is type(now) and _is_fixed(now) and repr(before) == repr(now)


class _Watched(dict[str, Value]):
    """The names of a scope; ``read`` is told each that is asked for, with its value, and None where others may be."""

    def __init__(self, values: dict[str, Value], read: Callable[[str | None, Value], None]) -> None:
        super().__init__(values)
        self._read = read

    def __contains__(self, name: object) -> bool:
        self._read(str(name), super().get(str(name), UNKNOWN))
        return super().__contains__(name)

    def __setitem__(self, name: str, value: Value) -> None:
        self._read(None, value)
        super().__setitem__(name, value)

    def __iter__(self) -> Iterator[str]:
        self._read(None, UNKNOWN)
        return super().__iter__()

    def keys(self):  # type: ignore[no-untyped-def]
        self._read(None, UNKNOWN)
        return super().keys()

    def items(self):  # type: ignore[no-untyped-def]
        self._read(None, UNKNOWN)
        return super().items()


def _is_fixed(value: Value) -> bool:
    """Whether a value cannot change, and is told by what it looks like."""
    if isinstance(value, (tuple, list)):
        return len(value) <= 64 and all(map(_is_fixed, value))
    return value is UNKNOWN or value is None or isinstance(value, (bool, int, float, str, Tensor, Reference))
