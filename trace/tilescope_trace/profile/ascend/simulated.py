"""``trace.json`` of ``msprof op simulator``: every instruction on its pipe of its core, flags between pipes.

Times are in µs, whatever "displayTimeUnit" says: msopprof divides cycles by MHz. In the trace of all cores ``pid``
is the core and ``tid`` the pipe; SET_FLAG and WAIT_FLAG are pairs of B and E, arrows go from ``s`` to ``t``. That of
one core names its pipes as processes and numbers what overlaps there as threads.
"""

from __future__ import annotations

import re
from decimal import Decimal
from typing import Any

import msgspec
from msgspec.structs import replace

from tilescope_trace.profile.build import ProfileBuilder
from tilescope_trace.profile.chrome import ChromeEvent, Identifier, NameArgs
from tilescope_trace.profile.errors import ProfileError
from tilescope_trace.profile.model import NONE, Frames, Launch
from tilescope_trace.profile.source import Source

from .costs import WAITS, Cost, samples_of, waited_for
from .counters import counted
from .lanes import in_order
from .stacks import frames_of

_NO_WORK = ("CACHEMISS", "USERMARK")
_BEFORE_ISSUE = ("cache_time", "ccu_time")
"""Slices for the time in which an instruction is fetched and decoded, before it runs."""

ZERO = Decimal(0)
_DAY_NS = 86_400_000_000_000
_NUMBER = re.compile(r"\d+")


class _Args(msgspec.Struct, gc=False):
    code: str = ""
    detail: str = ""
    pc_addr: str = ""
    process_bytes: str | int | None = None


class Simulated:
    """Reads events into ``builder``, as the slices of one launch; ``core`` names the core of a trace of only one."""

    def __init__(self, source: Source, builder: ProfileBuilder, core: str) -> None:
        self._source, self._builder, self._core = source, builder, core
        self._arguments = msgspec.json.Decoder(_Args, strict=False)
        self._names = msgspec.json.Decoder(NameArgs, strict=False)
        self._values = msgspec.json.Decoder(dict[str, Any])
        self._pipes: dict[Identifier, str] = {}
        self._lanes: dict[tuple[Identifier, Identifier], tuple[int, str]] = {}
        self._flags: dict[tuple[Identifier, Identifier, Identifier, str], tuple[float, _Args]] = {}
        self._arrows: dict[tuple[Identifier, str | None], tuple[int, int]] = {}
        self._stacks: dict[str, tuple[Frames, int]] = {}
        self._costs: dict[int, Cost] = {}
        self._span: tuple[float, float] | None = None
        self._loose = 0

    def event(self, event: ChromeEvent) -> None:
        """One event, of either kind of trace."""
        if event.ph == "X":
            start, duration = self._ns(event, event.ts), self._ns(event, event.dur or ZERO)
            self._slice(event, str(event.name), start, duration, self._args(self._arguments, event))
        elif event.ph in ("B", "E"):
            self._flag(event)
        elif event.ph in ("s", "t", "f"):
            self._arrow(event)
        elif event.ph == "C":
            self._counter(event)
        elif event.ph == "M" and event.name == "process_name":
            self._pipes[event.pid] = self._args(self._names, event).name or f"pipe {event.pid}"

    def finish(self, launch: Launch) -> Launch:
        """The launch with its times, and with its samples in the builder: what the profiler says of it and the slices
        of its instructions do not. Lanes are put in the order in which data flows through them."""
        builder = self._builder
        if self._span is not None:
            first, last = map(round, self._span)
            duration = last - first if launch.duration_ns is None else launch.duration_ns
            launch = replace(launch, start_ns=first, duration_ns=duration)
            samples = samples_of(self._costs, launch.name, 0, "ns")
            if samples is not None:
                builder.samples.append(samples)
        unfinished = len(self._flags)
        if unfinished or self._loose:
            builder.note(
                f"{unfinished} flags without an end and {self._loose} arrows without a start are left out: the "
                "simulation was stopped, or cores were left out of it"
            )
        in_order(builder)
        return launch

    def _slice(self, event: ChromeEvent, name: str, start: float, duration: float, args: _Args) -> None:
        lane, pipe = self._lane(event)
        frames, place = self._stacks.get(args.code) or self._new_stack(args.code)
        self._builder.slice(lane, name, round(start), round(duration), args.detail or None, place, 0)
        first, last = self._span or (start, start)
        self._span = min(first, start), max(last, start + duration)
        address = _address(args.pc_addr)
        if address is None or pipe in _NO_WORK or name in _BEFORE_ISSUE:
            return
        cost = self._costs.get(address)
        if cost is None:
            cost = self._costs[address] = Cost(name, frames)
        cost.amount += duration
        cost.executed += 1
        if name in WAITS:
            cost.stalled(waited_for(args.detail), duration)

    def _new_stack(self, code: str) -> tuple[Frames, int]:
        frames = frames_of(code)
        known = self._stacks[code] = frames, self._builder.place(frames)
        return known

    def _flag(self, event: ChromeEvent) -> None:
        time = self._ns(event, event.ts)
        key = (event.pid, event.tid, event.id, str(event.name))
        if event.ph == "B":
            self._flags[key] = time, self._args(self._arguments, event)
        elif key in self._flags:
            start, args = self._flags.pop(key)
            self._slice(event, key[3], start, max(time - start, 0.0), args)

    def _arrow(self, event: ChromeEvent) -> None:
        time = self._ns(event, event.ts)
        lane, _ = self._lane(event)
        key = (event.id, event.cat)
        if event.ph == "s":
            self._arrows[key] = lane, round(time)
        elif key in self._arrows:
            self._builder.flow(event.cat or "flag", *self._arrows.pop(key), lane, round(time))
        else:
            self._loose += 1

    def _counter(self, event: ChromeEvent) -> None:
        time = self._ns(event, event.ts)
        for name, value, unit in counted(f"{event.pid} {event.name}", self._args(self._values, event)):
            self._builder.count(name, round(time), value, unit)

    def _lane(self, event: ChromeEvent) -> tuple[int, str]:
        key = (event.pid, event.tid)
        known = self._lanes.get(key)
        if known is None:
            known = self._lanes[key] = self._new_lane(event)
        return known

    def _new_lane(self, event: ChromeEvent) -> tuple[int, str]:
        # Threads of the trace of one core are numbers, in arrows as text.
        of_one = not isinstance(event.pid, str) or event.pid.isdigit()
        pid: Identifier = int(event.pid) if isinstance(event.pid, str) and event.pid.isdigit() else event.pid
        core, pipe = (self._core, self._pipes.get(pid, f"pipe {pid}")) if of_one else (str(pid), str(event.tid))
        build = self._builder
        parent = build.lane(("core", core), core, "core", number=_number(core)) if core else NONE
        warp = pipe.startswith("WARP_")
        title = f"{pipe} {event.tid}" if of_one else pipe
        lane = build.lane((core, title), title, "warp" if warp else "pipe", parent, _number(pipe) if warp else None)
        return lane, pipe

    def _ns(self, event: ChromeEvent, time: Decimal) -> float:
        # A cycle is half a nanosecond: what is summed keeps the fraction. No simulation lasts a day.
        ns = float(time) * 1000
        if not abs(ns) < _DAY_NS:
            raise ProfileError(self._source.path, f"{time!s:.40} is no time in µs", "ts and dur of a simulation",
                               f'event "{event.name}"')  # fmt: skip
        return ns

    def _args(self, decoder: msgspec.json.Decoder[Any], event: ChromeEvent) -> Any:
        try:
            return decoder.decode(bytes(event.args) or b"{}")
        except (msgspec.MsgspecError, RecursionError, UnicodeDecodeError) as error:
            raise ProfileError(
                self._source.path, str(error), "arguments as the simulator writes them", f'event "{event.name}"'
            ) from error


def _address(text: str) -> int | None:
    try:
        return int(text, 16) if len(text) < 20 else None
    except ValueError:
        return None


def _number(name: str) -> int | None:
    found = _NUMBER.search(name)
    return int(found[0]) if found and len(found[0]) < 10 else None
