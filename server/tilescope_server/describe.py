"""Full facts in words, as markdown: hovers and tooltips."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

from tilescope_trace.model import Argument, Buffer, Json, Kernel, Launch, Layout, Operation

from . import labels
from .settings import Hints
from .sites import Site, Variant

STAGE_WORDS = {
    "static": "read from the source, not compiled",
    "buffers": "elaborated, not lowered",
    "layouts": "layouts inferred",
    "lowered": "lowered",
    "registers": "lowered, device-compiled",
}

WIDE = Hints(max_length=200)
"""Nothing is shortened in a hover."""
OPERANDS = ("A", "B", "C", "src", "dst")
"""Roles in an operation's detail, in the order of telling."""


def site_markdown(site: Site, more: Callable[[Variant], str] | None = None) -> str:
    """Everything known at a site, one section per kernel x specialization x target that says something else; behind
    the facts stands what ``more`` says of them."""
    sections: dict[str, list[Variant]] = {}
    for variant in site.variants:
        facts, rest = _entry(variant), more(variant) if more is not None else ""
        # A list goes on where the facts end with one.
        between = "\n" if rest.startswith("- ") and facts.rpartition("\n")[2].startswith("- ") else "\n\n"
        sections.setdefault(f"{facts}{between}{rest}" if rest else facts, []).append(variant)
    return "\n\n---\n\n".join(
        "\n\n".join([facts, *(provenance(variant) for variant in variants)]) for facts, variants in sections.items()
    )


def provenance(variant: Variant) -> str:
    """Which kernel, specialization and target the facts hold for, at which stage, with all reservations."""
    kernel = variant.kernel
    lines = [
        f"kernel {code(kernel.qualname)} · target {code(kernel.target)} ({kernel.target_origin})"
        f" · {STAGE_WORDS[kernel.stage]}"
    ]
    lines.extend(_specialization(kernel))
    if variant.stale:
        version = "" if variant.version is None else f" (version {variant.version})"
        lines.append(f"**stale**: from an earlier text{version}; the present one is not compiled yet")
    if kernel.specialization.origin == "assumed":
        lines.append(
            "**assumed**: nothing says which arguments are used; a directive `# tilescope: NAME=VALUE` would"
        )
    if kernel.status == "partial":
        lines.append("**partial**: some facts are missing")
    if kernel.status == "failed":
        lines.append("**failed**: the kernel does not compile; facts are from before the failure")
    if kernel.missing:
        names = ", ".join(code(name) for name in kernel.missing)
        example = " ".join(f"{name}=..." for name in kernel.missing)
        lines.append(f"**unresolved**: no value for {names}; add {code(f'# tilescope: {example}')} above the kernel")
    lines.extend(kernel.notes)
    return "  \n".join(lines)


def code(text: object) -> str:
    """A markdown code span that holds any text."""
    content = " ".join(str(text).split())
    fence = "``" if "`" in content else "`"
    padding = " " if fence == "``" else ""
    return f"{fence}{padding}{content}{padding}{fence}"


def _entry(variant: Variant) -> str:
    entry = variant.entry
    if isinstance(entry, Buffer):
        return _buffer(entry)
    if isinstance(entry, Launch):
        return _bulleted("**launch**", [*_launch(entry), *_resources(replace(variant.kernel, launch=entry))])
    if isinstance(entry, Operation):
        return _operation(entry)
    return _kernel(entry)


def _buffer(buffer: Buffer) -> str:
    shape = ", ".join(str(item) for item in buffer.shape)
    declared = f"[{shape}] {buffer.dtype or '?'}"
    facts = [f"**{code(buffer.name)}** {code(declared)} · {code(buffer.scope)}"]
    if buffer.stages > 1:
        facts.append(f"{buffer.stages} stages")
    if buffer.bytes is not None:
        facts.append(f"{buffer.bytes:,} bytes ({labels.size(buffer.bytes)})")
    return _bulleted(" · ".join(facts), _layout(buffer.layout) if buffer.layout is not None else ())


def _layout(layout: Layout) -> Iterable[str]:
    yield f"layout: {layout.kind}, {code(layout.summary)}" if layout.summary else f"layout: {layout.kind}"
    if layout.swizzle is not None:
        yield "swizzle: none" if layout.swizzle == "none" else f"swizzle: {layout.swizzle}"
    if layout.registers_per_thread is not None:
        yield f"{layout.registers_per_thread} 32-bit registers per thread"
    if layout.threads is not None:
        yield f"held by {layout.threads} threads"
    if layout.replicate is not None and layout.replicate > 1:
        yield f"each element is held {layout.replicate} times"
    if layout.decided_by is not None:
        yield f"because {layout.decided_by.reason} ({code(layout.decided_by.pass_name)})"


def _launch(launch: Launch) -> Iterable[str]:
    if launch.grid:
        yield f"grid: {' × '.join(str(item) for item in launch.grid)} blocks"
    if launch.threads is not None:
        yield f"threads per block as written: {launch.threads}"
    if launch.threads_lowered is not None:
        yield f"threads per block as lowered: {launch.threads_lowered}"
    for words, count in (("dynamic", launch.shared_dynamic_bytes), ("static", launch.shared_static_bytes)):
        if count is not None:
            yield f"{words} shared memory: {count:,} bytes ({labels.size(count)})"


def _resources(kernel: Kernel) -> Iterable[str]:
    from tilescope_passdiff.wording.resources import resource_heads  # slow to import: not at every start

    return (f"{name}: {text}" for name, text in resource_heads(kernel))


def _operation(operation: Operation) -> str:
    """The kind and what it became, then what it works on, what that lies in, and what else is known, a line each."""
    head = f"**{operation.kind}**"
    if operation.lowered_to:
        head += " → " + ", ".join(code(name) for name in operation.lowered_to)
    rest = dict(operation.detail)
    lines = [_term(rest), _operands(rest)]
    lines.append(" · ".join(f"{key.replace('_', ' ')}: {_value(value)}" for key, value in rest.items()))
    if operation.called_from:
        lines.append("called from line " + ", ".join(str(line) for line in operation.called_from))
    return _bulleted(head, filter(None, lines))


def _term(rest: dict[str, Json]) -> str:
    """What goes where, and its extents, with the operands' names still in ``rest``; their extents are taken out."""
    if {"A", "B", "C"} <= rest.keys():
        sides = (code(rest[name]) + ("ᵀ" if rest.pop(f"transpose_{name}", False) is True else "") for name in "AB")
        term = f"{code(rest['C'])} += {' × '.join(sides)}"
    elif {"src", "dst"} <= rest.keys():
        term = f"{code(rest['src'])} → {code(rest['dst'])}"
    else:
        return ""
    extents = [rest.pop(name) for name in "MNK"] if {"M", "N", "K"} <= rest.keys() else rest.pop("tile", [])
    return f"{term}, {' × '.join(map(str, extents))}" if isinstance(extents, (list, tuple)) and extents else term


def _operands(rest: dict[str, Json]) -> str:
    """Where operands lie and their types, taken out of ``rest``."""
    found = []
    for role in OPERANDS:
        name, known = rest.pop(role, None), [rest.pop(f"{role}_{what}", None) for what in ("scope", "dtype")]
        if name is not None:
            found.append(" ".join(code(item) for item in (name, *known) if item is not None))
    return " · ".join(found)


def _kernel(kernel: Kernel) -> str:
    facts = [*_launch(kernel.launch), *_resources(kernel)] if kernel.launch is not None else []
    facts += [
        f"{code(buffer.name)}{labels.buffer_label(buffer, hints=WIDE) or ''}"
        for buffer in kernel.buffers
        if buffer.scope != "global"
    ]
    return _bulleted(f"**kernel {code(kernel.qualname)}** ({kernel.form.replace('_', ' ')})", facts)


def _specialization(kernel: Kernel) -> Iterable[str]:
    specialization = kernel.specialization
    if specialization.args:
        args = ", ".join(_argument(name, value) for name, value in specialization.args.items())
        yield f"specialization {code(specialization.id)}: {args}"
    if specialization.pass_configs:
        configs = ", ".join(code(f"{key}={value}") for key, value in specialization.pass_configs.items())
        yield f"pass configs: {configs}"
    if specialization.compile_flags:
        yield f"compile flags: {code(' '.join(specialization.compile_flags))}"


def _argument(name: str, argument: Argument) -> str:
    where = f" line {argument.line}" if argument.line is not None else ""
    return f"{code(f'{name}={argument.value}')} ({argument.origin}{where})"


def _value(value: Json) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if (
        isinstance(value, (list, tuple))
        and value
        and not any(isinstance(item, (list, tuple, dict)) for item in value)
    ):
        return code(", ".join(str(item) for item in value))
    return code(value)


def _bulleted(head: str, facts: Iterable[str]) -> str:
    return "\n".join([head, "", *(f"- {fact}" for fact in facts)]).rstrip()
