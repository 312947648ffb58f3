"""Target names, and which target a kernel is compiled for."""

from __future__ import annotations

import difflib
import re
from collections.abc import Sequence
from dataclasses import dataclass

from tilescope_trace.errors import UsageError
from tilescope_trace.model import TargetOrigin

from .values import Value

_PLAIN = ("metal", "ascend", "webgpu", "c")
_ARCHITECTURES = {"cuda": re.compile(r"sm_\d{2,3}[af]?"), "hip": re.compile(r"gfx[0-9a-f]{3,4}")}
_EXAMPLES = {"cuda": "cuda:sm_90a", "hip": "hip:gfx942"}
_ALL = (*_EXAMPLES.values(), *_PLAIN)
_OPTION = re.compile(r"-{1,2}(?:arch|mcpu)[= ](\S+)")
_MISSING = {
    "llvm": "TileLang's wheels are built without LLVM; write c for source that runs on the CPU",
    "cutedsl": "its back end is a package of its own, tilelang-cutedsl, which generates Python programs; write"
    " cuda:sm_90a",
}
"""Targets of TileLang that are not to be had here: what is missing, and what to write instead."""
DEFAULT = {"ascend": "ascend", "default": "cuda:sm_90a"}
"""The target by dialect when nothing else decides."""


@dataclass(frozen=True)
class Target:
    """A normalised target name and where it came from."""

    name: str
    origin: TargetOrigin


def normalise(text: str) -> str:
    """A target name in its one spelling (``cuda:sm_90a``, ``hip:gfx942``, ``metal``, ``ascend``, ``webgpu``, ``c``).

    Raises UsageError that says what to write instead.
    """
    name = text.strip().lower()
    kind, _, architecture = name.partition(":")
    if name in _PLAIN:
        return name
    pattern = _ARCHITECTURES.get(kind)
    if pattern is not None and pattern.fullmatch(architecture):
        return name
    if (word := re.split(r"[:\s]", name)[0]) in _MISSING:
        raise UsageError(f"target {text!r} cannot be lowered: {_MISSING[word]}")
    raise UsageError(f"unknown target {text!r}: {_advice(name, kind, architecture)}")


def from_source(value: Value) -> str | None:
    """The target that a ``target=`` in the source names; None where it names none that fixes the architecture: bare
    ``"cuda"`` and ``"auto"`` mean the device of the machine the kernel runs on."""
    if isinstance(value, dict):
        kind, architecture = value.get("kind"), value.get("arch", value.get("mcpu"))
        text = f"{kind}:{architecture}" if architecture else str(kind)
    elif isinstance(value, str):
        option = _OPTION.search(value)
        text = f"{value.split()[0]}:{option[1]}" if option else value
    else:
        return None
    try:
        return normalise(text)
    except UsageError:
        return None


def choose(
    asked: Sequence[str],
    directive: Sequence[str],
    source: str | None,
    dialect: str,
    *,
    every: Sequence[str] = (),
    config: Sequence[str] = (),
    captured: Sequence[str] = (),
    from_editor: bool = False,
    device: str | None = None,
) -> tuple[Target, ...]:
    """The targets of a kernel, from the strongest source that has one: asked for, wanted of ``every`` kernel,
    directive, source, configuration, captured, the ``device`` of this machine, the dialect's default. Several are
    kept together only where one source names several. What is not said of this very kernel counts for kernels of its
    dialect only.

    Raises UsageError for one that was asked for and does not exist.
    """
    if asked:
        origin: TargetOrigin = "editor" if from_editor else "command-line"
        return tuple(Target(name, origin) for name in dict.fromkeys(map(normalise, asked)))
    if wanted := _of_dialect(every, dialect):
        return tuple(Target(name, "config") for name in wanted)
    if directive:
        return tuple(Target(name, "directive") for name in dict.fromkeys(directive))
    if source is not None:
        return (Target(source, "source"),)
    if wanted := _of_dialect(config, dialect):
        return tuple(Target(name, "config") for name in wanted)
    if captured:
        return tuple(Target(name, "captured") for name in dict.fromkeys(captured))
    if device is not None and dialect != "ascend":
        return (Target(device, "device"),)
    return (Target(DEFAULT[dialect], "default"),)


def _of_dialect(names: Sequence[str], dialect: str) -> tuple[str, ...]:
    """The targets that kernels of a dialect are written for: the Ascend dialect lowers for nothing else, and nothing
    else lowers for Ascend."""
    return tuple(name for name in dict.fromkeys(names) if (name == "ascend") == (dialect == "ascend"))


def _advice(name: str, kind: str, architecture: str) -> str:
    if kind in _EXAMPLES and not architecture:
        return f"{kind} needs an architecture, such as {_EXAMPLES[kind]}"
    for known, pattern in _ARCHITECTURES.items():
        if pattern.fullmatch(name):
            return f"write {known}:{name}"
        loose = re.sub(r"[^0-9a-z]", "", architecture or name)
        number = re.fullmatch(r"(?:sm|gfx)?(\d[0-9a-f]{1,3})", loose)
        if number and kind == known:
            return f"write {known}:{'sm_' if known == 'cuda' else 'gfx'}{number[1]}"
    if kind in _PLAIN:
        return f"{kind} takes no architecture; write {kind}"
    close = difflib.get_close_matches(name, _ALL, n=1)
    return f"write one such as {', '.join(close or _ALL)}"
