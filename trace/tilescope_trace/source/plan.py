"""From a file's text and what the caller asks for to static facts and requests for the worker."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from tilescope_trace.captured import rows as captured_rows
from tilescope_trace.config.apply import NOTHING, for_kernel
from tilescope_trace.model import Choice, Finding, Json, Kernel, Options, Snapshot
from tilescope_worker.models import Model, model_of
from tilescope_worker.wire.messages import KernelRequest

from .arguments import Resolved, asked_values, chosen_values, resolve_arguments
from .calls import find_calls
from .compiles import Applied, applied
from .directives import DirectiveReader, Directives
from .discover import KernelSource, discover
from .evaluate import Evaluator
from .given import Row, configured, rows, unknown_names
from .interpret import Interpreter
from .names import Names, resolve
from .per_node import per_node
from .reads import Noted, Reads
from .scopes import body_scope, parameter_scope
from .select import check_parameters, select
from .signature import FunctionNode
from .sites import Calls, CallSite
from .static_facts import StaticFacts, placed, read_static
from .targets import DEFAULT, choose, from_source, normalise
from .tolerant import Parsed, parse, read
from .values import UNKNOWN, Value, is_plain
from .workspace import Workspace

_MOST_KEPT = 16
"""Facts that are kept of one kernel: a specialization each."""


@dataclass(frozen=True)
class FilePlan:
    """What a file says by itself. ``statics`` holds one kernel (stage ``static``) per kernel x specialization x
    target, ``requests`` the request for each, in the same order; ``findings`` those of no kernel (TS001, TS006), and
    so ``notes``."""

    statics: tuple[Kernel, ...]
    requests: tuple[KernelRequest, ...]
    findings: tuple[Finding, ...]
    text: str
    notes: tuple[str, ...] = ()

    @property
    def parsed(self) -> Parsed:
        """The file's syntax tree."""
        return parse(self.text)

    @property
    def read(self) -> Parsed:
        """The same without the work of placing what an edit has moved."""
        return read(self.text)


def plan_file(snapshot: Snapshot, options: Options, workspace: Workspace | None = None) -> FilePlan:
    """Plan the analysis of a file. A file without kernels gives an empty plan. With a ``workspace`` other files say
    what imported names mean, and call the kernels for which this one has no call that tells all.

    Raises UsageError for a kernel, parameter or target that does not exist, and for an ambiguous kernel.
    """
    for name in options.targets:
        normalise(name)
    asked = asked_values(options.arguments)
    parsed = read(snapshot.text)
    names = resolve(parsed)
    kernels = discover(parsed, names)
    reader = DirectiveReader(parsed, snapshot.path)
    directives = {kernel: reader.of(kernel) for kernel in kernels}
    findings = (*_syntax_findings(parsed, snapshot.path), *reader.findings)
    if not kernels:
        return FilePlan((), (), findings, snapshot.text)
    chosen = select(kernels, options.kernel)
    check_parameters(chosen, asked)
    qualnames = [kernel.qualname for kernel in kernels]
    if options.captured is None:
        captured = captured_rows.of_file(snapshot.path, qualnames)
    else:
        captured = captured_rows.select(options.captured, snapshot.path, qualnames)
    device = _device(kernels, options)
    calls = find_calls(parsed, names, kernels, snapshot.path, workspace, device)
    reads = Reads(calls.module, names, calls.module_member)
    file = _File(snapshot.path, parsed, names, kernels, calls, options, asked, captured, device, reads)
    planned = [pair for kernel in chosen for pair in file.plan(kernel, directives[kernel])]
    statics = tuple(static for static, _ in planned)
    return FilePlan(statics, tuple(request for _, request in planned), findings, snapshot.text, captured.notes)


def _device(kernels: Sequence[KernelSource], options: Options) -> Model | None:
    """The device that questions in the file are answered for: that of the first target, as the worker does."""
    if options.targets:
        return model_of(options.targets[0])
    dialect = kernels[0].dialect
    return model_of(options.device if options.device and dialect != "ascend" else DEFAULT[dialect])


@dataclass(frozen=True, eq=False)
class _File:
    """A file that has been read, and what is asked of it."""

    path: str
    parsed: Parsed
    names: Names
    kernels: tuple[KernelSource, ...]
    calls: Calls
    options: Options
    asked: Mapping[str, Value]
    captured: captured_rows.OfFile
    device: Model | None
    reads: Reads

    def plan(self, kernel: KernelSource, directives: Directives) -> Iterator[tuple[Kernel, KernelRequest]]:
        """One pair per specialization x target; none for a specialization whose arguments make the factory build
        another of its kernels."""
        evaluator = self._evaluator({})
        own = [parameter.name for parameter in kernel.parameters]
        choice = self.options.chosen.get(kernel.qualname, Choice())
        values = {**chosen_values(choice.arguments), **self.asked}
        asked = {name: value for name, value in values.items() if name in own}
        seen: set[tuple[str, str]] = set()
        exactly = self.options.captured is not None
        config = NOTHING if exactly else for_kernel(self.options.config, self.path, kernel.qualname)
        seen_rows, strange = captured_rows.rows(
            self.captured,
            kernel.qualname,
            own,
            self._local_name,
            every=self.options.all_captured or self.options.specialization is not None,
        )
        for row in seen_rows if exactly else rows(directives.specializations, configured(config, own), seen_rows):
            resolved = self._resolve(kernel, asked, row, evaluator, exactly=exactly)
            settings = Applied({}, ()) if exactly else self._settings(kernel, resolved)
            configs = {
                **row.seen_configs,
                **settings.configs,
                **config.pass_configs,
                **row.pass_configs,
                **self.options.pass_configs,
            }
            told = () if row.seen_configs else settings.notes
            notes = (*told, *unknown_names(config, kernel.qualname, own), *row.notes, *strange)
            static = self._static(kernel, resolved, configs, notes)
            if static is None:
                continue
            source = self._source_target(kernel, resolved, evaluator)
            for target in choose(
                (choice.target,) if choice.target is not None else self.options.targets,
                () if exactly else row.targets or directives.targets,
                None if exactly and row.seen_targets else source,
                kernel.dialect,
                every=self.options.every_target,
                config=config.targets,
                captured=row.seen_targets,
                device=self.options.device,
                from_editor=self.options.from_editor,
            ):
                made = static.specialization.id, target.name
                # Values that are asked for may make several specializations one.
                if made in seen or self.options.specialization not in (None, made[0]):
                    continue
                if self.options.first_specialization and any(one != made[0] for one, _ in seen):
                    continue
                seen.add(made)
                yield (
                    _as_before(kernel, replace(static, target=target.name, target_origin=target.origin)),
                    KernelRequest(
                        chain=tuple((name, self.parsed.line(line)) for name, line in kernel.chain),
                        target=target.name,
                        target_origin=target.origin,
                        arguments=resolved.request(),
                        pass_configs=configs,
                    ),
                )

    def _resolve(
        self, kernel: KernelSource, asked: Mapping[str, Value], row: Row, evaluator: Evaluator, *, exactly: bool
    ) -> Resolved:
        """The arguments of a row. What a run did not give had its default there, so other calls are asked only for
        what is still missing."""
        sites = () if exactly or row.seen else self._sites(kernel)
        while True:
            resolved = resolve_arguments(
                kernel,
                asked,
                row.arguments,
                sites,
                evaluator,
                self.calls.module,
                self.path,
                self.parsed.line,
                from_editor=self.options.from_editor,
            )
            others = () if sites or exactly or not resolved.missing else self._sites(kernel)
            if not others:
                return resolved
            sites = others

    def _local_name(self, module: str) -> str | None:
        return next((local for local, dotted in self.names.bound.items() if dotted == module), None)

    def _evaluator(self, consts: Mapping[str, Value]) -> Evaluator:
        member, device = self.reads.member, self.device
        helpers = Interpreter(self.names, module_member=member, device=device)
        return Evaluator(self.names, helpers, consts=consts, module_member=member, device=device)

    def _static(
        self, kernel: KernelSource, resolved: Resolved, configs: Mapping[str, Json], notes: Sequence[str]
    ) -> Kernel | None:
        facts = self._facts(kernel, resolved.values)
        if facts is None:
            return None
        facts = placed(facts, self.parsed)
        return Kernel(
            name=kernel.name,
            qualname=kernel.qualname,
            line=self.parsed.line(kernel.line),
            form=kernel.form,
            target="",
            target_origin="default",
            stage="static",
            status="unresolved" if resolved.missing else "partial",
            specialization=resolved.specialization(configs),
            launch=facts.launch,
            buffers=facts.buffers,
            operations=facts.operations,
            missing=resolved.missing,
            notes=(*resolved.notes, *notes),
        )

    def _facts(self, kernel: KernelSource, values: Mapping[str, Value]) -> StaticFacts | None:
        """What the source says of a kernel with these arguments; None where they lead to another of its factory's.
        Taken over from an earlier text as long as nothing has changed that it was read from."""
        kept, key = _facts_of(kernel.body), (self.names.meanings, self.device, repr(values))
        known = kept.get(key)
        if known is not None and self.reads.same(known[0]):
            return known[1]
        with self.reads.noting() as noted:
            facts = self._read(kernel, values)
        if not noted.vague and all(map(is_plain, values.values())):
            if len(kept) >= _MOST_KEPT:
                kept.clear()
            kept[key] = noted, facts
        return facts

    def _read(self, kernel: KernelSource, values: Mapping[str, Value]) -> StaticFacts | None:
        consts = {name: values[name] for name in kernel.consts if name in values}
        evaluator = self._evaluator(consts)
        scope = body_scope(kernel, values, evaluator, self.calls.module)
        if scope is None:
            if any(other is not kernel and other.functions[0] is kernel.functions[0] for other in self.kernels):
                return None
            # A factory that refuses these arguments: what is wrong with them is for the compiler to say.
            scope = parameter_scope(kernel, values, evaluator, self.calls.module)
        return read_static(kernel, scope, evaluator, self.parsed)

    def _settings(self, kernel: KernelSource, resolved: Resolved) -> Applied:
        """The pass configs of the kernel's compiles: of the call its arguments come from, else of another one."""
        found = [settings for function in kernel.functions for settings in self.calls.compiles.get(function, ())]
        found += resolved.site.compiles if resolved.site is not None else ()
        elsewhere = [settings.line for site in self._sites(kernel) for settings in site.compiles]
        return applied(kernel, found, (*self.calls.astray, *elsewhere), self.parsed)

    def _sites(self, kernel: KernelSource) -> Sequence[CallSite]:
        """Calls of the innermost function that has to be called, or of the outermost one that is."""
        for function in reversed(kernel.callables):
            if sites := self.calls.sites.get(function, ()):
                return sites
        return ()

    def _source_target(self, kernel: KernelSource, resolved: Resolved, evaluator: Evaluator) -> str | None:
        """The target that the decorator names, else a compile of the kernel, else that of the call with its
        arguments."""
        named: list[Value] = []
        if kernel.jit is not None:
            named.append(evaluator.arguments(kernel.jit, self.calls.module).kwargs.get("target", UNKNOWN))
        named += [
            self.calls.targets[function] for function in reversed(kernel.functions) if function in self.calls.targets
        ]
        if resolved.site is not None:
            named.append(resolved.site.target)
        return next((found for value in named if (found := from_source(value)) is not None), None)


@per_node
def _facts_of(_body: FunctionNode) -> dict[tuple[object, ...], tuple[Noted, StaticFacts | None]]:
    """Facts of a kernel by what the file's names mean, the device and the arguments, each with what was read of the
    module."""
    return {}


def _as_before(source: KernelSource, kernel: Kernel) -> Kernel:
    """The kernel as it was given out before, where it is the same: what others have made of it holds as well."""
    kept, key = _given_of(source.body), (kernel.specialization.id, kernel.target)
    if kept.get(key) != kernel:
        if len(kept) >= _MOST_KEPT:
            kept.clear()
        kept[key] = kernel
    return kept[key]


@per_node
def _given_of(_body: FunctionNode) -> dict[tuple[str, str], Kernel]:
    """What was given out of a kernel last, by specialization and target."""
    return {}


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
