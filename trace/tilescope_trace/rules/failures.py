"""From what stopped the compiler to a finding in the terms of the kernel."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

from tilescope_worker.wire.facts import Confidence, Finding, Kernel, Place
from tilescope_worker.wire.messages import Failure, Frame

from .analysis import module_failed, syntax_error, unresolved_arguments
from .case import Case, Wording, shape
from .compile import codegen_failed, compiler_warning, elaboration_failed, left_of_kernel, lowering_failed
from .kinds import recognised
from .macros import call_sites
from .place import Span, first_line_span, line_span, line_text, name_span, statement_span
from .portability import removed_api
from .rule import Rule

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

    The place is, in this order: where the worker has found the statement, where the compiler or Python says, the
    deepest traceback frame in the file, the kernel's ``def`` (confidence ``likely``). The compiler's own text stays
    whole in ``compiler``.
    """
    if failure.missing and kernel is not None:
        found = unresolved_arguments.finding(replace(kernel, missing=failure.missing), text, file)
        # More than that they are missing: how the values failed that were tried.
        return replace(found, compiler=failure.text, related=failure.related) if "tried" in failure.text else found
    line, confidence = _line_of(failure, kernel, file)
    case = Case(failure, line if confidence == "exact" else None, text, kernel)
    rule, wording = _rule(case)
    if wording.line is not None:
        line, confidence = wording.line, "exact"
    elif wording.whole_kernel:
        confidence = "exact"
    span = _span(case, kernel, file, line, wording)
    tried = failure.tried
    return Finding(
        code=rule.code,
        severity=failure.severity if rule.severity == "error" else rule.severity,
        file=file,
        line=span.line,
        column=span.column,
        end_line=span.end_line,
        end_column=span.end_column,
        message=wording.message + (f"; it fails with all values tried, e.g. {tried} (assumed)" if tried else ""),
        related=_related(case, wording, file, span),
        kernel=kernel.qualname if kernel else None,
        specialization=kernel.specialization.id if kernel else None,
        target=kernel.target if kernel else None,
        pass_name=failure.pass_name,
        confidence=confidence,
        fixes=wording.fixes,
        help=wording.help,
        compiler=failure.text or failure.message or None,
    )


def _rule(case: Case) -> tuple[Rule, Wording]:
    """The rule for a kind of fault where it is a known one; else that of the phase, with the compiler's words."""
    failure = case.failure
    if failure.phase == "syntax":
        return syntax_error.RULE, Wording(failure.message or "invalid syntax")
    found = recognised(case) if failure.phase != "module" else _gone(case)
    if found is not None:
        return found
    told = _first_line(failure.message) or _first_line(failure.text) or failure.exception
    told = told or "the compiler gave no message"
    if failure.phase == "codegen":
        told = codegen_failed.told(told, case.kernel.target if case.kernel else None)
    if failure.severity == "warning":
        return compiler_warning.RULE, Wording(told)
    says_little = failure.phase == "module" or not re.search(r"\w\W*\s\W*\w", told)
    if says_little and failure.exception and not re.search(rf"\b{re.escape(failure.exception)}\b", told):
        told = f"{failure.exception}: {told}"
    return BY_PHASE[failure.phase], Wording(told)


def _gone(case: Case) -> tuple[Rule, Wording] | None:
    """Of what stops a module, what TileLang has no more, and what it cuts off macros and kernels that are built at
    once, is told in words of our own."""
    for module in (removed_api, left_of_kernel):
        wording = module.explain(case)
        if wording is not None:
            return module.RULE, wording
    return None


def _first_line(message: str) -> str:
    for line in message.splitlines():
        line = re.sub(r"^(\w+Error|Check failed|Fatal|Warning):\s*", "", line.strip())
        line = re.sub(r"^\[[^\]]*Semantic Check\]\s*", "", line)
        # Addresses would give every run another message.
        line = re.sub(r"\s*\(0x[0-9a-f]+ vs\. 0x[0-9a-f]+\)", "", line)
        if line and not line.startswith(("Traceback", "File ", "Stack trace")):
            return line
    return ""


def _line_of(failure: Failure, kernel: Kernel | None, file: str) -> tuple[int | None, Confidence]:
    if failure.line is not None and (failure.file is None or _same(failure.file, file)):
        return failure.line, "exact" if failure.sure else "likely"
    for frame in reversed(failure.frames):
        if _same(frame.file, file):
            return frame.line, "exact"
    return (kernel.line if kernel else None), "likely"


def _span(case: Case, kernel: Kernel | None, file: str, line: int | None, wording: Wording) -> Span:
    failure, text = case.failure, case.text
    if line is None:
        return first_line_span(text)
    if failure.phase == "syntax" and failure.column:
        return _parser_span(failure, failure.column, text, line)
    if wording.name and wording.name in line_text(text, line):
        return name_span(text, line, wording.name)
    if failure.column and failure.end_column and failure.line == line and _same(failure.file or file, file):
        return Span(line, failure.column, failure.end_line or line, failure.end_column)
    if kernel is not None and line == kernel.line:
        return name_span(text, line, kernel.name)
    return statement_span(case.tree, text, line, failure.operation)


def _parser_span(failure: Failure, column: int, text: str, line: int) -> Span:
    end_line, end_column = failure.end_line or line, failure.end_column or 0
    if (end_line, end_column) <= (line, column):
        end_line, end_column = line, max(line_span(text, line).end_column, column + 1)
    return Span(line, column, end_line, end_column)


def _related(case: Case, wording: Wording, file: str, span: Span) -> tuple[Place, ...]:
    """Claims, the way to a macro's line, the buffers with their allocations, and what the compiler names itself."""
    failure, text, kernel = case.failure, case.text, case.kernel
    places: list[Place] = list(failure.related)
    for frame in failure.frames:
        if not Path(frame.file).is_absolute():
            continue  # compiled extensions name sources that are not there
        if _same(frame.file, file) and (frame.line == span.line or not _is_call(frame, text)):
            continue
        places.append(Place(frame.file, frame.line, f"on the way here, in {frame.name}"))
    if kernel is not None and not failure.frames and case.tree is not None:
        sites = call_sites(case.tree, span.line, kernel.line)
        places += [Place(file, line, f"{name} is called here") for name, line in sites]
    if not failure.related:
        places += _declarations(case, wording, file)
    if wording.launch and kernel is not None and kernel.launch is not None and kernel.launch.line is not None:
        places.append(Place(file, kernel.launch.line, f"launched with threads={kernel.launch.threads}"))
    places = [place for place in places if (place.file, place.line) != (file, span.line)]
    named = failure.file if failure.sure else None
    if named is not None and failure.line is not None and Path(named).is_absolute():
        known = [(file, span.line), *((place.file, place.line) for place in places)]
        if not any(_same(named, other) and failure.line == line for other, line in known):
            places.append(Place(named, failure.line, "the compiler names this line"))
    return tuple(dict.fromkeys(places))


def _declarations(case: Case, wording: Wording, file: str) -> list[Place]:
    """Where the buffers that the failure is about are allocated."""
    known = [
        Place(one.file, one.line, f"{one.name} is {shape(one.shape)} {one.dtype}, {one.scope}")
        for one in case.failure.operands
        if one.file is not None and one.line is not None
    ]
    if known or case.kernel is None:
        return known
    return [
        Place(file, buffer.line, f"{buffer.name} is {shape(buffer.shape)} {buffer.dtype}, {buffer.scope}")
        for buffer in case.kernel.buffers
        if buffer.name == wording.name and buffer.line is not None
    ]


def _is_call(frame: Frame, text: str) -> bool:
    """Whether the frame stands at a statement: building a kernel also leaves a frame at its decorator or ``def``."""
    return not line_text(text, frame.line).lstrip().startswith(("@", "def ", "async def "))


def _same(one: str, other: str) -> bool:
    return one == other or Path(one).resolve() == Path(other).resolve()
