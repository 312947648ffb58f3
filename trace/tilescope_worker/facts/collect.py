"""All facts of one lowering, gathered while it runs."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from typing import Any

from tilescope_worker.compat.spans import keeps_spans_in_tile_ops
from tilescope_worker.wire.facts import Access, Buffer, Coverage, Json, Launch, Operation, Stage, WarpAccess

from . import accesses, ascend, instructions, launch, layouts, loops, memory, operations, pipeline, private, resources
from . import buffers as buffer_facts
from .decided import Conflict, LayoutDecisions
from .ir import Location
from .warps.accesses import warp_accesses
from .warps.padding import rows_of

logger = logging.getLogger(__name__)

LAYOUT_PASSES = frozenset({"tl.LayoutInference", "tl.AscendLayoutInference"})
PLANNING_PASS = "tl.PipelinePlanning"
MULTI_BUFFER_PASS = "tl.MaterializeMultiBuffer"
SCHEDULING_PASS = "tl.ResolveCore"
"""Of Ascend's auto-schedule the last that leaves tile operations as they are; their cores are settled then."""
UNGUARDED = "tl.disable_safe_memory_legalize"
"""The pass config under which the compiler puts no guards around accesses to global memory."""
TILE_OPERATIONS = frozenset({"copy", "gemm", "reduce", "fill", "atomic", "other"})
"""The kinds of operations that the compiler replaces by statements of its own."""
TMA = frozenset({"tma_load", "tma_store"})
VECTORIZING_PASS = "tl.VectorizeLoop"
"""After it accesses have their widths, and statements still have the lines they came from."""


class Collector:
    """Follows one lowering of ``func`` pass by pass; what it does not understand stays unknown and is logged.

    ``path`` is the kernel's own file: declarations and statements of other files have no line. ``configs`` are the
    pass configs in force, by their names.
    Feed it every pass of the lowering, then ``finished``. Facts may be read at any time; ``stage_reached`` says how
    far they go.
    """

    def __init__(
        self, func: Any, target: Any, target_name: str, path: str, configs: Mapping[str, Any] | None = None
    ) -> None:
        self.target = target
        self._read_accesses = partial(accesses.read, func, path, guarding=not (configs or {}).get(UNGUARDED))
        self._accesses = accesses.Accesses()
        self.target_name = target_name
        self._path = path
        self._warp_accesses: tuple[WarpAccess, ...] = ()
        self.stage_reached: Stage = "buffers"
        self._buffers: dict[buffer_facts.Key, Buffer] = {}
        self._operations: tuple[operations.Draft, ...] = ()
        self._launch: Launch | None = None
        with _unknown_on_error("buffers"):
            self._buffers = buffer_facts.declared(func, path)
        with _unknown_on_error("operations"):
            self._operations = operations.read(func, path)
        with _unknown_on_error("launch"):
            self._launch = launch.written(func, path)
        self._notes: tuple[str, ...] = ()
        with _unknown_on_error("launches"):
            self._notes = launch.notes(func, self._launch, target_name.partition(":")[0])
        self._decisions = LayoutDecisions(func, path)

    @property
    def buffers(self) -> tuple[Buffer, ...]:
        return tuple(self._buffers.values())

    @property
    def operations(self) -> tuple[Operation, ...]:
        return tuple(draft.operation for draft in self._operations)

    @property
    def accesses(self) -> tuple[Access, ...]:
        """Accesses as written, with verdicts; known once the lowering is over."""
        return self._accesses.accesses

    @property
    def coverage(self) -> tuple[Coverage, ...]:
        return self._accesses.coverage

    @property
    def warp_accesses(self) -> tuple[WarpAccess, ...]:
        """Memory instructions as warps issue them; known once accesses have their widths."""
        return self._warp_accesses

    @property
    def launch(self) -> Launch | None:
        return self._launch

    @property
    def notes(self) -> tuple[str, ...]:
        """What the facts leave out or show to be wrong, in words."""
        return self._notes

    def pass_started(self, name: str, mod: Any) -> None:
        """Most facts are read from what passes return; who decides on layouts is seen while they are inferred."""
        if name in LAYOUT_PASSES:
            with _unknown_on_error("decisions on layouts"):
                self._decisions.started(name, mod)

    def pass_finished(self, name: str, before: Any, after: Any) -> None:
        """Take what the pass ``name`` decided from the module it returned."""
        if name == PLANNING_PASS:
            with _unknown_on_error("pipeline plan"):
                self._merge(pipeline.planned(after), "pipeline")
        elif name in LAYOUT_PASSES:
            self._take_layouts(after)
            self.stage_reached = "layouts"
        elif name == MULTI_BUFFER_PASS and after is not before:
            self._take_stages(after)
        elif name == SCHEDULING_PASS:
            with _unknown_on_error("schedule"):
                self._take_schedule(after)
        elif name == VECTORIZING_PASS and self._told_apart:
            with _unknown_on_error("instructions"):
                self._take_instructions(after)
            with _unknown_on_error("warp accesses"):
                self._warp_accesses = warp_accesses(after, self.target_name, self._path, rows_of(self.buffers))

    @property
    def _told_apart(self) -> bool:
        """Whether instructions still have the line of their operation: where the lowering of tile operations loses
        it, only in kernels without any."""
        return keeps_spans_in_tile_ops() or not any(
            draft.operation.kind in TILE_OPERATIONS for draft in self._operations
        )

    def close(self) -> None:
        """The lowering is over, however it ended."""
        self._decisions.close()
        self._give_reasons()
        with _unknown_on_error("accesses"):
            self._accesses = self._read_accesses()

    def conflict(self, text: str) -> Conflict | None:
        """Who claims what where layout inference failed with ``text``; None where it was not for layouts."""
        with _unknown_on_error("claims on layouts"):
            return self._decisions.conflict(text)
        return None

    def _give_reasons(self) -> None:
        """Say who decided on layouts: not with the layouts, which somebody waits for."""
        with _unknown_on_error("decisions on layouts"):
            bulk = {
                draft.operation.line
                for draft in self._operations
                if draft.operation.kind == "copy"
                and draft.operation.line is not None
                and TMA.intersection(draft.operation.lowered_to)
            }
            self._buffers = self._decisions.decided(self._buffers, bulk)

    def finished(self, artifact: Any) -> None:
        """Take launch and memory facts from the compiled artifact (``tilelang.lower``'s result)."""
        self._give_reasons()
        device_mod = artifact.device_mod
        if device_mod is not None:
            with _unknown_on_error("launch as lowered"):
                self._set_launch(threads_lowered=launch.threads_of(device_mod))
                if launch.runs_without_threads(device_mod):
                    self._launch = replace(self._launch or Launch(), threads_lowered=None)
            with _unknown_on_error("shared memory"):
                dynamic, static = memory.shared_bytes(device_mod)
                self._set_launch(shared_dynamic_bytes=dynamic, shared_static_bytes=static)
            self._take_resources(device_mod)
        self.stage_reached = "lowered"

    def measured(self, registers: int, spill_bytes: int, stack_bytes: int) -> None:
        """Take what the assembler says one thread takes."""
        self._set_launch(registers=registers, spill_bytes=spill_bytes, stack_bytes=stack_bytes)

    def _take_resources(self, device_mod: Any) -> None:
        """What one block takes of the machine."""
        is_ascend = self.target_name.partition(":")[0] == "ascend"
        with _unknown_on_error("on-chip memory"):
            self._set_launch(memory=memory.uses(device_mod, self._buffers.values(), ascend=is_ascend))
        if is_ascend:
            with _unknown_on_error("cores and flags"):
                self._set_launch(cores=ascend.cores(device_mod), flags=ascend.flags(device_mod))
            return
        with _unknown_on_error("barriers, clusters and specialized warps"):
            self._set_launch(
                barriers=resources.barriers(device_mod) or None,
                cluster=resources.cluster(device_mod),
                tensor_memory_columns=resources.tensor_memory_columns(device_mod),
                warp_groups=resources.warp_groups(device_mod),
            )
        with _unknown_on_error("private arrays"):
            self._set_launch(fragment_registers=private.registers_at_once(device_mod) or None)

    def _take_layouts(self, mod: Any) -> None:
        self._take_stages(mod)
        with _unknown_on_error("layouts"):
            self._buffers = layouts.laid_out(self._buffers, mod)
        with _unknown_on_error("decisions on layouts"):
            self._decisions.ended(mod)
        with _unknown_on_error("loop mappings"):
            self._merge(loops.mappings(mod), "parallel")
        with _unknown_on_error("warp specialization"):
            roles = pipeline.warp_specialization(mod)
            if roles:
                # A loop that was planned later than that is one that the specialization has left alone.
                self._update("pipeline", lambda draft: {} if "stage" in draft.operation.detail else roles)
        with _unknown_on_error("threads"):
            self._set_launch(threads_lowered=launch.threads_of(mod))

    def _take_stages(self, mod: Any) -> None:
        with _unknown_on_error("stages"):
            self._buffers = buffer_facts.staged(self._buffers, mod)
            by_name = buffer_facts.names(self._buffers)
            self._update("pipeline", lambda draft: {"stages": _depth(draft, by_name)})

    def _take_instructions(self, mod: Any) -> None:
        wanted = frozenset(place for draft in self._operations for place in draft.places)
        found = instructions.lowered(mod, wanted)
        self._operations = tuple(_lowered(draft, found) for draft in self._operations)

    def _take_schedule(self, mod: Any) -> None:
        found = ascend.scheduled(mod)
        self._operations = tuple(
            _with_detail(draft, found.get(draft.home, {})) if draft.home is not None else draft
            for draft in self._operations
        )

    def _merge(self, details: dict[Location, dict[str, Json]], kind: str) -> None:
        self._update(kind, lambda draft: details.get(draft.home, {}) if draft.home else {})

    def _update(self, kind: str, detail_of: Any) -> None:
        self._operations = tuple(
            _with_detail(draft, detail_of(draft)) if draft.operation.kind == kind else draft
            for draft in self._operations
        )

    def _set_launch(self, **facts: Any) -> None:
        known = {name: value for name, value in facts.items() if value is not None}
        self._launch = replace(self._launch or Launch(), **known)


def _with_detail(draft: operations.Draft, detail: dict[str, Json]) -> operations.Draft:
    if not detail:
        return draft
    return replace(draft, operation=replace(draft.operation, detail=draft.operation.detail | detail))


def _depth(draft: operations.Draft, by_name: dict[str, list[Buffer]]) -> int:
    """Stages a pipeline really has: those of the buffers its copies fill."""
    return max((buffer.stages for name in draft.feeds for buffer in by_name.get(name, ())), default=1)


def _lowered(draft: operations.Draft, found: dict[Location, instructions.Lowered]) -> operations.Draft:
    own = [found[place] for place in sorted(draft.places) if place in found]
    if not own:
        return draft
    names = tuple(dict.fromkeys(name for one in own for name in one.names))
    if not names and any(one.registers_only for one in own) and not any(one.unsure for one in own):
        names = ("register",)
    draft = replace(draft, operation=replace(draft.operation, lowered_to=names))
    for one in own:
        draft = _with_detail(draft, one.detail())
    return _with_detail(draft, ascend.alignment(draft.operation))


@contextmanager
def _unknown_on_error(what: str) -> Iterator[None]:
    """A fact that cannot be read stays unknown: facts never stop a compile."""
    try:
        yield
    except Exception:
        logger.warning("%s not known: unexpected IR", what, exc_info=True)
