"""proton's traces (Chrome JSON): kernels on streams, or what instrumented Triton kernels recorded of each warp."""

from __future__ import annotations

import re

import msgspec

from tilescope_trace.profile.annotations import best_annotation
from tilescope_trace.profile.build import ProfileBuilder
from tilescope_trace.profile.chrome import TRACE_EVENTS, ChromeEvent, times
from tilescope_trace.profile.errors import ProfileError
from tilescope_trace.profile.jsonstream import ArrayStream
from tilescope_trace.profile.model import Launch, Profile
from tilescope_trace.profile.source import Source

NAME = "proton trace"

_PLACE = re.compile(r"(?P<kernel>.*) Core(?P<core>\d{1,9}) CTA(?P<block>\d{1,9})")
_WARP = re.compile(r"warp (?P<warp>\d{1,9}).*")
_ROOT = "ROOT"


class _Args(msgspec.Struct):
    call_stack: list[str] = []


def recognise(source: Source) -> bool:
    """Events with a call stack of scopes."""
    head = source.head.lstrip()
    return head.startswith(b"{") and b'"traceEvents"' in head and b'"call_stack"' in head


def load(source: Source) -> Profile:
    """A launch for each kernel event; of instrumented kernels one launch, whose own times proton does not write."""
    build = ProfileBuilder(source.path, NAME)
    decoder = msgspec.json.Decoder(_Args)
    instrumented: dict[str, int] = {}
    with source.open() as stream:
        for event in ArrayStream(source, stream, TRACE_EVENTS, ChromeEvent):
            if event.ph != "X":
                continue
            try:
                args = decoder.decode(bytes(event.args) or b"{}")
            except msgspec.MsgspecError as error:
                raise ProfileError(
                    source.path, str(error), "arguments as proton writes them", f'event "{event.name}"'
                ) from error
            start, duration = times(source, event)
            place = _PLACE.fullmatch(str(event.pid))
            if place is None:
                scopes = [name for name in args.call_stack[:-1] if name != _ROOT]
                lane = build.lane(("stream", event.tid), f"stream {event.tid}", "stream")
                build.launch(Launch(str(event.name), start, duration, lane, annotation=best_annotation(scopes)))
                continue
            kernel = place["kernel"]
            if kernel not in instrumented:
                instrumented[kernel] = build.launch(Launch(kernel))
            build.slice(
                _warp(build, place, str(event.tid)), str(event.name), start, duration, launch=instrumented[kernel]
            )
    return build.finish("the trace has no kernel and no range")


def _warp(build: ProfileBuilder, place: re.Match[str], thread: str) -> int:
    core, block, warp = int(place["core"]), int(place["block"]), _WARP.fullmatch(thread)
    sm = build.lane(("sm", core), f"SM {core}", "sm", number=core)
    inside = build.lane(("block", place["kernel"], block), f"block {block}", "cta", sm, block)
    number = int(warp["warp"]) if warp else None
    title = f"warp {number}" if warp else thread
    return build.lane(("warp", place["kernel"], block, thread), title, "warp", inside, number)
