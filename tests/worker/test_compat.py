"""What a TileLang cannot do is named; nothing is faked."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
import tilelang

from tilescope_worker import compat, load, work
from tilescope_worker.compat import probe

from .conftest import Run


@pytest.fixture
def fresh_probes() -> Iterator[None]:
    """Let the probes look again, before and after the test."""
    compat.capabilities.cache_clear()
    yield
    compat.capabilities.cache_clear()


@pytest.mark.usefixtures("fresh_probes")
def test_capabilities_follow_what_is_there(monkeypatch: pytest.MonkeyPatch, run: Run, tmp_path: object) -> None:
    assert "cuda" in compat.capabilities()
    compat.capabilities.cache_clear()
    monkeypatch.setattr(probe, "has_phases", lambda: False)
    assert "phases" not in compat.capabilities()
    assert any("phase" in note for note in compat.notes())
    text = "import tilelang.language as T\n\n@T.prim_func\ndef copy(A: T.Tensor((8,), 'float32')):\n    A[0] = 1.0\n"
    assert any("phase" in note for note in run(f"{tmp_path}/noted.py", text, "copy", target="c").kernel.notes)


def test_pass_config_keys_may_be_members_names_or_strings() -> None:
    member = tilelang.PassConfigKey.TL_DISABLE_WGMMA
    assert {compat.pass_config_key(key) for key in (member, "TL_DISABLE_WGMMA", member.value)} == {member.value}
    assert compat.pass_config_key("of.no.version") == "of.no.version"


def test_the_compilers_own_files_are_nobodys_sources() -> None:
    assert load.is_installed(tilelang.__file__)
    assert load.is_installed(work.__file__)
    assert load.is_installed("<string>")
    assert not load.is_installed(__file__)


def test_warming_leaves_nothing_behind() -> None:
    import sys

    before = set(sys.modules), list(sys.path)
    work.warm(("cuda:sm_90a", "vulkan"))
    assert "tilescope_warmup" not in sys.modules
    assert before[1] == sys.path
