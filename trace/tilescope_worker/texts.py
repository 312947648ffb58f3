"""Pass events with printed IR: every distinct module is printed and sent once."""

from __future__ import annotations

import hashlib
from collections.abc import Callable

from .bufferstates import BufferTable
from .linemap import print_with_lines
from .observe import PassRun, Snapshot
from .wire.messages import Event, PassBegan, PassEnded, PassText


class PassTexts:
    """Sends the passes of one request. Texts precede the PassEnded that names them."""

    def __init__(self, request: int, send: Callable[[Event], None]) -> None:
        self._request = request
        self._send = send
        self._hashes: dict[Snapshot, str] = {}
        self._sent: set[str] = set()
        self._buffers = BufferTable()

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
            printed = print_with_lines(snapshot.module, self._buffers)
            known = hashlib.sha256(printed.text.encode()).hexdigest()[:32]
            if known not in self._sent:
                self._sent.add(known)
                self._send(PassText(self._request, known, **vars(printed)))
        self._hashes[snapshot] = known
        return known
