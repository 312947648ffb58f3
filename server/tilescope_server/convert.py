"""The only place where domain and protocol types meet.

Domain places are 1-based lines and columns in code points; protocol positions are 0-based and count the code units
the client chose (utf-8, utf-16 or utf-32), which pygls' position codec converts.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from lsprotocol import types
from pygls.workspace import PositionCodec
from pygls.workspace.position_codec import ServerTextPosition

from tilescope_trace.model import Finding
from tilescope_trace.text_lines import lines_of

from .analysis import UNRESOLVED
from .fitting import Piece
from .hints import Hint
from .links import SHOW_LAYOUT, layout_subject, spot_of
from .session import Document

SOURCE = "tilescope"
_SEVERITIES = {
    "error": types.DiagnosticSeverity.Error,
    "warning": types.DiagnosticSeverity.Warning,
    "info": types.DiagnosticSeverity.Information,
}


def position(codec: PositionCodec, lines: Sequence[str], line: int, column: int) -> types.Position:
    """A domain place as the client counts; places beyond the text become its nearest end."""
    row = min(max(line - 1, 0), len(lines) - 1)
    character = max(column - 1, 0) if row == line - 1 else (0 if line < 1 else len(lines[row]))
    if lines[row].isascii():
        return types.Position(row, min(character, len(lines[row])))
    return codec.position_to_client_units(lines, ServerTextPosition(row, min(character, len(lines[row]))))


def place(codec: PositionCodec, lines: Sequence[str], at: types.Position) -> tuple[int, int]:
    """A client's position as 1-based line and column; positions beyond a line's end become its end."""
    if at.line >= len(lines):
        return len(lines), len(lines[-1]) + 1
    text = lines[at.line]
    if text.isascii():
        return at.line + 1, min(at.character, len(text)) + 1
    character = min(at.character, codec.client_num_units(text))
    server = codec.position_from_client_units([text], types.Position(0, character))
    return at.line + 1, server.character + 1


def edited(text: str, changes: Sequence[types.TextDocumentContentChangeEvent], codec: PositionCodec) -> str:
    """``text`` after the changes of one didChange, each applied to the result of the one before."""
    for change in changes:
        if isinstance(change, types.TextDocumentContentChangePartial):
            start, end = (_offset(text, at, codec) for at in (change.range.start, change.range.end))
            text = text[:start] + change.text + text[max(start, end) :]
        else:
            text = change.text
    return text


def _offset(text: str, at: types.Position, codec: PositionCodec) -> int:
    lines = lines_of(text)
    line, column = place(codec, lines, at)
    if "\r" not in text:
        return sum(map(len, lines[: line - 1])) + line - 1 + column - 1
    offset = 0
    for previous in lines[: line - 1]:
        offset += len(previous)
        offset += 2 if text.startswith("\r\n", offset) else 1
    return offset + column - 1


def inlay_hint(
    hint: Hint, document: Document, codec: PositionCodec, *, tooltip: str | None, linked: bool
) -> dict[str, Any]:
    """As JSON: clients ask for many at a time, after each key. ``data`` says what the label holds for, and lets the
    tooltip and, unless it is ``linked`` already, the label be resolved later."""
    variant, at = hint.variant, position(codec, document.lines, hint.line, hint.column)
    shown: dict[str, Any] = {
        "position": _json(at),
        "label": label(hint, document, codec, linked=linked),
        "paddingLeft": not hint.is_type,
        "data": {
            "stage": variant.kernel.stage,
            "version": variant.version,
            "target": variant.kernel.target,
            "specialization": variant.kernel.specialization.id,
            "uri": document.uri,
            "text_version": document.snapshot.version,
            "line": hint.line,
            "column": hint.column,
        },
    }
    if hint.is_type:
        shown["kind"] = types.InlayHintKind.Type.value
    if tooltip is not None:
        shown["tooltip"] = {"kind": types.MarkupKind.Markdown.value, "value": tooltip}
    return shown


def label(hint: Hint, document: Document, codec: PositionCodec, *, linked: bool) -> str | list[dict[str, Any]]:
    """A label as JSON, in pieces where one of them leads somewhere: to a place, or to the client's picture of a
    layout."""
    pieces = hint.label.pieces
    if not any(piece.link for piece in pieces):
        return hint.label.text
    return [_piece(piece, hint, document, codec) if linked else {"value": piece.text} for piece in pieces]


def _piece(piece: Piece, hint: Hint, document: Document, codec: PositionCodec) -> dict[str, Any]:
    part: dict[str, Any] = {"value": piece.text}
    if piece.link == "layout":
        subject = layout_subject(hint, document.uri)
        if subject is not None:
            part["command"] = {"title": "Show the layout", "command": SHOW_LAYOUT, "arguments": [subject]}
    elif piece.link is not None and (spot := spot_of(hint, piece.link)) is not None:
        last = spot.end_column or len(document.lines[min(spot.line, len(document.lines)) - 1]) + 1
        start, end = (position(codec, document.lines, spot.line, column) for column in (spot.column or 1, last))
        places = {"start": _json(start), "end": _json(end)}
        part |= {"location": {"uri": document.uri, "range": places}, "tooltip": spot.what}
    return part


def _json(at: types.Position) -> dict[str, int]:
    return {"line": at.line, "character": at.character}


def markup(text: str) -> types.MarkupContent:
    return types.MarkupContent(kind=types.MarkupKind.Markdown, value=text)


def diagnostic(
    finding: Finding,
    document: Document,
    codec: PositionCodec,
    *,
    related: bool,
    tag: types.DiagnosticTag | None = None,
    href: str | None = None,
) -> types.Diagnostic:
    """``related``: whether the client shows related information; ``href`` is the address of the rule's page. Kernels
    whose arguments are not known are no fault: a hint says which ones, and ``data`` names them for whoever asks."""
    lines = document.lines
    names = document.analysis.names_unresolved(finding)
    head = f"unresolved: {', '.join(names)}\n{finding.message}" if names else finding.message
    hinted = finding.code == UNRESOLVED and finding.severity == "info"
    places = [
        types.DiagnosticRelatedInformation(
            location=_location(item.file, item.line, document, codec), message=item.message
        )
        for item in finding.related
    ]
    return types.Diagnostic(
        range=types.Range(
            start=position(codec, lines, finding.line, finding.column),
            end=position(codec, lines, finding.end_line, finding.end_column),
        ),
        severity=types.DiagnosticSeverity.Hint if hinted else _SEVERITIES[finding.severity],
        code=finding.code,
        code_description=types.CodeDescription(href) if href is not None else None,
        source=SOURCE,
        message=head if finding.help is None else f"{head}\n{finding.help}",
        tags=[tag] if tag is not None else None,
        related_information=places if related and places else None,
        data={
            "kind": "unresolved" if names else "finding",
            "code": finding.code,
            "names": list(names),
            "fixes": [{"title": fix.title, "edits": list(fix.edits)} for fix in finding.fixes],
            "kernel": finding.kernel,
            "specialization": finding.specialization,
            "target": finding.target,
            "pass": finding.pass_name,
            "confidence": finding.confidence,
            "compiler": finding.compiler,
        },
    )


def _location(file: str, line: int, document: Document, codec: PositionCodec) -> types.Location:
    if file == document.snapshot.path:
        end = position(codec, document.lines, line, len(document.lines[min(line, len(document.lines)) - 1]) + 1)
        return types.Location(document.uri, types.Range(types.Position(end.line, 0), end))
    # The text of other files is not at hand: from the line's start to the next one's is right in every encoding.
    start = types.Position(max(line - 1, 0), 0)
    return types.Location(uri_of(file), types.Range(start, types.Position(start.line + 1, 0)))


_URI = re.compile(r"[a-z][a-z0-9+.-]+:", re.IGNORECASE)  # the letter of a drive is one only


def uri_of(path: str) -> str:
    """The file URI of a path; a cell of a notebook has its URI for a path."""
    if _URI.match(path):
        return path
    absolute = Path(path)
    return absolute.as_uri() if absolute.is_absolute() else (Path.cwd() / absolute).as_uri()
