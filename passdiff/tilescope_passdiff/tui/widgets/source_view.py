"""The source pane: the Python the recording was made from, with the lines that the IR in view comes from."""

from __future__ import annotations

from pathlib import PurePath

from rich.segment import Segment
from rich.style import Style

from tilescope_passdiff.tui.paint import clean, paint
from tilescope_passdiff.tui.sources import Source
from tilescope_passdiff.tui.syntax import spans

from .line_view import LineView


class SourceView(LineView):
    """One source. ``strong`` lines are those of the IR line at the cursor, ``weak`` lines those of all IR in view."""

    def __init__(self, *, id: str) -> None:  # noqa: A002 - Textual's name
        super().__init__(id=id)
        self.source: Source | None = None
        self.strong: frozenset[int] = frozenset()
        self.weak: frozenset[int] = frozenset()
        self.became: int | None = None
        self._entitle()

    @property
    def count(self) -> int:
        return len(self.source.lines) if self.source else 0

    def show(self, source: Source) -> None:
        """Takes another source."""
        if source is self.source:
            return
        self.source, self.strong, self.weak = source, frozenset(), frozenset()
        self.cursor = 0
        self._entitle()
        self.relaid(self._gutter_width() + max(map(len, source.lines), default=0))
        if source.findings:
            self.move_to(min(source.findings) - 1, tell=False, center=True)

    def highlight(self, strong: frozenset[int], weak: frozenset[int], *, follow: bool) -> None:
        """Marks 1-based lines; ``follow`` scrolls to the first strong one."""
        if (strong, weak) == (self.strong, self.weak):
            return
        for line in (strong ^ self.strong) | (weak ^ self.weak):
            self.refresh_lines(line - 1)
        self.strong, self.weak = strong, weak
        if follow and strong:
            self.move_to(min(strong) - 1, tell=False, center=True)
        self._entitle()

    def variant(self, index: int) -> object:
        return index + 1 in self.strong, index + 1 in self.weak

    def count_links(self, rows: int | None) -> None:
        """Says how many IR lines the line at the cursor became; None while the person is elsewhere."""
        self.became = rows
        self._entitle()

    def _entitle(self) -> None:
        if self.source is None:
            self.caption("Source", "none in this recording")
            return
        if self.became is not None:
            link = (
                f"line {self.cursor + 1} became {self.became} of the IR lines" if self.became else "no IR line known"
            )
        else:
            lines = ", ".join(map(str, sorted(self.strong)))
            link = f"line {lines}" if lines else "no line known here"
        self.caption(
            PurePath(self.source.path).name,
            link,
            "as recorded, the file differs now" if self.source.differs else "",
        )

    def _digits(self) -> int:
        return max(2, len(str(self.count)))

    def _gutter_width(self) -> int:
        return self._digits() + 3

    def draw(self, index: int, selected: bool) -> tuple[list[Segment], list[Segment], Style]:
        styles, line = self.styled, index + 1
        if self.source is None:
            return [], [], styles.text
        pointed = selected and self.has_focus
        if line in self.strong:
            back, mark = styles.insert_word, Segment("▶", styles.pointer)
        elif line in self.weak:
            back, mark = styles.linked, Segment("│", styles.pointer)
        else:
            back, mark = Style.null(), Segment(" ", styles.text)
        if pointed:
            back = back + styles.cursor
        base = styles.text + back
        found = spans(self.source.lines[index], "python", self.source.inside[index])[0]
        syntax = ((start, end, styles.syntax[kind]) for start, end, kind in found)
        text = paint(self.source.lines[index], base, (syntax,))
        number = (styles.bold if line in self.strong or pointed else styles.dim) + back
        faulty = line in self.source.findings
        if faulty:
            text.append(Segment("  ✗ " + clean(self.source.findings[line].partition("\n")[0]), styles.error + back))
        gutter = [
            mark,
            Segment(f"{line:>{self._digits()}}", styles.error + back if faulty else number),
            Segment("✗ " if faulty else "  ", styles.error + back),
        ]
        return gutter, text, base
