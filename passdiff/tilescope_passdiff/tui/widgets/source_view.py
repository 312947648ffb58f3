"""The source pane: the Python the recording was made from."""

from __future__ import annotations

from pathlib import PurePath

from tilescope_passdiff.tui.links import Links
from tilescope_passdiff.tui.selection import Selection
from tilescope_trace.model import Origin

from .code_view import CodeView


class SourceView(CodeView):
    """One source. ``became`` is how many IR lines the line at the cursor has in this pass; None while the reader is
    in another pane."""

    links = Links(())
    became: int | None = None

    def pointed(self) -> Selection:
        """The line at the cursor."""
        if self.source is None or not self.count:
            return Selection()
        return Selection((Origin(self.source.path, self.cursor + 1),))

    def point_at(self, selection: Selection, weak: frozenset[int], *, follow: bool) -> None:
        """Marks the selected lines, in the file of the first one if ``follow``; ``weak`` are others of this file."""
        found = self.links.lines(selection.places)
        if follow and found:
            self.show(found[0].source)
        strong = frozenset(link.line for link in found if link.source is self.source)
        self.highlight(strong, weak, follow=follow)

    def count_links(self, rows: int | None) -> None:
        """Says how many IR lines the line at the cursor became; None while the person is elsewhere."""
        self.became = rows
        self.entitle()

    def entitle(self) -> None:
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
        stale = "as recorded, the file differs now" if self.source.differs else ""
        self.caption(PurePath(self.source.path).name, link, stale)
