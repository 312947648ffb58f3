"""From a file's text and what the caller asks for to static facts and requests for the worker."""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tilescope_worker.wire.messages import KernelRequest

from tilescope_trace.errors import UsageError
from tilescope_trace.model import Finding, Kernel, Options, Snapshot

from .arguments import Resolved, asked_values, resolve_arguments
from .calls import Calls, CallSite, find_calls
from .directives import DirectiveReader
from .discover import KernelSource, discover
from .evaluate import Evaluator
from .names import Names, resolve
from .scopes import body_scope, parameter_scope
from .static_facts import read_static
from .targets import Target, choose, from_source, normalise
from .tolerant import Parsed, parse
from .values import UNKNOWN, Value


@dataclass(frozen=True)
class FilePlan:
    """What a file says by itself. ``statics`` holds one kernel (stage ``static``) per kernel x specialization x
    target, ``requests`` the request for each, in the same order; ``findings`` those of no kernel (TS001, TS006)."""

    statics: tuple[Kernel, ...]
    requests: tuple[KernelRequest, ...]
    findings: tuple[Finding, ...]
    parsed: Parsed


def plan_file(snapshot: Snapshot, options: Options) -> FilePlan:
    """Plan the analysis of a file. A file without kernels gives an empty plan.

    Raises UsageError for a kernel, parameter or target that does not exist, and for an ambiguous kernel.
    """
    for name in options.targets:
        normalise(name)
    asked = asked_values(options.arguments)
    parsed = parse(snapshot.text)
    names = resolve(parsed)
    kernels = discover(parsed, names)
    directives = DirectiveReader(parsed, snapshot.path)
    above = {kernel: directives.of(kernel) for kernel in kernels}
    findings = (*_syntax_findings(parsed, snapshot.path), *directives.findings)
    if not kernels:
        return FilePlan((), (), findings, parsed)
    chosen = select(kernels, options.kernel)
    _check_parameters(chosen, asked)
    calls = find_calls(parsed, names, kernels)
    statics: list[Kernel] = []
    requests: list[KernelRequest] = []
    for kernel in chosen:
        given = above[kernel]
        for directive in given.specializations or ({},):
            resolved = resolve_arguments(
                kernel,
                {name: value for name, value in asked.items() if any(p.name == name for p in kernel.parameters)},
                directive,
                _sites(kernel, calls),
                Evaluator(names),
                calls.module,
                snapshot.path,
                from_editor=options.from_editor,
            )
            source = _source_target(kernel, resolved, names, calls)
            targets = choose(options.targets, given.targets, source, kernel.dialect, from_editor=options.from_editor)
            alone = not any(other is not kernel and other.functions[0] is kernel.functions[0] for other in kernels)
            for target, static in _statics(kernel, resolved, targets, options, names, calls, parsed, alone=alone):
                statics.append(static)
                requests.append(
                    KernelRequest(
                        kernel.chain, target.name, target.origin, resolved.request(), dict(options.pass_configs)
                    )
                )
    return FilePlan(tuple(statics), tuple(requests), findings, parsed)


def select(kernels: Sequence[KernelSource], wanted: str | None) -> tuple[KernelSource, ...]:
    """The kernels a name means: any unambiguous suffix of a qualified name, or of its factory's (``matmul``,
    ``main`` and ``matmul.main``). All of them without a name. Raises UsageError."""
    if wanted is None:
        return tuple(kernels)
    exact = [kernel for kernel in kernels if kernel.qualname == wanted]
    found = exact or [kernel for kernel in kernels if _means(kernel, wanted.split("."))]
    qualnames = list(dict.fromkeys(kernel.qualname for kernel in found))
    if len(qualnames) == 1:
        return tuple(found)
    if qualnames:
        raise UsageError(f"kernel {wanted!r} is ambiguous: {', '.join(qualnames)}")
    known = list(dict.fromkeys(kernel.qualname for kernel in kernels))
    close = difflib.get_close_matches(wanted, known, n=1)
    advice = f"did you mean {close[0]}? " if close else ""
    raise UsageError(f"no kernel {wanted!r}; {advice}kernels here: {', '.join(known)}")


def _means(kernel: KernelSource, parts: list[str]) -> bool:
    """Whether ``parts`` end the name of the kernel, or that of a definition around it."""
    chain = [name for name, _ in kernel.chain]
    ends = range(len(parts), len(chain) + 1)
    return any(chain[end - len(parts) : end] == parts for end in ends)


def _check_parameters(kernels: Sequence[KernelSource], asked: dict[str, Value]) -> None:
    for name in asked:
        if not any(parameter.name == name for kernel in kernels for parameter in kernel.parameters):
            known = "; ".join(
                f"{kernel.qualname}: {', '.join(parameter.name for parameter in kernel.parameters) or 'none'}"
                for kernel in kernels
            )
            raise UsageError(f"no kernel has a parameter {name!r}; parameters of {known}")


def _sites(kernel: KernelSource, calls: Calls) -> tuple[CallSite, ...]:
    """Calls of the innermost function that has to be called, or of the outermost one that is."""
    for function in reversed(kernel.callables):
        if sites := calls.sites.get(function, ()):
            return sites
    return ()


def _source_target(kernel: KernelSource, resolved: Resolved, names: Names, calls: Calls) -> str | None:
    """The target named by the decorator, else by the compile of the call that gives the arguments."""
    value: Value = UNKNOWN
    if kernel.jit is not None:
        value = Evaluator(names).arguments(kernel.jit, calls.module).kwargs.get("target", UNKNOWN)
    found = from_source(value)
    if found is None and resolved.site is not None:
        found = from_source(resolved.site.target)
    return found


def _statics(
    kernel: KernelSource,
    resolved: Resolved,
    targets: Sequence[Target],
    options: Options,
    names: Names,
    calls: Calls,
    parsed: Parsed,
    *,
    alone: bool,
) -> Iterator[tuple[Target, Kernel]]:
    """One kernel a target; none where these arguments make the factory build another of its kernels. One that is
    ``alone`` is kept: what keeps its factory from building it is for the compiler to say."""
    values = resolved.values
    evaluator = Evaluator(names, consts={name: values[name] for name in kernel.consts if name in values})
    scope = body_scope(kernel, values, evaluator, calls.module)
    if scope is None and not alone:
        return
    if scope is None:
        scope = parameter_scope(kernel, values, evaluator, calls.module)
    facts = read_static(kernel, scope, evaluator, parsed)
    for target in targets:
        yield (
            target,
            Kernel(
                name=kernel.name,
                qualname=kernel.qualname,
                line=kernel.line,
                form=kernel.form,
                target=target.name,
                target_origin=target.origin,
                stage="static",
                status="unresolved" if resolved.missing else "partial",
                specialization=resolved.specialization(options.pass_configs),
                launch=facts.launch,
                buffers=facts.buffers,
                operations=facts.operations,
                missing=resolved.missing,
                notes=resolved.notes,
            ),
        )


def _syntax_findings(parsed: Parsed, path: str) -> tuple[Finding, ...]:
    return tuple(
        Finding(
            code="TS001",
            severity="error",
            file=path,
            line=problem.line,
            column=problem.column,
            end_line=problem.end_line,
            end_column=problem.end_column,
            message=problem.message,
        )
        for problem in parsed.problems
    )
