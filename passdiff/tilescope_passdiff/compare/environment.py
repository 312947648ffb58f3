"""What two recordings were made with."""

from __future__ import annotations

from collections.abc import Iterator

from tilescope_trace.model import Json
from tilescope_trace.store.read import Recording

from .model import EnvironmentDifference


def differences(a: Recording, b: Recording) -> tuple[EnvironmentDifference, ...]:
    """What is not the same, versions first. Raises RecordingError where a source is damaged."""
    old, new = dict(_environment(a)), dict(_environment(b))
    names = dict.fromkeys((*old, *new))
    return tuple(
        EnvironmentDifference(name, old.get(name), new.get(name)) for name in names if old.get(name) != new.get(name)
    )


def _environment(recording: Recording) -> Iterator[tuple[str, Json]]:
    info = recording.info
    kernel, made = info.kernel, info.kernel.specialization
    yield "tilelang", info.tilelang
    yield "tilescope", info.tilescope
    yield from info.environment.items()
    yield "kernel", kernel.qualname
    yield "target", kernel.target
    yield from ((f"argument {name}", argument.value) for name, argument in made.args.items())
    yield from ((f"pass config {name}", value) for name, value in made.pass_configs.items())
    yield "compile flags", list(made.compile_flags)
    yield from ((f"source {source.path}", source.sha256[:12]) for source in recording.sources())
    yield "status", info.status
