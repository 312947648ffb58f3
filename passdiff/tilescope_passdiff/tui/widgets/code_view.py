"""A pane with one whole source: the Python that was recorded, or the generated source."""

from __future__ import annotations

from collections.abc import Iterable

from rich.segment import Segment
from rich.style import Style

from tilescope_passdiff.tui.paint import clean, paint
from tilescope_passdiff.tui.sources import Source
from tilescope_passdiff.tui.syntax import spans

from .search_view import SearchView


class CodeView(SearchView):
    """``strong`` lines belong to what is selected elsewhere, ``weak`` ones to what is in view there."""

    def __init__(self, *, id: str) -> None:  # noqa: A002 - Textual's name
        super().__init__(id=id)
        self.source: Source | None = None
        self.strong: frozenset[int] = frozenset()
        self.weak: frozenset[int] = frozenset()
        self.noted: frozenset[int] = frozenset()
        self.entitle()

    @property
    def count(self) -> int:
        return len(self.source.lines) if self.source else 0

    @property
    def row(self) -> int | None:
        return self.cursor if self.count else None

    def texts(self) -> Iterable[str]:
        return self.source.lines if self.source else ()

    def go_to(self, row: int) -> None:
        self.move_to(row, center=True)

    def show(self, source: Source) -> None:
        """Takes another source."""
        if source is self.source:
            return
        self.source, self.strong, self.weak = source, frozenset(), frozenset()
        self.cursor = 0
        self.relaid(self.gutter_width() + source.width)
        if source.findings:
            self.move_to(min(source.findings) - 1, tell=False, center=True)
        self.search(self.query_shown)
        self.entitle()

    def highlight(
        self, strong: frozenset[int], weak: frozenset[int], *, follow: bool, first: int | None = None
    ) -> None:
        """Marks 1-based lines; ``follow`` scrolls to ``first``, by itself the first strong one."""
        if (strong, weak) == (self.strong, self.weak):
            return
        for line in (strong ^ self.strong) | (weak ^ self.weak):
            self.refresh_lines(line - 1)
        self.strong, self.weak = strong, weak
        if follow and strong:
            self.move_to((first or min(strong)) - 1, tell=False, center=True)
        self.entitle()

    def note(self, lines: frozenset[int]) -> None:
        """Marks lines that have a bookmark or a note."""
        if lines != self.noted:
            self.noted = lines
            self.redraw()

    def entitle(self) -> None:
        """Puts the heading over the pane."""
        raise NotImplementedError

    def variant(self, index: int) -> object:
        return index + 1 in self.strong, index + 1 in self.weak

    def _digits(self) -> int:
        return max(2, len(str(self.count)))

    def gutter_width(self) -> int:
        return self._digits() + 3

    def draw(self, index: int, selected: bool) -> tuple[list[Segment], list[Segment], Style]:
        styles, line, source = self.styled, index + 1, self.source
        if source is None:
            return [], [], styles.text
        pointed = selected and self.has_focus
        if line in self.strong:
            back, mark = styles.insert_word, "▶"
        elif line in self.weak:
            back, mark = styles.linked, "│"
        else:
            back, mark = Style.null(), " "
        if pointed:
            back = back + styles.cursor
        base = styles.text + back
        found = spans(source.lines[index], source.language, source.inside[index])[0]
        syntax = ((start, end, styles.syntax[kind]) for start, end, kind in found)
        text = paint(source.lines[index], base, (syntax, self.found_in(index)))
        number = (styles.bold if line in self.strong or pointed else styles.dim) + back
        finding = source.findings.get(line)
        grave = finding is not None and finding.severity == "error"
        sign, ink = ("✗ ", styles.error) if grave else ("! ", styles.changed)
        if finding is not None:
            text.append(Segment(f"  {sign}{clean(finding.message.partition(chr(10))[0])}", ink + back))
        elif line in source.roles:
            text.append(Segment("  " + clean(source.roles[line]), styles.dim + back))
        if finding is None:
            sign, ink = "★ " if line in self.noted else "  ", styles.changed
        gutter = [
            Segment(mark, styles.pointer),
            Segment(f"{line:>{self._digits()}}", ink + back if finding is not None else number),
            Segment(sign, ink + back),
        ]
        return gutter, text, base
