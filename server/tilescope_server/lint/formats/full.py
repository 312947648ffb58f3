"""For people: each finding with the code it is about, related places and what to do."""

from __future__ import annotations

from collections.abc import Iterator

from tilescope_server.lint.model import Listed, Report

from .concise import headline
from .context import Context
from .excerpt import excerpt
from .style import Style
from .wording import about, assumed, plain


def render(report: Report, context: Context) -> str:
    style = Style(context.colour)
    blocks = ["\n".join(_block(one, report.texts, style)) for one in report.findings]
    return "".join(f"{block}\n\n" for block in blocks)


def _block(listed: Listed, texts: dict[str, str], style: Style) -> Iterator[str]:
    finding = listed.finding
    yield headline(listed, style, mark_assumed=False)
    lines = list(excerpt(finding, texts.get(finding.file, "")))
    width = max([len(str(finding.end_line)), 3, *(len(number) for number, _, _ in lines)])
    bar = style.frame(f"{'':>{width}} |")
    if lines:
        yield bar
    for number, code, carets in lines:
        yield f"{style.frame(f'{number:>{width}} |')} {code}".rstrip()
        if carets:
            yield f"{bar} {style.severity(finding.severity, carets)}"
    if lines:
        yield bar
    for label, text in _notes(listed):
        first, *rest = plain(text).splitlines() or [""]
        yield f"{'':>{width}} {style.frame('=')} {style.bold(label)}: {first}"
        yield from (f"{'':>{width}}   {line}".rstrip() for line in rest)


def _notes(listed: Listed) -> Iterator[tuple[str, str]]:
    finding = listed.finding
    for place in finding.related:
        yield "note", f"{place.file}:{place.line}: {place.message}"
    if finding.confidence == "likely":
        yield "note", "the place is likely, not sure"
    if finding.help:
        yield "help", finding.help
    for fix in finding.fixes:
        yield "fix", f"{fix.title} (--fix)"
    if listed.variants:
        yield "in", about(listed)
    if note := assumed(listed):
        yield "note", note
