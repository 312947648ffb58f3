"""Findings that a project has agreed to live with, kept so that they survive lines moving around them."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

import msgspec

from tilescope_trace.errors import UsageError

from .model import Listed

SCHEMA = "tilescope.baseline/1"


class Entry(msgspec.Struct, frozen=True, order=True):
    """``count`` findings of ``code`` in one kernel (None: of the file) whose line reads alike; ``line`` is the hash
    of its text without blanks, ``text`` its beginning for people. ``file`` is relative to the baseline's folder."""

    file: str
    code: str
    kernel: str | None
    line: str
    text: str
    count: int = 1


class _Document(msgspec.Struct):
    schema: str
    findings: list[Entry]


@dataclass(frozen=True)
class Applied:
    """``kept`` are findings that no entry covers; ``entries`` are those still needed, for the files that were
    checked, and as they were for all others."""

    kept: tuple[Listed, ...]
    entries: tuple[Entry, ...]
    baselined: int


def read(path: Path) -> tuple[Entry, ...]:
    """The entries of a baseline file. Raises UsageError for one that is none; a missing file has no entries."""
    try:
        document = msgspec.convert(json.loads(path.read_text(encoding="utf-8-sig")), type=_Document)
    except FileNotFoundError:
        return ()
    except OSError as error:
        raise UsageError(f"cannot read the baseline {path}: {error.strerror or error}") from None
    except json.JSONDecodeError as error:
        raise UsageError(f"{path} is no baseline: {error} (left from a merge?)") from None
    except (ValueError, RecursionError) as error:
        raise UsageError(f"{path} is no baseline: {error}") from None
    if document.schema != SCHEMA:
        raise UsageError(f"{path} is no baseline: its schema is {document.schema!r}, not {SCHEMA!r}")
    return tuple(document.findings)


def written(entries: Iterable[Entry]) -> bytes:
    """The file of ``entries``: sorted, one to a line, so that two branches merge."""
    body = ",\n".join(_line(entry) for entry in sorted(entries, key=_order))
    # Names of files that are not UTF-8 hold lone surrogates: these are escaped.
    return f'{{"schema":"{SCHEMA}","findings":[\n{body}\n]}}\n'.encode(errors="backslashreplace")


def entries_of(findings: Iterable[Listed], texts: Mapping[str, str], folder: Path) -> tuple[Entry, ...]:
    """The entries that cover ``findings``; ``texts`` are the sources by the names that findings have."""
    counted = Counter(_key(finding, texts, folder) for finding in findings)
    return tuple(msgspec.structs.replace(key, count=count) for key, count in counted.items())


def apply(
    findings: Iterable[Listed],
    entries: Iterable[Entry],
    texts: Mapping[str, str],
    folder: Path,
    checked: Iterable[str],
) -> Applied:
    """Leave out what the entries cover: of each code, kernel and line text as many findings as they count.

    An entry of a ``checked`` file that covers fewer findings than it counts shrinks to what it covers; entries of
    files that are gone go too.
    """
    entries = tuple(entries)
    left: Counter[Entry] = Counter()
    for entry in entries:
        # A merge may have left two of the same: the larger one counts.
        left[_without_count(entry)] = max(left[_without_count(entry)], entry.count)
    used: Counter[Entry] = Counter()
    kept = []
    for finding in findings:
        key = _key(finding, texts, folder)
        if left[key] > used[key]:
            used[key] += 1
        else:
            kept.append(finding)
    seen = {_relative(name, folder) for name in checked}
    others = [entry for entry in entries if entry.file not in seen and (folder / entry.file).exists()]
    needed = [msgspec.structs.replace(key, count=count) for key, count in used.items() if key.file in seen and count]
    return Applied(tuple(kept), tuple(sorted([*others, *needed], key=_order)), sum(used.values()))


def _key(listed: Listed, texts: Mapping[str, str], folder: Path) -> Entry:
    finding = listed.finding
    lines = texts.get(finding.file, "").split("\n")
    text = lines[finding.line - 1] if 0 < finding.line <= len(lines) else ""
    plain = "".join(text.split())
    digest = hashlib.sha256(plain.encode(errors="surrogatepass")).hexdigest()[:12]
    return Entry(_relative(finding.file, folder), finding.code, finding.kernel, digest, text.strip()[:60])


def _line(entry: Entry) -> str:
    return json.dumps(msgspec.structs.asdict(entry), ensure_ascii=False, separators=(",", ":"))


def _without_count(entry: Entry) -> Entry:
    return msgspec.structs.replace(entry, count=1)


def _order(entry: Entry) -> tuple[str, str, str, str]:
    return entry.file, entry.code, entry.kernel or "", entry.line


def _relative(name: str, folder: Path) -> str:
    path = Path(name).absolute()
    return (path.relative_to(folder) if path.is_relative_to(folder) else path).as_posix()
