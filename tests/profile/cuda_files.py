"""The recorded profiles of tests/data/profiles, for tests that read them and tests that damage them."""

from __future__ import annotations

import gzip
from pathlib import Path

from tilescope_trace.profile.load import load_profiles
from tilescope_trace.profile.model import Profile

DATA = Path(__file__).parent.parent / "data" / "profiles"

GEMM = "gemm_relu_kernel"


def load(name: str) -> Profile:
    """The one profile in a file."""
    (profile,) = load_profiles(DATA / name)
    return profile


def content(name: str) -> bytes:
    """The unpacked bytes of a file."""
    data = (DATA / name).read_bytes()
    return gzip.decompress(data) if name.endswith(".gz") else data


def lane_path(profile: Profile, lane: int) -> tuple[str, ...]:
    """Titles of a lane and of those it lies under, outermost first."""
    path: list[str] = []
    while lane >= 0:
        path.insert(0, profile.lanes[lane].title)
        lane = profile.lanes[lane].parent
    return tuple(path)
