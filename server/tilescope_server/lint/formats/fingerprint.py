"""Names for findings that stay the same when lines move."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterator

from tilescope_server.lint.model import Listed, Report


def fingerprints(report: Report) -> Iterator[tuple[str, Listed]]:
    """Each finding with a hash of its file, code, kernel and the text of its line; the second of its kind has
    another."""
    seen: Counter[str] = Counter()
    lines = {name: text.split("\n") for name, text in report.texts.items()}
    for one in report.findings:
        finding = one.finding
        of_file = lines.get(finding.file, [])
        line = of_file[finding.line - 1] if 0 < finding.line <= len(of_file) else ""
        parts = (finding.file, finding.code, finding.kernel or "", "".join(line.split()))
        key = "\0".join(parts)
        seen[key] += 1
        text = f"{key}\0{seen[key]}"
        yield hashlib.sha256(text.encode(errors="surrogatepass")).hexdigest()[:32], one
