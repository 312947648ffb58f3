"""The keys under which results of files are kept: remembered where nothing changed, else found."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

from tilescope_trace.cache.closure import closure
from tilescope_trace.cache.identity import environment_identity, tilescope_identity
from tilescope_trace.cache.key import key_of
from tilescope_trace.cache.seen import Seen
from tilescope_trace.captured.files import file_for
from tilescope_trace.model import Options, Snapshot
from tilescope_trace.source.plan import FilePlan
from tilescope_trace.source.workspace import shared_workspace


class Keys:
    """``tilelang`` identifies the compiler (None: nothing is executed), ``kept`` names what is kept of the facts."""

    def __init__(self, folder: Path, tilelang: str | None, kept: str) -> None:
        self._folder = folder
        self._tilelang = tilelang
        self._kept = kept
        self._programs = repr((tilelang, kept, tilescope_identity(), environment_identity()))
        self._seen: dict[str, Seen] = {}

    def remembered(self, snapshot: Snapshot, options: Options, workspace: str) -> str | None:
        """The key of a file's result where nothing that it rests on has changed since it was found."""
        return self._of(workspace).key(snapshot.path, snapshot.text, self._asked(snapshot, options))

    def found(self, snapshot: Snapshot, options: Options, plan: FilePlan, workspace: str) -> str | None:
        """The key of a file's result, which is remembered; None where names that are not UTF-8 are part of it."""
        asked = (self._kept, *(["device_compile"] if options.device_compile else []))
        try:
            key = key_of(snapshot, plan, self._tilelang, asked)
        except UnicodeEncodeError:
            return None
        files = shared_workspace(snapshot.path)
        if files is not None:
            imported = [os.path.join(workspace, name) for name in closure(snapshot.path, plan.parsed.tree, workspace)]  # noqa: PTH118 - as the walk spells them
            told = self._asked(snapshot, options)
            self._of(workspace).add(snapshot.path, snapshot.text, told, key, imported, files)
        return key

    def save(self) -> None:
        """Keep what was found for the next run."""
        for seen in self._seen.values():
            seen.save()

    def _of(self, workspace: str) -> Seen:
        if workspace not in self._seen:
            self._seen[workspace] = Seen(self._folder, workspace)
        return self._seen[workspace]

    def _asked(self, snapshot: Snapshot, options: Options) -> str:
        """What a result depends on beside files of Python."""
        captured = file_for(snapshot.path)
        # A file that is not Python's has no stamp of its own where hidden folders are left out.
        stamp = captured.stat().st_mtime_ns if captured is not None else None
        told = repr((self._programs, options, str(captured), stamp))
        return hashlib.sha256(told.encode(errors="surrogatepass")).hexdigest()
