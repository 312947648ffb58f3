"""`tilescope facts`: everything known about the kernels of files."""

from __future__ import annotations

import asyncio
from pathlib import Path

import click

from tilescope.files import read_snapshot
from tilescope.options import format_option, kernel_options, options_of, python_option
from tilescope.output import echo, echo_json, note
from tilescope.progress import working
from tilescope.session import Session
from tilescope.text.facts import file_blocks
from tilescope.text.outcome import not_compiled, without_tilelang
from tilescope.text.paths import shown
from tilescope_trace.errors import UsageError
from tilescope_trace.model import FileFacts, Options, Snapshot
from tilescope_trace.model.public import facts_document

EPILOG = """\b
Examples:
  tilescope facts kernel.py
  tilescope facts kernel.py --kernel matmul --set M=4096 --set dtype=bfloat16
  tilescope facts kernel.py --target cuda:sm_80 --target cuda:sm_90a
  tilescope facts kernels/*.py --format json
  tilescope facts stranger.py --static
"""


@click.command(epilog=EPILOG)
@click.argument("files", metavar="FILE...", nargs=-1, required=True, type=click.Path(path_type=Path))
@kernel_options(many_targets=True)
@click.option("--static", is_flag=True, help="Execute nothing: only what the text says.")
@python_option
@format_option
def command(
    files: tuple[Path, ...],
    kernel: str | None,
    targets: tuple[str, ...],
    settings: tuple[str, ...],
    pass_configs: tuple[str, ...],
    static: bool,
    python: str | None,
    output_format: str,
) -> int:
    """Show what the TileLang compiler makes of the kernels of files.

    Buffers with shape, dtype, scope, size and inferred layout; launch geometry; what each copy and gemm was lowered
    to. Files are executed, in a process of their own, unless --static is given.
    """
    options = options_of(kernel, targets, settings, pass_configs, static=static)
    snapshots = [read_snapshot(path) for path in files]
    return asyncio.run(_run(snapshots, options, python, output_format))


async def _run(snapshots: list[Snapshot], options: Options, python: str | None, output_format: str) -> int:
    done: list[FileFacts] = []
    unusable = False
    async with Session(python, snapshots[0].path, static=options.static) as session:
        for snapshot in snapshots:
            try:
                with working(f"compiling {shown(snapshot.path)}"):
                    facts = await session.facts(snapshot, options)
                _refuse_without_kernels(facts)
            except UsageError as error:
                if len(snapshots) == 1:
                    raise
                note(str(error))
                unusable = True
                continue
            if output_format == "text":
                echo(*([""] if done else []), *file_blocks(facts))
            done.append(facts)
    if output_format == "json":
        echo_json(facts_document(done))
    if not options.static and (left := not_compiled(done)) is not None:
        note(left)
    return 2 if unusable else int(any(has_errors(facts) for facts in done))


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
