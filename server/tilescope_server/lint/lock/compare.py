"""What differs between the golden facts and those of now."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal

from .facts import ARGUMENTS, REGISTERS, Entry


@dataclass(frozen=True)
class Changed:
    """A fact that is another one now; None where there is none."""

    fact: str
    before: str | None
    after: str | None


@dataclass(frozen=True)
class Change:
    """A kernel x specialization x target whose facts changed, or that is ``new`` or ``gone``.
    ``first_pass`` says which pass of the compiler makes something else first, None where nobody asked."""

    kind: Literal["changed", "new", "gone"]
    file: str
    kernel: str
    target: str
    arguments: str
    facts: tuple[Changed, ...] = ()
    first_pass: str | None = None


def changes(before: Iterable[Entry], after: Iterable[Entry]) -> tuple[Change, ...]:
    """All that differs, in order. A kernel with other arguments than it had is compared with what it was, in order,
    where nothing better fits."""
    old = {entry.key: entry for entry in before}
    new = {entry.key: entry for entry in after}
    pairs: list[tuple[Entry | None, Entry | None]] = [(old[key], new[key]) for key in old.keys() & new.keys()]
    gone = [old[key] for key in sorted(old.keys() - new.keys())]
    for entry in (new[key] for key in sorted(new.keys() - old.keys())):
        same = next((one for one in gone if one.key[:3] == entry.key[:3]), None)
        if same is not None:
            gone.remove(same)
        pairs.append((same, entry))
    pairs += [(entry, None) for entry in gone]
    found = [change for pair in pairs if (change := _change(*pair)) is not None]
    return tuple(sorted(found, key=lambda one: (one.file, one.kernel, one.target, one.arguments)))


def text(found: Iterable[Change]) -> str:
    """All changes for people: a heading a kernel, a line a fact."""
    return "\n".join(line for change in found for line in _block(change)) + "\n"


def _change(before: Entry | None, after: Entry | None) -> Change | None:
    one = after or before
    assert one is not None
    where = (one.file, one.kernel, one.target, one.arguments)
    if before is None or after is None:
        return Change("new" if before is None else "gone", *where)
    facts = tuple(_differing(before, after))
    return Change("changed", *where, facts) if facts else None


def _differing(before: Entry, after: Entry) -> Iterator[Changed]:
    if before.arguments != after.arguments:
        yield Changed(ARGUMENTS, before.arguments, after.arguments)
    for name in dict.fromkeys([*before.facts, *after.facts]):
        old, new = before.facts.get(name), after.facts.get(name)
        if old == new or (name in REGISTERS and None in (old, new)):
            continue
        yield Changed(name, old, new)


def _block(change: Change) -> Iterator[str]:
    with_ = f" with {change.arguments}" if change.arguments else ""
    head = f"{change.file}: {change.kernel} for {change.target}{with_}"
    if change.kind == "new":
        yield f"{head}: is not in the lock"
    elif change.kind == "gone":
        yield f"{head}: is in the lock and no longer there"
    else:
        yield f"{head}:"
        yield from (f"  {one.fact}: {_told(one)}" for one in change.facts)
        if change.first_pass is not None:
            yield f"  first pass that differs: {change.first_pass}"


def _told(changed: Changed) -> str:
    if changed.before is None:
        return f"is now {changed.after}"
    if changed.after is None:
        return f"was {changed.before}, is no more"
    return f"was {changed.before}, is {changed.after}{_growth(changed.before, changed.after)}"


def _growth(before: str, after: str) -> str:
    """By how much a number of bytes or registers grew: `` (+33 %)``."""
    sums = [_sum(text) for text in (before, after)]
    if None in sums or not sums[0]:
        return ""
    share = round(100 * ((sums[1] or 0) / sums[0] - 1))
    return f" ({share:+} %)" if share else ""


def _sum(text: str) -> int | None:
    return sum(map(int, text.split(" + "))) if re.fullmatch(r"\d+( \+ \d+)*", text) else None
