"""``for`` loops over values that are known."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from .assigned import adds_up, forget_changes
from .follower import BREAKS, ENDS
from .values import UNKNOWN, Env, Value, bind_target

if TYPE_CHECKING:
    from .flow import Flow

_UNROLLED = 64
_FILLED = 512
"""Passes of a loop that are gone through one by one; more where it fills a list."""


def run_for(flow: Flow, node: ast.For | ast.AsyncFor, env: Env, items: Value) -> int:
    """Run a loop over ``items``; ENDS where it certainly returns or raises."""
    if isinstance(items, dict):
        items = list(items)
    if flow.follower is None or not isinstance(items, (tuple, list, range)):
        _any_pass(flow, node, env)
        return 0
    early, flow.left_early = flow.left_early, False
    before = flow.follower.mark()
    all_passes = adds_up(node, env)
    whole = True
    most = _FILLED if all_passes else _UNROLLED
    for index, item in enumerate(items[:most]):
        flow.bind(node.target, item, env)
        ended = flow.run(node.body, env)
        if ended == ENDS:
            flow.left_early = early
            return ENDS
        if ended == BREAKS or flow.left_early:
            whole = not flow.left_early
            break
        if index == 0 and not flow.follower.pass_ended(before, len(items)):
            whole = len(items) == 1
            break
        if not all_passes or not flow.follower.step():
            whole = len(items) == 1
            break
    flow.left_early = early
    if not whole or len(items) > most:
        forget_changes(node.body, env)
        bind_target(node.target, UNKNOWN, env)
    return flow.run(node.orelse, env)


def _any_pass(flow: Flow, node: ast.For | ast.AsyncFor, env: Env) -> None:
    """A loop over what is not known."""
    forget_changes(node.body, env)
    bind_target(node.target, UNKNOWN, env)
    flow.perhaps(node.body, env)
    forget_changes(node.body, env)
    bind_target(node.target, UNKNOWN, env)
    flow.run(node.orelse, env)
