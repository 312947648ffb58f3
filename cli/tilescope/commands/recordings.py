"""`tilescope recordings`: which recordings there are, and removing old ones."""

from __future__ import annotations

import re
import time
from collections.abc import Sequence
from datetime import datetime, timezone
from pathlib import Path

import click

from tilescope.options import format_option
from tilescope.output import echo, echo_json
from tilescope.stored import entry, recording_table
from tilescope_trace.errors import UsageError
from tilescope_trace.model.public import document, to_public
from tilescope_trace.store.retention import FOLDER, StoredRecording, remove, stored, to_remove

EPILOG = """\b
Examples:
  tilescope recordings
  tilescope recordings list bench/recordings --format json
  tilescope recordings prune --keep 20 --older-than 30d --dry-run
"""

_UNITS = {"s": 1, "m": 60, "h": 3600, "d": 86400, "w": 604800}

folder_argument = click.argument("folder", metavar="[FOLDER]", default=FOLDER, type=click.Path(path_type=Path))


@click.group(invoke_without_command=True, epilog=EPILOG)
@format_option
@click.pass_context
def command(ctx: click.Context, output_format: str) -> int:
    """List the recordings of a folder, .tilescope/ unless another is named, and remove old ones."""
    if ctx.invoked_subcommand is None:
        return list_(FOLDER, output_format)
    if output_format != "text":
        raise click.UsageError(f"give --format after {ctx.invoked_subcommand}", ctx)
    return 0


@command.command("list", epilog=EPILOG)
@folder_argument
@format_option
def list_command(folder: Path, output_format: str) -> int:
    """List recordings, the newest first: kernel, target, specialization, size, age, status."""
    return list_(folder, output_format)


@command.command("prune", epilog=EPILOG)
@folder_argument
@click.option("--keep", metavar="N", type=click.IntRange(0), help="Keep the N newest, whatever their age.")
@click.option("--older-than", metavar="AGE", help="Remove only what is older: 45m, 12h, 30d, 8w.")
@click.option("--noted", is_flag=True, help="Also those with notes beside them, and the notes.")
@click.option("--dry-run", is_flag=True, help="Only say what would be removed.")
@format_option
def prune(
    folder: Path, keep: int | None, older_than: str | None, noted: bool, dry_run: bool, output_format: str
) -> int:
    """Remove recordings.

    Kept are the N newest, those not older than AGE, those with notes, and one that is being written. Files that are
    no recordings stay.
    """
    if keep is None and older_than is None:
        raise click.UsageError("say what may go: --keep N, --older-than AGE, or both")
    now = time.time()
    found = stored(folder)
    oldest = None if older_than is None else seconds_of(older_than)
    gone = to_remove(found, now, keep=keep, older_than=oldest, noted=noted)
    if not dry_run:
        remove(gone)
    if output_format == "json":
        kept = [one for one in found if one not in gone]
        content = {
            "folder": str(folder),
            "dry_run": dry_run,
            "removed": _entries(gone, now),
            "kept": _entries(kept, now),
        }
        echo_json(document("pruned", content))
        return 0
    for one in gone:
        echo(f"{'would remove' if dry_run else 'removed'} {one.path}")
    freed, left = sum(one.bytes for one in gone), len(found) - len(gone)
    echo(
        f"{len(gone)} recording{'s' * (len(gone) != 1)}, {freed / 1024:.0f} KiB"
        f"{' would be' if dry_run else ''} removed; {left} left in {folder}"
    )
    return 0


def list_(folder: Path, output_format: str) -> int:
    """Print the recordings of ``folder``."""
    found, now = stored(folder), time.time()
    if output_format == "json":
        total = sum(one.bytes for one in found)
        echo_json(document("recordings", {"folder": str(folder), "bytes": total, "recordings": _entries(found, now)}))
    elif found:
        echo(recording_table(found, now))
    else:
        echo(f"no recordings in {folder}; tilescope trace FILE makes one")
    return 0


def seconds_of(age: str) -> float:
    """``45m``, ``12h``, ``30d``, ``8w`` in seconds. Raises UsageError."""
    match = re.fullmatch(r"(\d+(?:\.\d+)?)\s*([smhdw])", age.strip())
    if match is None:
        raise UsageError(f"--older-than {age}: expected a number with s, m, h, d or w, such as 30d")
    return float(match[1]) * _UNITS[match[2]]


def _entries(recordings: Sequence[StoredRecording], now: float) -> object:
    return to_public([entry(one, now, datetime.fromtimestamp(one.modified, timezone.utc)) for one in recordings])
