"""Pass events with printed IR: every distinct module is printed and sent once."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor

from .linemap import Known, Printed, Script, script_of, with_origins
from .observe import PassRun, Snapshot
from .wire.messages import Event, PassBegan, PassEnded, PassText


class Printer:
    """Prints modules in a thread of its own, in the order of their `submit`: the compiler releases the interpreter's
    lock while it prints and while it lowers, so that a second core does the one during the other. Close it.

    What the lines are about is read only when a text is asked for, and then of all modules in that order: read in the
    thread, it would depend on how far the lowering has got, which still repairs the lines of statements, and would
    hold it up.
    """

    def __init__(self) -> None:
        self._pool = ThreadPoolExecutor(1, "printer")
        self._known = Known()
        self._scripts: dict[Snapshot, Future[Script]] = {}
        self._printed: dict[Snapshot, Printed] = {}

    def submit(self, snapshot: Snapshot) -> None:
        """Have a module printed, once."""
        if snapshot not in self._scripts and snapshot not in self._printed:
            self._scripts[snapshot] = self._pool.submit(script_of, snapshot.module, self._known.statements)

    def printed(self, snapshot: Snapshot) -> Printed:
        """The text of a module, waited for. Raises what printing it, or one that was submitted before, raised."""
        self.submit(snapshot)
        while snapshot not in self._printed:
            first = next(iter(self._scripts))
            script = self._scripts.pop(first).result()
            self._printed[first] = with_origins(first.module, script, self._known)
        return self._printed[snapshot]

    def close(self) -> None:
        """End the thread; what was not printed yet never is."""
        self._pool.shutdown(cancel_futures=True)


class PassTexts:
    """Sends the passes of one request. Texts precede the PassEnded that names them."""

    def __init__(self, request: int, send: Callable[[Event], None], printer: Printer) -> None:
        self._request = request
        self._send = send
        self._hashes: dict[Snapshot, str] = {}
        self._sent: set[str] = set()
        self._prepared: set[Snapshot] = set()
        self._printer = printer

    def prepare_start(self, run: PassRun) -> None:
        """Print ahead what the message of a pass that starts will need."""
        self._prepare(run.before, changed=True)

    def prepare_end(self, run: PassRun) -> None:
        """Print ahead what the message of a pass that has ended will need."""
        if run.after is not None:
            self._prepare(run.after, changed=run.changed)

    def _prepare(self, snapshot: Snapshot, *, changed: bool) -> None:
        if changed and snapshot not in self._prepared:
            self._printer.submit(snapshot)
        self._prepared.add(snapshot)

    def began(self, run: PassRun) -> None:
        """Send that a pass starts, and the text it starts from: after a crash that is all there is of it."""
        self._hash(run.before)
        self._send(PassBegan(self._request, run.index, run.name, run.phase, run.depth, run.parent))

    def ended(self, run: PassRun, error: str | None = None) -> None:
        """Send a pass that has ended, or with ``error`` one that has failed."""
        before = self._hash(run.before)
        after = None if run.after is None else self._hash(run.after, before if not run.changed else None)
        self._send(
            PassEnded(
                request=self._request,
                index=run.index,
                name=run.name,
                phase=run.phase,
                module=run.module,
                depth=run.depth,
                parent=run.parent,
                changed=run.changed,
                before=before,
                after=after,
                duration_ms=run.duration_ms,
                status="failed" if run.failed else "ok",
                error=error if run.failed else None,
            )
        )

    def _hash(self, snapshot: Snapshot, equal: str | None = None) -> str:
        """The hash of a module's text; ``equal`` is that of a module of equal structure, which saves printing."""
        known = self._hashes.get(snapshot) or equal
        if known is None:
            printed = self._printer.printed(snapshot)
            known = hashlib.sha256(printed.text.encode()).hexdigest()[:32]
            if known not in self._sent:
                self._sent.add(known)
                self._send(PassText(self._request, known, **vars(printed)))
        self._hashes[snapshot] = known
        return known
