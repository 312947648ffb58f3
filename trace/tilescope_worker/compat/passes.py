"""Pass phases and pass configs."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from functools import cache
from typing import Any

from tilelang.transform import PassConfigKey


@cache
def _phase_reader() -> Callable[[], str | None] | None:
    try:
        from tilelang.instrumentation import current_pass_phase
    except ImportError:
        return None
    reader: Callable[[], str | None] = current_pass_phase
    return reader


def has_phases() -> bool:
    """Whether this TileLang tells which pipeline a pass belongs to (not before 0.1.15)."""
    return _phase_reader() is not None


def current_phase() -> str | None:
    """The name of the pipeline that is running, such as ``pipeline_cuda``; None outside or when not told."""
    reader = _phase_reader()
    return reader() if reader else None


def pass_config_key(key: object) -> str:
    """The plain string of a pass config key: an enum member, its name (``TL_DISABLE_WGMMA``) or the string itself."""
    if isinstance(key, PassConfigKey):
        return str(key.value)
    member = PassConfigKey.__members__.get(str(key))
    return str(member.value) if member is not None else str(key)


def normalize_pass_configs(configs: dict[Any, Any]) -> dict[str, Any]:
    """String keys, with the defaults that TileLang takes from the environment; a later equal key wins."""
    plain = {pass_config_key(key): value for key, value in configs.items()}
    try:
        from tilelang.transform.pass_config import normalize_pass_configs as normalize
    except ImportError:
        return plain
    with warnings.catch_warnings():
        # The deprecation notices are for who wrote the kernel, at its own compile.
        warnings.simplefilter("ignore", DeprecationWarning)
        return dict(normalize(plain))
