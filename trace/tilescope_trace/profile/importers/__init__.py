"""One module a profiler format. Each has NAME, ``recognise(source)`` told from content, and ``load(source)``.

``IMPORTERS`` is asked in its order, and the first that recognises a source loads it: formats with a mark of their own
stand before those that are told by what is merely usual in them.
"""

from __future__ import annotations

from typing import Protocol

from tilescope_trace.profile.model import Profile
from tilescope_trace.profile.source import Source

from . import (
    ascend_board,
    ascend_database,
    ascend_executed,
    ascend_info,
    ascend_run,
    ascend_simulator,
    ascend_tables,
    ascend_trace,
    ascend_visualize,
    chrome_trace,
    cupti,
    iket,
    kineto,
    ncu_details,
    ncu_raw,
    ncu_report,
    ncu_source,
    nsys_csv,
    nsys_sqlite,
    pftrace,
    proton_trace,
    proton_tree,
    stamps,
)


class Importer(Protocol):
    """What a module of this package offers."""

    @property
    def NAME(self) -> str:  # noqa: N802
        """The format's name as shown to a reader."""

    def recognise(self, source: Source) -> bool:
        """Whether the file (by ``source.head``) or folder (by the files in it) is of this format. Never raises for
        content of another format; looks at names only where the content has no mark."""

    def load(self, source: Source) -> Profile:
        """The profile. Raises ProfileError for a truncated or damaged file."""


IMPORTERS: tuple[Importer, ...] = (
    ascend_run,
    ascend_simulator,
    ascend_board,
    ascend_visualize,
    ascend_database,
    ascend_trace,
    ascend_tables,
    ascend_executed,
    ascend_info,
    stamps,
    kineto,
    ncu_source,
    ncu_details,
    ncu_raw,
    ncu_report,
    nsys_sqlite,
    nsys_csv,
    cupti,
    iket,
    proton_tree,
    proton_trace,
    pftrace,
    chrome_trace,
)
