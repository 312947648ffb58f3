"""docs/peers.md: tables of the last run, and what they do and do not show."""

from __future__ import annotations

import statistics
import subprocess
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from importlib.metadata import version

from machine import machine

from . import findings, published, words
from .cases import Case, every
from .judge import BEST_FIRST, Judged
from .place import Place
from .timing import KERNELS, Timed, read
from .tools import TOOLS, compiler, tilescope

Verdicts = Mapping[str, Mapping[str, Judged]]


def text(place: Place) -> str:
    """The whole page. Raises FileNotFoundError where a step of the run was left out."""
    cases = every()
    verdicts = findings.judged(place, cases)
    parts = (
        words.HEAD.format(where=_where(), date=time.strftime("%-d %B %Y", time.gmtime())),
        words.TOOLS_HEAD,
        _tools(place, verdicts),
        words.FAULTS_HEAD,
        _faults(cases, verdicts),
        words.FAULTS_TAIL.format(**_origins(cases)),
        words.CORRECT_HEAD,
        _correct(cases, verdicts),
        words.CLAIMS_HEAD,
        _claims(cases, verdicts),
        words.CLAIMS_TAIL,
        words.PUBLISHED_HEAD,
        _published(place),
        words.PUBLISHED_TAIL,
        words.COLD_HEAD,
        _cold(place),
        words.COLD_TAIL,
        words.WARM_HEAD,
        _warm(place),
        words.END.format(enabled=findings.kept(place, findings.ENABLED)[_first_correct(cases)][-1].message),
    )
    return "\n".join(part.strip("\n") + "\n" for part in parts)


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |" for line in lines)


def _where() -> str:
    known = machine()
    return f"{known['CPU']}, {known['cores']} cores, {known['memory']}, {known['OS']}, no GPU"


def _tools(place: Place, verdicts: Verdicts) -> str:
    names = sorted({tool.DISTRIBUTION for tool in TOOLS if tool is not tilescope})
    code = "import sys\nfrom importlib.metadata import version\nfor name in sys.argv[1:]: print(name, version(name))"
    done = subprocess.run([str(place.python), "-c", code, *names], capture_output=True, text=True, check=True)
    versions = dict(line.split() for line in done.stdout.splitlines()) | {"tilescope": version("tilescope")}
    return table(
        ("tool", "of", "how it was run"),
        (
            (
                tool.NAME,
                f"{tool.DISTRIBUTION} {versions[tool.DISTRIBUTION]}",
                tool.HOW + ("" if tool.NAME in verdicts else " (**timed only in this run**)"),
            )
            for tool in TOOLS
        ),
    )


def _faults(cases: Sequence[Case], verdicts: Verdicts) -> str:
    faulty = [case for case in cases if case.group == "fault"]
    rows = [[_case(case), *(cell(verdicts[tool][case.name]) for tool in verdicts)] for case in faulty]
    for verdict in BEST_FIRST:
        counts = [_count(verdicts[tool][case.name].verdict == verdict for case in faulty) for tool in verdicts]
        rows.append([f"**{words.VERDICTS[verdict]}**", *counts])
    alarms = [_count(bool(verdicts[tool][case.name].alarms) for case in faulty) for tool in verdicts]
    rows.append(["**false alarms beside it**", *alarms])
    return table(("fault", *verdicts), rows)


def cell(judged: Judged) -> str:
    """A verdict in a table."""
    if judged.verdict == "exact":
        said = "**exact**"
    elif judged.line is not None:
        said = f"{words.VERDICTS[judged.verdict]} ({judged.line})"
    else:
        said = words.VERDICTS[judged.verdict] if judged.verdict == "no line" else "–"
    if judged.unfinished:
        return f"{said} (not done in 2 minutes)"
    alarms = "".join(f"; false alarm ({one.line or 'no line'})" for one in judged.alarms)
    return said + alarms


def _case(case: Case) -> str:
    number, _, rest = case.path.stem.partition("_")
    shown = f"{number} {rest.replace('_', ' ')}"
    if case.target != "sm_80":
        shown += f", {case.target}"
    return f"{shown} ({case.thread.rpartition('/')[2]})" if case.thread else shown


def _origins(cases: Sequence[Case]) -> dict[str, str]:
    faulty = [case for case in cases if case.group == "fault"]
    threads = len({case.path for case in faulty if case.thread})
    return {"files": str(len({case.path for case in faulty})), "threads": str(threads)}


def _correct(cases: Sequence[Case], verdicts: Verdicts) -> str:
    correct = [case for case in cases if case.group == "correct"]
    return table(
        ("tool", "kernels", "with errors or warnings", "remarks"),
        (
            (
                tool,
                str(len(correct)),
                _count(bool(judged.alarms) for judged in found),
                str(sum(len(judged.remarks) for judged in found)),
            )
            for tool in verdicts
            for found in [[verdicts[tool][case.name] for case in correct]]
        ),
    )


def _claims(cases: Sequence[Case], verdicts: Verdicts) -> str:
    shown = ("tile-lsp", "TileLang alone", "tilescope")
    rows = []
    for case in cases:
        if case.group == "claim":
            cells = [_claim(verdicts[tool][case.name]) for tool in shown]
            rows.append((f"{case.path.stem.replace('_', ' ')}", "fault" if case.line else "correct", *cells))
    return table(("kernel", "it is", *shown), rows)


def _claim(judged: Judged) -> str:
    remarks = "".join(f"; remark ({one.line})" for one in judged.remarks)
    return cell(judged).removeprefix("–; ") + remarks if judged.alarms else cell(judged) + remarks


def _published(place: Place) -> str:
    return table(
        ("package", "files", "what tile-lsp says", "as", "times", "in files", "inside a kernel all the same"),
        (
            (
                one.package,
                str(one.files),
                one.code or "nothing",
                one.severity,
                str(one.times),
                str(one.flagged),
                str(one.inside) if one.code == "alloc-outside-kernel" else "",
            )
            for one in published.read(place)
        ),
    )


def _cold(place: Place) -> str:
    times = read(place, "cold")
    return table(
        ("command, on one GEMM", "wall", "CPU", "files", "output"),
        ((one.what, _ms(one.ms), _ms(one.cpu), str(one.files) if one.cpu else "", _size(one.bytes)) for one in times),
    )


def _warm(place: Place) -> str:
    times = read(place, "warm")
    kernels = [kernel for kernel in KERNELS if any(one.kernel == kernel for one in times)]
    rows = []
    for what in dict.fromkeys(one.what for one in times):
        of = {one.kernel: one for one in times if one.what == what}
        rows.append([what, *(cell for kernel in kernels for cell in _against(of[kernel], times))])
    head = [column for kernel in kernels for column in (words.KERNELS[kernel], "÷ TileLang alone")]
    return table(("again and again in one process", *head), rows)


def _against(one: Timed, times: Sequence[Timed]) -> Iterator[str]:
    plain = next((other for other in times if other.what == compiler.NAME and other.kernel == one.kernel), None)
    yield _ms(one.ms)
    compared = plain if "edit" not in one.what else None
    yield f"{statistics.median(one.ms) / statistics.median(compared.ms):.2f}" if compared else ""


def _ms(times: Sequence[float]) -> str:
    """Median, and the least and most beside it; how many where they are less than three."""
    if not times:
        return ""
    few = "" if len(times) >= 3 else f", {len(times)} times"
    middle, least, most = statistics.median(times), min(times), max(times)
    if middle >= 1000:
        return f"{middle / 1000:.1f} s ({least / 1000:.1f} – {most / 1000:.1f}{few})"
    digits = 0 if middle >= 20 else 1
    return f"{middle:.{digits}f} ms ({least:.{digits}f} – {most:.{digits}f}{few})"


def _size(size: int) -> str:
    if not size:
        return ""
    return f"{size / 1e6:.1f} MB" if size >= 1e6 else f"{size / 1e3:.1f} KB"


def _count(found: Iterable[bool]) -> str:
    return str(sum(found))


def _first_correct(cases: Sequence[Case]) -> str:
    return next(case.name for case in cases if case.group == "correct")
