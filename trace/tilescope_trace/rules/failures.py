"""From what stopped the compiler to a finding in the terms of the kernel."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from tilescope_worker.wire.facts import Confidence, Finding, Kernel, Place
from tilescope_worker.wire.messages import Failure, Frame

from . import (
    codegen_failed,
    compiler_warning,
    elaboration_failed,
    lowering_failed,
    module_failed,
    syntax_error,
    unresolved_arguments,
)
from .place import Span, first_line_span, line_span, line_text, name_span
from .rule import Rule
from .wording import Wording, word

BY_PHASE: dict[str, Rule] = {
    "syntax": syntax_error.RULE,
    "module": module_failed.RULE,
    "arguments": elaboration_failed.RULE,
    "elaborate": elaboration_failed.RULE,
    "lower": lowering_failed.RULE,
    "codegen": codegen_failed.RULE,
}


def finding_of(failure: Failure, kernel: Kernel | None, text: str, file: str) -> Finding:
    """The finding for ``failure`` in ``file`` with the text ``text``; ``kernel`` is the failing request's, None for
    one of the whole file.

    The place is, in this order: where the compiler or Python says, the deepest traceback frame in the file, the
    kernel's ``def`` (confidence ``likely``). The compiler's own text stays whole in ``compiler``.
    """
    if failure.missing and kernel is not None:
        return unresolved_arguments.finding(replace(kernel, missing=failure.missing), text, file)
    line, confidence = _line_of(failure, kernel, file)
    wording = _wording(failure, text, line if confidence == "exact" else None)
    span = _span(failure, kernel, text, file, line, wording)
    rule = _rule(failure)
    return Finding(
        code=rule.code,
        severity=failure.severity if rule.severity == "error" else rule.severity,
        file=file,
        line=span.line,
        column=span.column,
        end_line=span.end_line,
        end_column=span.end_column,
        message=wording.message,
        related=_related(failure, text, file, span.line),
        kernel=kernel.qualname if kernel else None,
        specialization=kernel.specialization.id if kernel else None,
        target=kernel.target if kernel else None,
        pass_name=failure.pass_name,
        confidence=confidence,
        help=wording.help,
        compiler=failure.text or failure.message or None,
    )


def _rule(failure: Failure) -> Rule:
    if failure.severity == "warning":
        return compiler_warning.RULE
    return BY_PHASE[failure.phase]


def _line_of(failure: Failure, kernel: Kernel | None, file: str) -> tuple[int | None, Confidence]:
    if failure.line is not None and (failure.file is None or _same(failure.file, file)):
        return failure.line, "exact"
    for frame in reversed(failure.frames):
        if _same(frame.file, file):
            return frame.line, "exact"
    return (kernel.line if kernel else None), "likely"


def _wording(failure: Failure, text: str, line: int | None) -> Wording:
    source_line = line_text(text, line) if line is not None else ""
    if failure.phase == "syntax":
        return Wording(failure.message or "invalid syntax")
    told = failure.message or failure.text
    wording = word(failure.exception, told, source_line, text)
    if wording.message in told and failure.text and failure.text != told:
        # The short message may be only a heading ("Buffer read before initialization: 1 buffer(s)").
        fuller = word(failure.exception, failure.text, source_line, text)
        if fuller.help or fuller.name:
            wording = fuller
    if failure.phase == "module" and failure.exception and failure.exception not in wording.message:
        return Wording(f"{failure.exception}: {wording.message}", wording.help, wording.name)
    return wording


def _span(failure: Failure, kernel: Kernel | None, text: str, file: str, line: int | None, wording: Wording) -> Span:
    if line is None:
        return first_line_span(text)
    if failure.phase == "syntax" and failure.column:
        return _parser_span(failure, failure.column, text, line)
    if wording.name:
        return name_span(text, line, wording.name)
    if failure.column and failure.end_column and failure.line == line and _same(failure.file or file, file):
        return Span(line, failure.column, failure.end_line or line, failure.end_column)
    if kernel is not None and line == kernel.line:
        return name_span(text, line, kernel.name)
    return line_span(text, line)


def _parser_span(failure: Failure, column: int, text: str, line: int) -> Span:
    end_line, end_column = failure.end_line or line, failure.end_column or 0
    if (end_line, end_column) <= (line, column):
        end_line, end_column = line, max(line_span(text, line).end_column, column + 1)
    return Span(line, column, end_line, end_column)


def _related(failure: Failure, text: str, file: str, at: int) -> tuple[Place, ...]:
    places: list[Place] = list(failure.related)
    for frame in failure.frames:
        if not Path(frame.file).is_absolute():
            continue  # compiled extensions name sources that are not there
        if _same(frame.file, file) and (frame.line == at or not _is_call(frame, text)):
            continue
        places.append(Place(frame.file, frame.line, f"on the way here, in {frame.name}"))
    if failure.file is not None and failure.line is not None and Path(failure.file).is_absolute():
        known = [(file, at), *((place.file, place.line) for place in places)]
        if not any(_same(failure.file, other) and failure.line == line for other, line in known):
            places.append(Place(failure.file, failure.line, "the compiler names this line"))
    return tuple(dict.fromkeys(places))


def _is_call(frame: Frame, text: str) -> bool:
    """Whether the frame stands at a statement: building a kernel also leaves a frame at its decorator or ``def``."""
    return not line_text(text, frame.line).lstrip().startswith(("@", "def ", "async def "))


def _same(one: str, other: str) -> bool:
    return one == other or Path(one).resolve() == Path(other).resolve()
