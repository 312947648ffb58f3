"""Open documents: immutable snapshots of their texts, and the newest analysis of each."""

from __future__ import annotations

import os
import time
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING
from urllib.parse import SplitResult, unquote, urlsplit

from tilescope_trace.model import Choice, FileFacts, Finding, Kernel, Options, Snapshot
from tilescope_trace.text_lines import lines_of

from .analysis import Analysis
from .heat import NO_HEAT, KernelHeat, Key, LineHeat, heat_key
from .hints import Hint, Reach, hints_of, reaches_of
from .settings import Hints, Settings
from .sites import Site, sites_of
from .trust import Trust

if TYPE_CHECKING:
    from tilescope_trace.config.model import Config

    from .notebook import Notebook


@dataclass
class Document:
    """An open document; ``uri`` is spelled as the client spells it; ``dirty`` is whether its text differs from what
    is on disk. Sites and hints are made once per analysis, hints of the kernels that are looked at."""

    uri: str
    analysis: Analysis
    dirty: bool = False
    real: str = field(init=False, default="")
    """The real path of its file."""
    attended: float = field(init=False, default=0.0)
    """When somebody last looked at it or edited it, on the clock of the loop."""
    _lines: tuple[str, ...] | None = field(default=None, repr=False)
    _sites: tuple[Site, ...] | None = field(default=None, repr=False)
    asked: bool | None = field(init=False, default=None)
    """Whether its hints were asked for since the last edit; None: never yet."""
    _reaches: tuple[Reach, ...] | None = field(default=None, repr=False)
    _hints: dict[tuple[Hints, tuple[int, ...]], tuple[Hint, ...]] = field(default_factory=dict, repr=False)
    _heat: dict[Key, KernelHeat] = field(default_factory=dict, repr=False)
    _moved: tuple[KernelHeat, str, LineHeat] | None = field(default=None, repr=False)
    _problems: tuple[Analysis, Config, tuple[Finding, ...]] | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        self.real = os.path.realpath(self.analysis.snapshot.path)

    @property
    def snapshot(self) -> Snapshot:
        return self.analysis.snapshot

    @property
    def lines(self) -> tuple[str, ...]:
        if self._lines is None:
            self._lines = lines_of(self.snapshot.text)
        return self._lines

    @property
    def sites(self) -> tuple[Site, ...]:
        if self._sites is None:
            self._sites = sites_of(self.analysis)
        return self._sites

    def hints(self, shown: Hints, first: int = 1, last: int | None = None) -> tuple[Hint, ...]:
        """The hints of these kinds and this length on lines ``first`` to ``last``, without one to the end."""
        last = len(self.lines) if last is None else last
        if self._reaches is None:
            self._reaches = reaches_of(self.analysis)
        near = tuple(at for at, one in enumerate(self._reaches) if one.first <= last and one.last >= first)
        if (shown, near) not in self._hints:
            sites = sites_of(self.analysis, [self._reaches[at].view for at in near])
            self._hints[shown, near] = hints_of(sites, self.lines, shown, self.heat_on)
        found = self._hints[shown, near]
        start = bisect_left(found, first, key=lambda hint: hint.line)
        return found[start : bisect_right(found, last, start, key=lambda hint: hint.line)]

    def attach(self, heat: Mapping[Key, KernelHeat]) -> None:
        """Take where kernels spend their time, in place of what was known before."""
        self._heat = dict(heat)
        self._hints.clear()

    def measured(self, kernel: Kernel) -> KernelHeat | None:
        """The heat of a kernel; None where no profile of it is attached."""
        return self._heat.get(heat_key(kernel)) if self._heat else None

    def heat_on(self, kernel: Kernel) -> LineHeat:
        """The heat of a kernel by line of the text."""
        measured = self.measured(kernel)
        if measured is None:
            return NO_HEAT
        if self._moved is None or self._moved[:2] != (measured, self.snapshot.text):
            self._moved = measured, self.snapshot.text, measured.on(self.snapshot.text)
        return self._moved[2]

    def problems(self, config: Config, file: str) -> tuple[Finding, ...]:
        """The findings that the configuration lets through; ``file`` is the one that holds the text."""
        from .problems import problems_of  # slow to import: not at every start

        if self._problems is None or self._problems[0] is not self.analysis or self._problems[1] is not config:
            self._problems = self.analysis, config, problems_of(self.analysis, config, file)
        return self._problems[2]

    def edit(self, text: str, version: int | None) -> None:
        """Take a newer text."""
        self.analysis = self.analysis.edited(Snapshot(self.snapshot.path, text, version))
        self.dirty = True
        self.asked = None if self.asked is None else False
        self._lines = None
        self._forget()

    def outdate(self) -> None:
        """Take what is known for stale: something that the text depends on has changed."""
        self.analysis = self.analysis.edited(replace(self.snapshot))
        self._forget()

    def compare(self) -> None:
        """Find out whether the text is what is on disk."""
        self.dirty = (
            _text_on_disk(self.snapshot.path) != self.snapshot.text if self.uri.startswith("file:") else False
        )

    def parts(self) -> Iterable[Document]:
        """The documents in which an editor shows it: itself, or the cells of a notebook."""
        return (self,)

    def line_of(self, part: str, line: int) -> int:  # noqa: ARG002 - a notebook has several
        """A line of the part with this URI as one of the document."""
        return line

    def inform(self, snapshot: Snapshot, facts: FileFacts, problem: str | None = None) -> bool:
        """Take newer facts; False (and no change) where they are about an older text."""
        if snapshot is not self.snapshot:
            return False
        self.analysis = self.analysis.informed(facts, problem)
        self._forget()
        return True

    def _forget(self) -> None:
        """Drop what was made of an older analysis."""
        self._sites = self._reaches = None
        self._hints.clear()


class Session:
    """Everything that lasts from initialize to shutdown, without the protocol."""

    def __init__(self, settings: Settings, trust: Trust, root: Path | None) -> None:
        self.settings = settings
        self.trust = trust
        self.root = root
        self.device: str | None = None
        """The target of this machine's GPU, once it has been asked for."""
        self.profiles: tuple[Path, ...] = ()
        """Those that were attached last."""
        self._chosen: dict[str, dict[str, Choice]] = {}
        self._documents: dict[str, Document] = {}
        self._notebooks: dict[str, Notebook] = {}

    def options_for(self, path: str) -> Options:
        """What the settings and the configuration ask of the analysis of a file."""
        from tilescope_trace.config.read import config_for  # slow to import: not at every start

        return Options(
            targets=(self.settings.target,) if self.settings.target is not None else (),
            pass_configs=self.settings.pass_configs,
            chosen=dict(self.chosen(path)),
            static=not self.trust.may_execute,
            from_editor=True,
            device=self.device if self.settings.device else None,
            config=config_for(path).config,
        )

    def problems(self, document: Document) -> tuple[Finding, ...]:
        """The findings to show in an open document or cell, by the configuration that holds for its file."""
        from tilescope_trace.config.read import config_for

        file = (self.whole(document.uri) or document).snapshot.path
        return document.problems(config_for(file).config, file)

    def chosen(self, path: str) -> Mapping[str, Choice]:
        """What was chosen in the editor for the kernels of a file, by qualified name."""
        return self._chosen.get(path, {})

    def choice(self, path: str, kernel: str) -> Choice:
        """What was chosen for one kernel; an empty choice where nothing was."""
        return self.chosen(path).get(kernel, Choice())

    def choose(self, path: str, kernel: str, choice: Choice) -> None:
        """Take a choice for a kernel instead of any older one; an empty one takes it back. It lasts as long as the
        session, also while the file is closed."""
        self._chosen[path] = {**self.chosen(path), kernel: choice}
        if choice == Choice():
            del self._chosen[path][kernel]

    def attend(self, uri: str) -> bool:
        """Note that somebody looks at a document (or cell) or edits it; False where it is not open."""
        document = self.whole(uri)
        if document is not None:
            document.attended = time.monotonic()
        return document is not None

    def attention(self, uri: str) -> float:
        """The higher, the later somebody has looked at the document."""
        document = self._documents.get(key_of(uri))
        return document.attended if document is not None else 0.0

    def whole(self, uri: str) -> Document | None:
        """The open document of a name, of a cell its notebook."""
        key = key_of(uri)
        return self._notebooks.get(key) or self._documents.get(key)

    def overlays(self, path: str) -> dict[str, str]:
        """The texts, by real path, of the documents beside the one at ``path`` that are not what is on disk."""
        others = (document for document in self.documents() if document.dirty and document.snapshot.path != path)
        return {document.real: document.snapshot.text for document in others}

    def open(self, uri: str, text: str, version: int | None) -> Document:
        """Start (or, opened twice, restart) to follow a document."""
        document = Document(uri, Analysis(Snapshot(path_of(uri, self.root), text, version)))
        document.compare()
        self._documents[key_of(uri)] = document
        return document

    def close(self, uri: str) -> Document | None:
        """Stop following a document, a notebook with its cells."""
        closed = self._documents.pop(key_of(uri), None)
        for part in closed.parts() if closed is not None else ():
            self._notebooks.pop(key_of(part.uri), None)
        return closed

    def get(self, uri: str) -> Document | None:
        """The open document of that name, however the client escapes it; a cell is one, too."""
        key = key_of(uri)
        notebook = self._notebooks.get(key)
        return self._documents.get(key) if notebook is None else notebook.cell(key)

    def open_notebook(self, notebook: Notebook) -> None:
        """Start (or restart) to follow a notebook."""
        self._documents[key_of(notebook.uri)] = notebook
        self.arrange(notebook)

    def arrange(self, notebook: Notebook) -> None:
        """Take note of a notebook's present cells."""
        gone = [key for key, one in self._notebooks.items() if one.uri == notebook.uri]
        for key in gone:
            del self._notebooks[key]
        self._notebooks.update((key_of(cell.uri), notebook) for cell in notebook.cells)

    def at(self, path: str) -> Document | None:
        """The open document of a file."""
        real = os.path.realpath(path)
        return next((one for one in self.documents() if one.real == real), None)

    def documents(self) -> tuple[Document, ...]:
        return tuple(self._documents.values())


def key_of(uri: str) -> str:
    """Equal for URIs that differ in their escapes only."""
    return unquote(uri)


def path_of(uri: str, root: Path | None) -> str:
    """The file a URI names. A document without a file gets a path in the workspace (or the folder for temporary
    files) where it would be saved, so that its imports resolve as they will then; nothing is written there."""
    uri = uri.replace("%00", "%EF%BF%BD").replace("\0", "\ufffd")  # no file has such a name
    try:
        parts = urlsplit(uri)
    except ValueError:  # brackets that are no address
        parts = SplitResult("", "", uri, "", "")
    if parts.scheme == "file":
        path = _local(parts.path)
        return f"//{parts.netloc}{path}" if parts.netloc and parts.netloc != "localhost" else path
    name = PurePosixPath(unquote(parts.path)).name or "untitled"
    if root is None:
        import tempfile  # rarely needed, and slow to import

        root = Path(tempfile.gettempdir())
    return str(root / (name if name.endswith(".py") else f"{name}.py"))


def _text_on_disk(path: str) -> str | None:
    try:
        # An editor keeps line ends as they are.
        return Path(path).read_bytes().decode("utf-8")
    except (OSError, UnicodeDecodeError):
        return None


def _local(path: str) -> str:
    if os.name != "nt":
        return unquote(path)
    from urllib.request import url2pathname  # brings an HTTP client along: not at every start

    return url2pathname(path)
