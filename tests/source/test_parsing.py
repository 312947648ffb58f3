"""Files are read by several threads at a time."""

from __future__ import annotations

import gc
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from tilescope_trace.source.tolerant import parse

DEEP = "x = " + "(" * 20 + "1" + " + 1)" * 20 + "\n"
TEXT = DEEP * 40


@pytest.fixture
def eager_switches() -> Iterator[None]:
    """Threads and the collector interrupt each other as often as they can."""
    interval, thresholds = sys.getswitchinterval(), gc.get_threshold()
    sys.setswitchinterval(1e-6)
    gc.set_threshold(5)
    yield
    sys.setswitchinterval(interval)
    gc.set_threshold(*thresholds)


def test_threads_that_parse_at_a_time_do_not_disturb_each_other(eager_switches: None) -> None:
    with ThreadPoolExecutor(4) as pool:
        trees = list(pool.map(parse, [TEXT] * 24))
    assert all(len(parsed.tree.body) == 40 and not parsed.problems for parsed in trees)
