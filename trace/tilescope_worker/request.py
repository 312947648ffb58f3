"""One request of a job: elaborate the kernel, lower it once, and send facts and passes while that runs."""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from functools import partial
from typing import Any, Literal

from . import compat, registers, targets
from .arguments import ArgumentError
from .assume import Search, refuse_unlaunchable
from .attempts import Attempt, Setting, attempt
from .definitions import Definitions
from .elaborate import Elaborated, NoKernelError, NotInForceError, UnresolvedError, elaborate, missing_of
from .facts.collect import Collector
from .failures import failure_of, simple_failure
from .generated import LineTable, lowered_lines
from .load import Loaded
from .locate.follow import follow
from .locate.leftout import LeftOut
from .locate.onward import elaborate_on, elaboration_failure
from .printable import one_line
from .surroundings import Surroundings
from .texts import PassTexts, Printer
from .warned import warnings_in
from .wire.facts import Form, Kernel, Place, Specialization, Stage, Status
from .wire.messages import Event, Failure, Generated, Job, KernelRequest, KernelUpdate, RequestDone

_CONVERTED = "ffi.Function"
"""What the compiler takes a stand-in for: it can be called."""
SOON_SECONDS = 0.25
"""Facts from before the lowering are not told of a kernel that reached its layouts within that time when it was last
lowered here: they would be shown for a moment, and what that costs the editor delays the layouts."""
_soon: set[tuple[str, str, str]] = set()
"""Those kernels, by path, qualified name and target."""
_SHOWN = 60
"""Characters of a value in a note at most."""


class Answer:
    """The answer to request number ``index`` of a job whose text was executed to ``loaded``; ``left_out`` is what
    its kernel then lacked."""

    def __init__(
        self,
        job: Job,
        index: int,
        request: KernelRequest,
        loaded: Loaded,
        around: Surroundings,
        send: Callable[[Event], None],
        output: Callable[[], str],
        left_out: LeftOut | None = None,
    ) -> None:
        self._job = job
        self._index = index
        self._request = request
        self._loaded = loaded
        self._around = around
        self._send = send
        self._output = output
        self._left_out = left_out
        self._search: Search | None = None
        """Set once arguments are assumed."""
        self._assumed: Mapping[str, Any] = {}

    def run(self, definitions: Definitions) -> RequestDone:
        """Do the request; the message that ends it is returned, all others are sent."""
        printed = self._output()
        try:
            target = targets.resolve(self._request.target)
            made = self._elaborate(definitions)
        except UnresolvedError as found:
            return self._unresolved(found)
        except (targets.TargetError, ArgumentError) as error:
            return self._refused(error)
        except NotInForceError as error:
            return self._left_alone(error)
        except NoKernelError as error:
            if self._loaded.error is None:
                self._send(simple_failure(self._index, "elaborate", str(error), exception="NoKernelError"))
            return self._failed()
        except BaseException as error:  # noqa: BLE001 - kernels are user code; the failure answers
            return self._go_on(elaboration_failure(error, self._index), definitions, target)
        if self._left_out is not None:
            return self._lower_rest(made, self._left_out, target)
        return self._lower(made, definitions, target, printed)

    def _elaborate(self, definitions: Definitions) -> Elaborated:
        """Build the kernel, with assumed values for parameters that have none. Raises what `elaborate` raises."""

        try:
            return self._build(definitions)
        except UnresolvedError as unresolved:
            search = Search(definitions, self._request, self._loaded.namespace, self._around.sms, missing_of)
            self._assumed = search.values
            self._search = search
            made: Elaborated | None = search.find(partial(self._build, definitions), unresolved.missing)
            if made is None:
                unresolved.tried = search.last
                raise
            self._send = partial(_send_cautiously, self._send)
            return made

    def _build(self, definitions: Definitions, assumed: Mapping[str, Any] | None = None) -> Elaborated:
        made = self._around.call(elaborate, self._loaded.namespace, definitions, self._request, assumed)
        if assumed is not None:
            refuse_unlaunchable(made, made.func, self._job.path)
        return made

    def _other_values(self, definitions: Definitions, setting: Setting) -> tuple[Elaborated, Attempt] | None:
        """The kernel with other assumed values, with which it can be lowered."""

        def lowered(assumed: Mapping[str, Any]) -> tuple[Elaborated, Attempt]:
            made = self._build(definitions, assumed)
            done = attempt(made, setting)
            if done.lowered.error is not None:
                raise done.lowered.error
            return made, done

        found: tuple[Elaborated, Attempt] | None = self._search.refine(lowered) if self._search is not None else None
        return found

    def _go_on(self, failure: Failure, definitions: Definitions, target: Any) -> RequestDone:
        """After a failure of the front end: tell the facts of what is left without the statement at fault."""
        everywhere = self._search is not None and self._search.everywhere
        self._send(dataclasses.replace(failure, tried=_said(self._assumed)) if everywhere else failure)
        if everywhere:
            self._send = partial(_send_cautiously, self._send)
        if self._job.record:
            return self._failed()
        onward = elaborate_on(
            failure, self._loaded, definitions, self._request, self._send, self._around, self._assumed
        )
        return self._lower_rest(onward.made, onward.left_out, target) if onward is not None else self._failed()

    def _lower_rest(self, made: Elaborated, left_out: LeftOut, target: Any) -> RequestDone:
        """Lower a kernel that lacks some of its statements."""
        setting = self._setting(target)
        try:
            done = attempt(made, setting)
        except ArgumentError as error:
            return self._refused(error)
        return RequestDone(self._index, self._follow(done, setting, left_out), done.lowered.lower_ms, 0.0)

    def _setting(self, target: Any) -> Setting:
        job = self._job
        return Setting(self._index, job.path, target, self._request.target, not job.record)

    def _lower(self, made: Elaborated, definitions: Definitions, target: Any, printed: str) -> RequestDone:
        if not self._job.record:
            return self._lower_whole(made, definitions, target, printed, None)
        with closing(Printer()) as printer:
            texts = PassTexts(self._index, self._send, printer)
            return self._lower_whole(made, definitions, target, printed, texts)

    def _lower_whole(
        self, made: Elaborated, definitions: Definitions, target: Any, printed: str, texts: PassTexts | None
    ) -> RequestDone:
        started = time.perf_counter()
        job = self._job
        setting = self._setting(target)

        kernel = (job.path, self._qualname, self._request.target)
        soon = kernel in _soon
        _soon.discard(kernel)

        def told(stage: Stage, facts: Collector) -> None:
            if stage == "layouts" and time.perf_counter() - started < SOON_SECONDS:
                _soon.add(kernel)
            if stage == "layouts" or not soon:
                self._update(made, stage, "partial", facts)

        try:
            done = attempt(made, setting, texts=texts, live=job.synchronous, told=told)
        except ArgumentError as error:
            return self._refused(error)
        if done.failure is not None and not job.record:
            made, done = self._other_values(definitions, setting) or (made, done)
        if done.failure is not None and _CONVERTED in done.failure.text and self._around.stand_ins.names:
            done = dataclasses.replace(done, failure=_of_stand_in(done.failure, self._around.stand_ins.names))
        self._warn(printed)
        table = LineTable()
        if done.failure is None:
            if job.record:
                table = lowered_lines(made, done.observer, done.lowered.artifact, target, done.merged)
            notes = (*done.notes, *([table.problem] if table.problem else []))
            status_now: Status = "partial" if done.notes else "ok"
            self._update(made, "lowered", status_now, done.facts, notes)
            if job.device_compile:
                self._measure(done, target, status_now, notes)
        else:
            self._update(made, done.stage, "failed", done.facts, done.notes)
        self._tell_passes(done, texts, table)
        status: Status = "ok"
        if done.failure is not None:
            status = self._follow(done, setting)
        elapsed = (time.perf_counter() - started) * 1000
        return RequestDone(self._index, status, done.lowered.lower_ms, elapsed)

    def _measure(self, done: Attempt, target: Any, status: Status, notes: tuple[str, ...]) -> None:
        """Have the generated source compiled, and tell the registers that it takes or why they are not known."""
        try:
            usage = registers.measure(done.lowered.source, target, done.made.pass_configs)
        except registers.RegistersUnknownError as problem:
            self._update(done.made, "lowered", status, done.facts, (*notes, str(problem)))
            return
        done.facts.measured(usage.registers, usage.spill_bytes, usage.stack_bytes)
        self._update(done.made, "registers", status, done.facts, notes)

    def _follow(
        self, done: Attempt, setting: Setting, missing: LeftOut | None = None
    ) -> Literal["partial", "failed"]:
        """After a failure: say where it is, and tell the facts of what is left without the statements at fault."""
        go_on = not self._job.record
        rest = follow(done, setting, self._send, go_on=go_on, missing=missing)
        if rest is None:
            return "failed"
        kernel = self._kernel(done.made.form, done.made.specialization, "layouts", "partial")
        facts = dataclasses.replace(
            kernel,
            launch=rest.launch,
            buffers=rest.buffers,
            operations=rest.operations,
            notes=(*kernel.notes, *done.notes, rest.note),
        )
        self._send(KernelUpdate(self._index, facts))
        return "partial"

    def _warn(self, printed: str) -> None:
        """Send the warnings that the compiler has printed after ``printed``."""
        now = self._output()
        for warning in warnings_in(now[len(printed) :] if now.startswith(printed) else now, self._index):
            self._send(warning)

    def _tell_passes(self, done: Attempt, texts: PassTexts | None, table: LineTable) -> None:
        """Send what is left when the lowering is over: passes not sent yet, the generated source."""
        if texts is not None:
            for run in done.observer.runs:
                if run.failed or not self._job.synchronous:
                    texts.ended(run, done.failure.message if done.failure else None)
        if done.failure is None and self._job.record:
            language = targets.language(self._request.target)
            self._send(Generated(self._index, language, done.lowered.source, table.files, table.lines))

    def _unresolved(self, found: UnresolvedError) -> RequestDone:
        kernel = self._kernel(found.form, found.partial, "static", "unresolved")
        self._send(KernelUpdate(self._index, dataclasses.replace(kernel, missing=found.missing)))
        self._send(
            simple_failure(
                self._index,
                "arguments",
                f"{found}{_last_said(found.tried)}",
                severity="info",
                missing=found.missing,
                exception=type(found).__name__,
                related=_last_place(found.tried, self._job.path),
            )
        )
        return RequestDone(self._index, "unresolved", 0.0, 0.0)

    def _left_alone(self, error: NotInForceError) -> RequestDone:
        """A definition that running the file does not give is no fault of its."""
        if self._loaded.error is not None:
            return self._failed()
        said = str(error)
        self._send(simple_failure(self._index, "elaborate", said, severity="info", exception=type(error).__name__))
        return RequestDone(self._index, "unresolved", 0.0, 0.0)

    def _refused(self, error: Exception) -> RequestDone:
        self._send(simple_failure(self._index, "arguments", str(error), exception=type(error).__name__))
        return self._failed()

    def _failed(self) -> RequestDone:
        return RequestDone(self._index, "failed", 0.0, 0.0)

    def _update(
        self, made: Elaborated, stage: Stage, status: Status, facts: Collector, notes: tuple[str, ...] = ()
    ) -> None:
        kernel = self._kernel(made.form, made.specialization, stage, status)
        kernel = dataclasses.replace(
            kernel,
            launch=facts.launch,
            buffers=facts.buffers,
            operations=facts.operations,
            accesses=facts.accesses,
            coverage=facts.coverage,
            warp_accesses=facts.warp_accesses,
            notes=(*kernel.notes, *made.notes, *facts.notes, *notes),
        )
        self._send(KernelUpdate(self._index, kernel))

    @property
    def _qualname(self) -> str:
        return ".".join(name for name, _ in self._request.chain)

    def _kernel(self, form: Form, specialization: Specialization, stage: Stage, status: Status) -> Kernel:
        chain = self._request.chain
        return Kernel(
            name=chain[-1][0],
            qualname=self._qualname,
            line=chain[-1][1],
            form=form,
            target=self._request.target,
            target_origin=self._request.target_origin,
            stage=stage,
            status=status,
            specialization=specialization,
            notes=(
                *_assumed(specialization),
                *compat.notes(),
                *targets.notes(self._request.target),
                *self._loaded.notes,
                *self._around.notes(),
            ),
        )


def _send_cautiously(send: Callable[[Event], None], event: Event) -> None:
    """Send an event about a kernel whose arguments are assumed: what fails may fail for the values only."""
    if isinstance(event, Failure) and event.severity == "error":
        event = dataclasses.replace(event, severity="info")
    send(event)


def _assumed(specialization: Specialization) -> tuple[str, ...]:
    """A note on the values that were assumed, if any."""
    values = {name: one.value for name, one in specialization.args.items() if one.origin == "assumed"}
    return (f"nothing gives these arguments, so they are assumed: {_said(values)}",) if values else ()


def _said(values: Mapping[str, Any]) -> str:
    return ", ".join(f"{name}={one_line(str(value), _SHOWN)}" for name, value in values.items())


def _last_said(tried: BaseException | None) -> str:
    """How the values failed that were assumed for want of others."""
    if tried is None:
        return ""
    said = failure_of(tried, "arguments")
    return f"; of the values that were tried, the best ended with {said.exception}: {said.message}"


def _last_place(tried: BaseException | None, path: str) -> tuple[Place, ...]:
    """Where in the kernel's file the values failed that were assumed, with how."""
    if tried is None:
        return ()
    said = failure_of(tried, "arguments")
    lines = [frame.line for frame in said.frames if frame.file == path]
    text = f"the values that were tried fail here: {said.exception}: {said.message}"
    return (Place(path, lines[-1], text),) if lines else ()


def _of_stand_in(failure: Failure, names: Sequence[str]) -> Failure:
    """A failure that the stand-in for a missing module has led to: no fault of the kernel."""
    said = f"this needs a value of {', '.join(names)}, not installed here"
    return dataclasses.replace(failure, severity="info", message=f"{said}: {failure.message}")
