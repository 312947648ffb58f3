"""Static facts of a snapshot: what its source says, without executing anything."""

from __future__ import annotations

import logging

from tilescope_trace.errors import UsageError
from tilescope_trace.model import FileFacts, Options, Snapshot

from .parameters import parameters
from .text import may_hold_kernels

log = logging.getLogger(__name__)

LARGE = 20_000
"""Texts of more code points than this are read in a thread: it takes longer than the loop should be held up."""


LARGEST = 2_000_000
"""Texts of more code points than this are left alone: no hand-written file is near, and Python's parser, which
cannot be interrupted, would hold up everything else for seconds."""


def static_facts(snapshot: Snapshot, options: Options) -> tuple[FileFacts, str | None]:
    """The facts, marked complete, and in words why there are none where the options ask for what cannot be had.
    Never raises: an editor shows what there is."""
    if not may_hold_kernels(snapshot.text):
        return FileFacts(snapshot.path, None), None
    if len(snapshot.text) > LARGEST:
        return FileFacts(snapshot.path, None), f"not analysed: the text has more than {LARGEST:,} characters"
    from tilescope_trace.config.apply import is_excluded  # these are slow to import: not at every start

    if options.config is not None and is_excluded(options.config, snapshot.path):
        return FileFacts(snapshot.path, None), f"left alone: {options.config.file} excludes it"
    from tilescope_trace.source.plan import plan_file

    from .lint.suppress import suppressions

    try:
        plan = plan_file(snapshot, options)
    except UsageError as error:
        return FileFacts(snapshot.path, None), str(error)
    except Exception:
        log.exception("reading %s failed", snapshot.path)
        return FileFacts(snapshot.path, None), "reading the source failed; see the log"
    # For hints and diagnostics, which are made on the loop.
    parameters(snapshot.text)
    suppressions(snapshot.text)
    return FileFacts(snapshot.path, None, plan.statics, plan.findings), None
