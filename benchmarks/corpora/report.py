"""Tables of a run over the corpus."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from .outcome import OUTCOMES
from .packages import Package
from .rows import FileRun, loud

ORIGINS = ("command-line", "editor", "directive", "config", "captured", "call", "autotune", "default", "none")
"""Origins of arguments that were found; the one left is ``assumed``."""


def report(package: Package, runs: Sequence[FileRun], *, markdown: bool) -> Iterable[str]:
    """The figures of a package as lines."""
    found = [outcome for run in runs for outcome in run.outcomes]
    reached = [one for one in found if one.outcome == "layouts"]
    origins = Counter(one.origin or "none" for one in reached)
    with_found = sum(count for origin, count in origins.items() if origin != "assumed")
    # What no analysis can give layouts to: other versions, other machines, stubs, definitions not in force.
    counted = [one for one in found if one.outcome not in ("not in force",)]
    seconds = sum(run.seconds for run in runs if run.outcomes)
    broke = [run for run in runs if run.broke]
    title = f"{package.name} {package.version}"
    yield f"### {title}" if markdown else f"== {title}"
    yield ""
    rows = [
        ("files with kernels", str(sum(bool(run.outcomes) for run in runs))),
        ("kernels", str(len(found))),
        ("reach layouts, arguments found", share(with_found, len(counted))),
        ("reach layouts in all", share(len(reached), len(counted))),
        *(
            (f"- with arguments from: {origin}", str(origins[origin]))
            for origin in (*ORIGINS, "assumed")
            if origins[origin]
        ),
        *((name, share(n, len(counted))) for name in OUTCOMES[1:] if (n := sum(o.outcome == name for o in found))),
        ("host errors", str(len(broke))),
        ("ms per kernel", f"{1000 * seconds / len(found):.0f}" if found else "-"),
    ]
    if markdown:
        yield "| what | figure |"
        yield "|---|---|"
        yield from (f"| {what} | {figure} |" for what, figure in rows)
    else:
        width = max(len(what) for what, _ in rows)
        yield from (f"{what:<{width}}  {figure}" for what, figure in rows)
    rest = Counter((one.outcome, one.reason) for one in found if one.outcome != "layouts")
    if rest:
        yield ""
        yield "| kernels | outcome | reason |" if markdown else "reasons:"
        if markdown:
            yield "|---|---|---|"
        for (outcome, reason), count in sorted(rest.items(), key=lambda item: (OUTCOMES.index(item[0][0]), -item[1])):
            text = reason.replace("|", "\\|")
            yield f"| {count} | {outcome} | {text} |" if markdown else f"  {count:4}  {outcome:<14} {text}"
    for run in broke:
        yield f"{run.file}: {run.broke}"
    yield ""


def loud_table(package: Package, runs: Sequence[FileRun], *, markdown: bool) -> Iterable[str]:
    """Errors and warnings of a package, one a line."""
    told = loud(runs)
    yield f"{len(told)} errors and warnings of {package.name} {package.version}"
    yield ""
    if markdown and told:
        yield "| finding | where | kernel | says |"
        yield "|---|---|---|---|"
    for one in told:
        message = one.message.replace("|", "\\|")
        place = f"{one.file}:{one.line}"
        if markdown:
            yield f"| {one.code} {one.severity} | {place} | {one.kernel or '-'} | {message} |"
        else:
            yield f"  {place}: {one.severity} {one.code} {one.kernel or '-'}: {message}"
    yield ""


def share(count: int, whole: int) -> str:
    return f"{count} ({100 * count / whole:.1f} %)" if whole else str(count)
