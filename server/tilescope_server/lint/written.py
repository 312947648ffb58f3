"""Writes a changed source back as it was: encoding, byte order mark and line ends stay."""

from __future__ import annotations

import io
import tokenize
from pathlib import Path

from tilescope_trace.errors import UsageError
from tilescope_trace.files import decoded


def write_back(path: str, before: str, after: str) -> None:
    """Replace the text ``before`` of a file by ``after``. Raises UsageError where the file is not what was read, or
    cannot be written."""
    file = Path(path)
    try:
        data = file.read_bytes()
        if decoded(data, file) != before:
            raise UsageError(f"{file} was changed meanwhile; it is left as it is")
        encoding, _ = tokenize.detect_encoding(io.BytesIO(data).readline)
        file.write_bytes(_with_ends(after, _line_end(data, file)).encode(encoding))
    except OSError as error:
        raise UsageError(f"cannot write {file}: {error.strerror or error}") from None
    except UnicodeEncodeError:
        raise UsageError(f"{file}: the fix holds characters that its encoding {encoding} has not") from None


def _line_end(data: bytes, file: Path) -> str:
    windows, returns, feeds = data.count(b"\r\n"), data.count(b"\r"), data.count(b"\n")
    if returns == 0:
        return "\n"
    if windows == returns == feeds:
        return "\r\n"
    raise UsageError(f"{file} has line ends of several kinds; it is left as it is")


def _with_ends(text: str, end: str) -> str:
    return text if end == "\n" else text.replace("\n", end)
