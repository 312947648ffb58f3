"""The captured specializations of a kernel, as one more source of its arguments."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from tilescope_trace.source.given import Given, Row
from tilescope_trace.source.values import UNKNOWN
from tilescope_worker.wire.facts import Json

from .files import file_for, read
from .format import CapturedFileError
from .merge import relative
from .model import Captured, CapturedFile
from .values import described, text_of, value_of

_FLAGS = "tl.device_compile_flags"


@dataclass(frozen=True)
class OfFile:
    """What is captured of the kernels of one file: ``entries`` with their lines by qualified name. ``notes`` say what
    could not be used."""

    path: str = ""
    entries: Mapping[str, tuple[tuple[Captured, int], ...]] | None = None
    notes: tuple[str, ...] = ()


def of_file(path: str, qualnames: Sequence[str]) -> OfFile:
    """What is captured of the kernels, given by qualified names, of the file ``path``. Never raises for a bad file:
    its notes say so."""
    where = file_for(path)
    if where is None:
        return OfFile()
    try:
        return select(read(where), path, qualnames)
    except CapturedFileError as error:
        return OfFile(notes=(f"{error} (nothing captured is used)",))


def select(captured: CapturedFile, path: str, qualnames: Sequence[str]) -> OfFile:
    """The part of a captured file that is about the file ``path``."""
    file = relative(path, Path(captured.path).parent)
    kernels = captured.kernels.get(file, {})
    entries = {
        name: tuple(zip(entries, captured.lines[file, name], strict=True)) for name, entries in kernels.items()
    }
    gone = [name for name in entries if not any(f"{known}.".startswith(f"{name}.") for known in qualnames)]
    notes = (f"{captured.path}: captured kernels that are not here any more: {', '.join(gone)}",) if gone else ()
    return OfFile(captured.path, entries, notes)


def rows(
    captured: OfFile,
    qualname: str,
    parameters: Sequence[str],
    module: Callable[[str], str | None],
    *,
    every: bool,
) -> tuple[tuple[Row, ...], tuple[str, ...]]:
    """The specializations captured of a kernel with these parameters, and notes on entries that do not fit it.

    What the autotuner only tried counts where nothing else was captured, and then the first one of it. Without
    ``every`` only the first specialization is given. ``module`` gives the local name of an imported module.
    """
    found = _entries(captured.entries or {}, qualname)
    used = [pair for pair in found if pair[0].tuned != "tried"] or list(found[:1])
    rows_: list[Row] = []
    strange_: list[str] = []
    for entry, line in used:
        strange = [name for name in entry.args if name not in parameters]
        if strange:
            strange_.append(
                f"{Path(captured.path).name}:{line}: captured for parameters that {qualname} does not have"
                f" ({', '.join(strange)}): not used"
            )
            continue
        _add(rows_, _row(entry, captured.path, line, module))
    if every or not rows_:
        return tuple(rows_), tuple(strange_)
    more = (f"first of {len(rows_)} captured specializations",) if len(rows_) > 1 else ()
    return (replace(rows_[0], notes=(*more, *rows_[0].notes)),), tuple(strange_)


def _entries(
    entries: Mapping[str, tuple[tuple[Captured, int], ...]], qualname: str
) -> tuple[tuple[Captured, int], ...]:
    """Those of the kernel; where there are none, those of a factory around it: all that is known of a kernel that
    failed while it was built."""
    parts = qualname.split(".")
    names = (".".join(parts[:end]) for end in range(len(parts), 0, -1))
    return next((found for name in names if (found := entries.get(name))), ())


def _row(entry: Captured, file: str, line: int, module: Callable[[str], str | None]) -> Row:
    where = (file, line) if line else _caller(entry, Path(file).parent)
    arguments = {
        name: Given(value, where[1], "captured", where[0], text_of(captured, module))
        for name, captured in entry.args.items()
        if (value := value_of(captured)) is not UNKNOWN
    }
    configs: dict[str, Json] = dict(entry.pass_configs)
    if entry.compile_flags:
        configs[_FLAGS] = list(entry.compile_flags)
    return Row(
        arguments,
        notes=tuple(_notes(entry)),
        seen=True,
        seen_targets=(entry.target,) if entry.target else (),
        seen_configs=configs,
    )


def _caller(entry: Captured, root: Path) -> tuple[str | None, int]:
    path, _, line = (entry.caller or "").rpartition(":")
    return (str(root / path), int(line)) if path and line.isdigit() else (None, 1)


def _add(found: list[Row], row: Row) -> None:
    """Add a row; one that differs in its target only joins the one before it."""
    for index, other in enumerate(found):
        if _values(other) == _values(row) and other.seen_configs == row.seen_configs:
            targets = tuple(dict.fromkeys((*other.seen_targets, *row.seen_targets)))
            found[index] = replace(other, seen_targets=targets)
            return
    found.append(row)


def _values(row: Row) -> list[tuple[str, str]]:
    return [(name, repr(given.value)) for name, given in row.arguments.items()]


def _notes(entry: Captured) -> Iterator[str]:
    if entry.tuned == "tried":
        yield "the autotuner tried this configuration; none that it chose was captured"
    for name, captured in entry.args.items():
        if value_of(captured) is UNKNOWN:
            yield f"{name} was {described(captured) or 'no literal'} when captured: it has to come from elsewhere"
