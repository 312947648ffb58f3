"""The pane of the generated source, each line with the part it plays."""

from __future__ import annotations

from collections.abc import Iterable

from rich.segment import Segment
from rich.style import Style

from tilescope_passdiff.tui.links import Links
from tilescope_passdiff.tui.paint import clean
from tilescope_passdiff.tui.selection import Selection
from tilescope_passdiff.tui.sources import Generated
from tilescope_trace.model import Origin

from .code_view import CodeView


class GeneratedView(CodeView):
    """The generated source, or why there is none."""

    links = Links(())
    generated: Generated | None = None

    def take(self, generated: Generated) -> None:
        """Shows the generated source of a recording."""
        self.generated = generated
        self.show(generated.source)

    @property
    def count(self) -> int:
        return len(self._lines())

    def texts(self) -> Iterable[str]:
        return self._lines()

    def _lines(self) -> tuple[str, ...]:
        if self.source is None:
            return ()
        return self.source.lines or tuple(self.source.problem.split("\n"))

    def pointed(self) -> Selection:
        """What the line at the cursor comes from."""
        if self.generated is None:
            return Selection()
        return Selection(tuple(self.generated.places.origins.get(self.cursor + 1, ())))

    def point_at(self, selection: Selection, *, follow: bool) -> None:
        """Marks the lines that come from what is selected; ``follow`` goes to the foremost of them."""
        if self.generated is None:
            return
        wanted = {(self.links.source(place.file), place.line) for place in selection.places}

        def meant(place: Origin) -> bool:
            return (self.links.source(place.file), place.line) in wanted

        strong = frozenset(
            line for place, lines in self.generated.places.lines.items() if meant(place) for line in lines
        )
        self.highlight(strong, frozenset(), follow=follow, first=self.generated.foremost(strong, meant))

    def entitle(self) -> None:
        if self.source is None:
            self.caption("Generated source")
            return
        lines, name = len(self.strong), self.source.path
        counted = f"{lines} line{'s' * (lines != 1)}"
        self.caption(
            name,
            f"{counted} of what is selected" if lines else "",
            short=f"{clean(name)} · {counted}" if lines else "",
        )

    def draw(self, index: int, selected: bool) -> tuple[list[Segment], list[Segment], Style]:
        if self.source is not None and not self.source.lines:
            return [], [Segment(" " + self._lines()[index], self.styled.dim)], self.styled.text
        return super().draw(index, selected)
