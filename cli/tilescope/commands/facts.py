"""`tilescope facts`: everything known about the kernels of files."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path

import click

from tilescope.options import (
    alternatives,
    device_compile_option,
    format_option,
    kernel_options,
    options_of,
    python_option,
)
from tilescope.output import echo, echo_json, note
from tilescope.progress import working
from tilescope.session import Session
from tilescope.text.differences import comparison_blocks
from tilescope.text.facts import file_blocks
from tilescope.text.outcome import not_compiled, without_tilelang
from tilescope.text.paths import shown
from tilescope_server.facts_in_cells import facts_in_cells
from tilescope_trace.differences import comparisons
from tilescope_trace.errors import UsageError
from tilescope_trace.files import read_snapshot
from tilescope_trace.model import FileFacts, Options, Snapshot
from tilescope_trace.model.public import document, facts_document, to_public
from tilescope_trace.notebook_files import with_cells

EPILOG = """\b
Examples:
  tilescope facts kernel.py
  tilescope facts kernel.py --kernel matmul --set M=4096 --set dtype=bfloat16
  tilescope facts kernel.py --target cuda:sm_80 --target cuda:sm_90a
  tilescope facts kernel.py --compare --set block_K=32 --set block_K=64
  tilescope facts kernel.py --target cuda:sm_90a --device-compile
  tilescope facts kernels/*.py --format json
  tilescope facts stranger.py --static
"""


@click.command(epilog=EPILOG)
@click.argument("files", metavar="FILE...", nargs=-1, required=True, type=click.Path(path_type=Path))
@kernel_options(many_targets=True)
@click.option("--compare", is_flag=True, help="Show only what differs between targets and specializations.")
@click.option("--static", is_flag=True, help="Execute nothing: only what the text says.")
@device_compile_option
@python_option
@format_option
def command(
    files: tuple[Path, ...],
    kernel: str | None,
    targets: tuple[str, ...],
    settings: tuple[str, ...],
    pass_configs: tuple[str, ...],
    compare: bool,
    static: bool,
    device_compile: bool,
    python: str | None,
    output_format: str,
) -> int:
    """Show what the TileLang compiler makes of the kernels of files.

    Buffers with shape, dtype, scope, size and inferred layout; launch geometry; what each copy and gemm was lowered
    to. Files are executed, in a process of their own, unless --static is given.
    """
    choices = [
        replace(
            options_of(kernel, targets, chosen, pass_configs, static=static),
            all_captured=not chosen,
            device_compile=device_compile,
        )
        for chosen in alternatives(settings)
    ]
    snapshots = [read_snapshot(path) for path in files]
    return asyncio.run(_run(snapshots, choices, python, output_format, compare=compare))


async def _run(
    snapshots: list[Snapshot], choices: list[Options], python: str | None, output_format: str, *, compare: bool
) -> int:
    done: list[FileFacts] = []
    unusable = False
    static = choices[0].static
    async with Session(python, snapshots[0].path, static=static, device=True) as session:
        for snapshot in snapshots:
            try:
                with working(f"compiling {shown(snapshot.path)}"):
                    facts = joined([await session.facts(snapshot, options) for options in choices])
                _refuse_without_kernels(facts)
            except UsageError as error:
                if len(snapshots) == 1:
                    raise
                note(str(error))
                unusable = True
                continue
            for part in facts_in_cells(facts, snapshot.cells) if snapshot.cells is not None else [facts]:
                if output_format == "text" and not compare:
                    echo(*([""] if done else []), *file_blocks(part))
                done.append(part)
    if compare:
        return _compare(done, output_format) or 2 * unusable
    if output_format == "json":
        echo_json(facts_document(done))
    if not static and (left := not_compiled(done)) is not None:
        note(left)
    return 2 if unusable else int(any(has_errors(facts) for facts in done))


def joined(parts: list[FileFacts]) -> FileFacts:
    """The facts of one file for several choices of arguments, each kernel x specialization x target once."""
    kernels = {(k.qualname, k.specialization.id, k.target): k for facts in parts for k in facts.kernels}
    return replace(parts[0], kernels=tuple(kernels.values()))


def _compare(files: list[FileFacts], output_format: str) -> int:
    """Print what differs; 1 when something does. Raises UsageError where there is nothing to compare."""
    found = [comparison for facts in files for comparison in comparisons(facts.file, facts.kernels)]
    if not found:
        raise UsageError("there is nothing to compare: give --target or --set more than once, with different values")
    if output_format == "json":
        echo_json(document("differences", {"comparisons": with_cells(to_public(found))}))
    else:
        for number, comparison in enumerate(found):
            echo(*([""] if number else []), *comparison_blocks(comparison))
    return int(any(comparison.differences for comparison in found))


def has_errors(facts: FileFacts) -> bool:
    """Whether some kernel does not compile (for want of a TileLang, too) or some finding is an error."""
    findings = [*facts.findings, *(finding for kernel in facts.kernels for finding in kernel.findings)]
    failed = any(kernel.status == "failed" for kernel in facts.kernels)
    return failed or without_tilelang(facts) or any(finding.severity == "error" for finding in findings)


def _refuse_without_kernels(facts: FileFacts) -> None:
    if facts.kernels:
        return
    path = shown(facts.file)
    broken = [finding for finding in facts.findings if finding.severity == "error"]
    if broken and Path(path).suffix in (".py", ".pyi"):
        return
    if broken:
        raise UsageError(f"{path} is not a Python file: line {broken[0].line}: {broken[0].message}")
    raise UsageError(f"{path} holds no kernels: no function with @T.prim_func, and none with @tilelang.jit")
