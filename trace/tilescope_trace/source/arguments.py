"""The arguments of a kernel: each with where it comes from, strongest first.

``command-line`` or ``editor`` > ``directive`` > ``config`` > ``captured`` > ``call`` > ``autotune`` > ``default``.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import get_args

from tilescope_trace.errors import UsageError
from tilescope_trace.model import Argument, ArgumentOrigin, Json, Specialization
from tilescope_worker.wire.messages import ArgumentText

from .discover import KernelSource
from .evaluate import Evaluator
from .given import Given
from .literals import as_json, literal_text, parse_literal
from .signature import Parameter
from .sites import CallSite
from .values import UNKNOWN, Env, Value, is_plain

CONFIGS_UNKNOWN = "the autotune configs are known at run time only: defaults stand for them"
"""A note that holds until the file has been executed."""
_ORIGINS: tuple[str, ...] = get_args(ArgumentOrigin)


@dataclass(frozen=True)
class Chosen:
    """A value with its origin; ``text`` is how the source or the caller writes it."""

    value: Value
    text: str
    origin: ArgumentOrigin
    file: str | None = None
    line: int | None = None


@dataclass(frozen=True)
class Resolved:
    """The arguments of one specialization, in the order of the parameters. ``site`` is the call they come from."""

    chosen: dict[str, Chosen]
    missing: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    site: CallSite | None = None

    @property
    def values(self) -> dict[str, Value]:
        return {name: choice.value for name, choice in self.chosen.items()}

    def request(self) -> dict[str, ArgumentText]:
        """What to send to the worker: everything but defaults, which it reads from the function itself."""
        return {
            name: ArgumentText(choice.text, choice.origin, choice.file, choice.line)
            for name, choice in self.chosen.items()
            if choice.origin != "default"
        }

    def specialization(self, pass_configs: Mapping[str, Json]) -> Specialization:
        """The same as facts; a default that is not a plain value appears as its text."""
        args = {
            name: Argument(
                as_json(choice.value) if is_plain(choice.value) else choice.text,
                choice.origin,
                choice.file,
                choice.line,
            )
            for name, choice in self.chosen.items()
        }
        configs = {key: pass_configs[key] for key in sorted(pass_configs)}
        content = json.dumps([{name: args[name].value for name in sorted(args)}, configs, []], sort_keys=True)
        return Specialization(
            id=hashlib.sha256(content.encode()).hexdigest()[:12],
            origin=max((argument.origin for argument in args.values()), key=_ORIGINS.index, default=None),
            args=args,
            pass_configs=configs,
        )


def asked_values(asked: Mapping[str, str]) -> dict[str, Value]:
    """The values of texts given for parameters. Raises UsageError for one that is no Python literal and no dtype
    name."""
    values = {name: parse_literal(text) for name, text in asked.items()}
    for name, value in values.items():
        if value is UNKNOWN or literal_text(value) is None:
            raise UsageError(f"{name}={asked[name]}: neither a Python literal nor a dtype name")
    return values


def chosen_values(chosen: Mapping[str, str]) -> dict[str, Value]:
    """The values of texts that were checked when they were chosen."""
    return {name: parse_literal(text) for name, text in chosen.items()}


def resolve_arguments(
    kernel: KernelSource,
    asked: Mapping[str, Value],
    written: Mapping[str, Given],
    sites: Sequence[CallSite],
    evaluator: Evaluator,
    module: Env,
    path: str,
    line_of: Callable[[int], int],
    *,
    from_editor: bool = False,
) -> Resolved:
    """Pick a value for each parameter of a kernel. ``asked`` names that the kernel does not have are left alone;
    ``line_of`` tells where a line of the kernel's tree is in the text."""
    surely = asked.keys() | written.keys()
    site = best_site(kernel, sites, surely)
    called = site.values if site is not None else {}
    tuned = _first_config(kernel, evaluator, module)
    line_of_configs = line_of(kernel.autotune.lineno) if kernel.autotune is not None else None
    chosen: dict[str, Chosen] = {}
    missing: list[str] = []
    notes: list[str] = []
    for parameter in kernel.parameters:
        name = parameter.name
        value = called.get(name, UNKNOWN)
        if name in asked:
            chosen[name] = Chosen(asked[name], repr(asked[name]), "editor" if from_editor else "command-line")
        elif name in written:
            given = written[name]
            chosen[name] = Chosen(
                given.value, given.text or repr(given.value), given.origin, given.file or path, given.line
            )
        elif site is not None and (text := literal_text(value)) is not None:
            chosen[name] = Chosen(value, text, "call", site.file or path, site.line)
        elif tuned and (text := literal_text(tuned.get(name, UNKNOWN))) is not None:
            chosen[name] = Chosen(tuned[name], text, "autotune", path, line_of_configs)
        elif parameter.required:
            missing.append(name)
        else:
            chosen[name] = _default(parameter, evaluator, module, path, line_of)
            if site is not None and name in site.given:
                notes.append(f"{name} at the call in line {site.line} is not known: its default is used")
    if site is not None and any(choice.origin == "call" for choice in chosen.values()):
        notes[:0] = _which(sites)
    if tuned is None and any(choice.origin == "default" for choice in chosen.values()):
        notes.append(CONFIGS_UNKNOWN)
    return Resolved(chosen, tuple(missing), tuple(notes), site)


def _which(sites: Sequence[CallSite]) -> list[str]:
    """What is to be said about a call that is one of several."""
    calls = sum(each.cases for each in sites)
    if len(sites) > 1:
        return [f"first of {len(sites)} call sites" + (f", {calls} calls" if calls > len(sites) else "")]
    return [f"first of {calls} calls at this site"] if calls > 1 else []


def best_site(kernel: KernelSource, sites: Sequence[CallSite], surely: set[str]) -> CallSite | None:
    """The first call that leaves nothing open besides ``surely``; else the first of those that tell most."""
    best: CallSite | None = None
    most = 0
    for site in sites:
        values = site.values
        known = {p.name for p in kernel.parameters if literal_text(values.get(p.name, UNKNOWN)) is not None} | surely
        complete = all(p.name in known or (p.name not in values and not p.required) for p in kernel.parameters)
        if complete and not site.opaque:
            return site
        if len(known - surely) > most:
            best, most = site, len(known - surely)
    return best


def _first_config(kernel: KernelSource, evaluator: Evaluator, module: Env) -> dict[str, Value] | None:
    """The first autotune config, None where there are some but which is only known at run time."""
    if kernel.autotune is None:
        return {} if kernel.form != "autotune" else None
    given = evaluator.arguments(kernel.autotune, module)
    configs = given.kwargs.get("configs", given.args[0] if given.args else UNKNOWN)
    first = configs[0] if isinstance(configs, (list, tuple)) and configs else None
    return first if isinstance(first, dict) else None


def _default(
    parameter: Parameter, evaluator: Evaluator, module: Env, path: str, line_of: Callable[[int], int]
) -> Chosen:
    node = parameter.default_node
    value = evaluator.value(node, module)
    line = line_of(node.lineno) if node is not None else None
    return Chosen(value, parameter.default or "", "default", path, line)
