"""One request of a job: elaborate the kernel, lower it once, and send facts and passes while that runs."""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Callable
from contextlib import closing
from typing import Any

from . import compat, targets
from .arguments import ArgumentError
from .definitions import Definitions
from .elaborate import Elaborated, NoKernelError, UnresolvedError, elaborate
from .facts.collect import LAYOUT_PASSES, Collector
from .failures import failure_of, simple_failure
from .load import Loaded
from .lowering import Lowered, lower
from .observe import Guarded, Observer, PassRun
from .spans import SpanRepair
from .texts import PassTexts
from .warned import warnings_in
from .wire.facts import Form, Kernel, Specialization, Stage, Status
from .wire.messages import Event, Failure, Generated, Job, KernelRequest, KernelUpdate, RequestDone


class Answer:
    """The answer to request number ``index`` of a job whose text was executed to ``loaded``."""

    def __init__(
        self,
        job: Job,
        index: int,
        request: KernelRequest,
        loaded: Loaded,
        send: Callable[[Event], None],
        output: Callable[[], str],
    ) -> None:
        self._job = job
        self._index = index
        self._request = request
        self._loaded = loaded
        self._send = send
        self._output = output

    def run(self, definitions: Definitions) -> RequestDone:
        """Do the request; the message that ends it is returned, all others are sent."""
        printed = self._output()
        try:
            target = targets.resolve(self._request.target)
            made = elaborate(self._loaded.namespace, definitions, self._request)
        except UnresolvedError as found:
            return self._unresolved(found)
        except (targets.TargetError, ArgumentError) as error:
            return self._refused(error)
        except NoKernelError as error:
            if self._loaded.error is None:
                self._send(simple_failure(self._index, "elaborate", str(error), exception="NoKernelError"))
            return self._failed()
        except BaseException as error:  # noqa: BLE001 - kernels are user code; the failure answers
            self._send(failure_of(error, "elaborate", request=self._index))
            return self._failed()
        done = self._lower(made, target)
        now = self._output()
        for warning in warnings_in(now[len(printed) :] if now.startswith(printed) else now, self._index):
            self._send(warning)
        return done

    def _lower(self, made: Elaborated, target: Any) -> RequestDone:
        started = time.perf_counter()
        collector = Collector(made.func, target, self._request.target, self._job.path)
        guarded = Guarded(collector)
        texts = PassTexts(self._index, self._send) if self._job.record else None
        live = texts if self._job.synchronous else None

        def ended(run: PassRun) -> None:
            if live is not None:
                live.ended(run)
            if run.name in LAYOUT_PASSES and guarded.problem is None:
                self._update(made, "layouts", "partial", collector)

        self._update(made, "buffers", "partial", collector)
        with SpanRepair() as repair, closing(collector):
            observer = Observer(
                (repair, guarded),
                compare=texts is not None,
                began=live.began if live is not None else None,
                ended=ended,
            )
            try:
                lowered = lower(
                    made, target, observer, checks=not self._job.record, device_compile=self._job.device_compile
                )
            except ArgumentError as error:
                return self._refused(error)
        notes = (guarded.problem,) if guarded.problem else ()
        if lowered.error is None:
            collector.finished(lowered.artifact)
            self._update(made, "lowered", "partial" if notes else "ok", collector, notes)
        else:
            stage: Stage = "layouts" if collector.stage_reached != "buffers" else "buffers"
            self._update(made, stage, "failed", collector, notes)
        self._report(lowered, observer, texts, collector)
        elapsed = (time.perf_counter() - started) * 1000
        return RequestDone(self._index, "failed" if lowered.error else "ok", lowered.lower_ms, elapsed)

    def _report(self, lowered: Lowered, observer: Observer, texts: PassTexts | None, collector: Collector) -> None:
        """Send what is left when the lowering is over: passes not sent yet, the failure, the generated source."""
        failure = None
        if lowered.error is not None:
            failing = observer.failing
            failure = failure_of(
                lowered.error,
                lowered.phase(observer),
                request=self._index,
                pass_name=failing.name if failing else None,
            )
            failure = _with_claims(failure, collector)
        if texts is not None:
            for run in observer.runs:
                if run.failed or not self._job.synchronous:
                    texts.ended(run, failure.message if failure else None)
        if failure is not None:
            self._send(failure)
        elif self._job.record:
            source = str(lowered.artifact.kernel_source or "")
            self._send(Generated(self._index, targets.language(self._request.target), source))

    def _unresolved(self, found: UnresolvedError) -> RequestDone:
        kernel = self._kernel(found.form, found.partial, "static", "unresolved")
        self._send(KernelUpdate(self._index, dataclasses.replace(kernel, missing=found.missing)))
        self._send(
            simple_failure(
                self._index,
                "arguments",
                str(found),
                severity="info",
                missing=found.missing,
                exception=type(found).__name__,
            )
        )
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
            notes=kernel.notes + notes,
        )
        self._send(KernelUpdate(self._index, kernel))

    def _kernel(self, form: Form, specialization: Specialization, stage: Stage, status: Status) -> Kernel:
        chain = self._request.chain
        return Kernel(
            name=chain[-1][0],
            qualname=".".join(name for name, _ in chain),
            line=chain[-1][1],
            form=form,
            target=self._request.target,
            target_origin=self._request.target_origin,
            stage=stage,
            status=status,
            specialization=specialization,
            notes=(*compat.notes(), *self._loaded.notes),
        )


def _with_claims(failure: Failure, collector: Collector) -> Failure:
    """A failure of layout inference with the places of both claims; at the operation where the layouts meet, unless
    the compiler has named a place."""
    conflict = collector.conflict(failure.text) if failure.pass_name in LAYOUT_PASSES else None
    if conflict is None:
        return failure
    failure = dataclasses.replace(failure, related=conflict.claims)
    if failure.line is None and conflict.at is not None:
        return dataclasses.replace(failure, file=conflict.at.file, line=conflict.at.line)
    return failure
