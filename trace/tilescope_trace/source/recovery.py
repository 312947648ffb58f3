"""Broken text to a syntax tree: complete or blank the broken statements, never moving a line or a column."""

from __future__ import annotations

import ast
import functools
import re
from collections.abc import Callable
from dataclasses import replace

from .logical_lines import LogicalLine, split

Parser = Callable[[str], ast.Module]

_REFUSED = (SyntaxError, ValueError, RecursionError, MemoryError)
_CLOSER = {"(": ")", "[": "]", "{": "}"}
_HEADER = re.compile(r"(?:async\s+)?(?:for|while|with|if|elif|else|def|class|try|except|finally|match|case)\b")
_NAMED = re.compile(r"(?:async\s+)?def\s+\w+")
_CONTINUATION = re.compile(r"(?:elif|else|except|finally)\b")
_COMPOUND = re.compile(r"(?:elif|else|except|finally|try|match|case)\b")
_STATEMENTS = 2048
_ATTEMPTS = 8
"""Trailing arguments dropped before a broken call is given up."""
_ROUNDS = 12
"""Statements blanked at Python's own error position before a whole top-level statement is given up."""


def mended(lines: list[str], parse: Parser) -> list[str]:
    """Lines that Python takes, it is hoped, in the place of ``lines``, of which it refuses the whole. Each top-level
    statement is mended by itself, so the cost is that of the broken ones."""
    found = list(lines)
    for first, last in _top_level(lines):
        if not _stands_alone("\n".join(lines[first:last]), parse):
            found[first:last] = _mend(lines, first, last, parse)
    return found


@functools.lru_cache(maxsize=_STATEMENTS)
def _stands_alone(text: str, parse: Parser) -> bool:
    """Kept: of a text that is being edited, all statements but one are the same each time."""
    return _accepted(text, parse)


def _top_level(lines: list[str]) -> list[tuple[int, int]]:
    """Line ranges of top-level statements with their decorators and ``else`` parts."""
    starts: list[int] = []
    decorated = False
    for line in split(lines, 0, len(lines)):
        text = line.code[0].strip()
        if line.indent == 0 and not decorated and not _CONTINUATION.match(text):
            starts.append(line.start)
        decorated = text.startswith("@") if line.indent == 0 else decorated
    if not starts:
        return [(0, len(lines))]
    starts[0] = 0
    return list(zip(starts, [*starts[1:], len(lines)], strict=True))


def _mend(lines: list[str], first: int, last: int, parse: Parser) -> list[str]:
    local = list(lines[first:last])
    pending = split(local, 0, len(local))
    kept: list[LogicalLine] = []
    while pending:
        line = pending.pop(0)
        if _stands(line, parse):
            kept.append(line)
            continue
        whole = _completed(line, parse)
        if whole is None and line.end - line.start > 1:
            # The first physical line is the likely culprit: give the others a chance of their own.
            pending = split(local, line.start + 1, line.end) + pending
            line = split(local, line.start, line.start + 1)[0]
            whole = line if _stands(line, parse) else _completed(line, parse)
        kept.append(whole or _placeholder(line))
    return _blank_until_accepted(_structured(kept), len(local), parse)


def _stands(line: LogicalLine, parse: Parser) -> bool:
    """Whether a logical line is right by itself, in a context made up for it."""
    if line.open or line.cut:
        return False
    text = "\n".join(line.code).strip()
    if text.startswith("@"):
        return _accepted(text + "\ndef _(): pass", parse)
    if _COMPOUND.match(text):
        return _accepted_part(text, parse)
    if _HEADER.match(text) and text.endswith(":"):
        return _accepted(text + " pass", parse)
    return _accepted(text, parse)


def _accepted_part(text: str, parse: Parser) -> bool:
    body = text + " pass" if text.endswith(":") else text
    before, after = "", ""
    if text.startswith(("elif", "else")):
        before = "if 1: pass\n"
    elif text.startswith(("except", "finally")):
        before = "try: pass\n"
    elif text.startswith("try"):
        after = "\nfinally: pass"
    elif text.startswith("match") and text.endswith(":"):
        body = text + "\n case _: pass"
    elif text.startswith("case") and text.endswith(":"):
        body = "match 1:\n " + text + " pass"
    return _accepted(before + body + after, parse)


def _completed(line: LogicalLine, parse: Parser) -> LogicalLine | None:
    """The line with its brackets closed and its colon added, less trailing arguments that make no sense yet."""
    code = list(line.code)
    if line.cut:
        code = [*code[: line.cut[0] - line.start], code[line.cut[0] - line.start][: line.cut[1]]]
    header = _HEADER.match(code[0].strip()) is not None
    for _ in range(_ATTEMPTS):
        trial = _closed(line, code, header)
        if _stands(trial, parse):
            return trial
        if not _drop_last_argument(code):
            return None
    return None


def _closed(line: LogicalLine, code: list[str], header: bool) -> LogicalLine:
    open_now = split(code, 0, len(code))
    brackets = open_now[0].open if open_now else ""
    last = code[-1].rstrip() + "".join(_CLOSER[bracket] for bracket in reversed(brackets))
    if _NAMED.fullmatch(last.strip()):
        last += "()"
    if header and not last.endswith(":"):
        last += ":"
    return replace(line, code=(*code[:-1], last), open="", cut=None)


def _drop_last_argument(code: list[str]) -> bool:
    """Cut the text at its last comma, or after its last opening bracket; False when there is neither."""
    text = code[-1].rstrip().rstrip(":").rstrip(",")
    cut = max(text.rfind(","), *(text.rfind(bracket) + 1 for bracket in "([{"))
    if cut <= 0 or cut == len(code[-1].rstrip()):
        cut = max(text[: max(cut - 1, 0)].rfind(bracket) for bracket in ",([{")
    if cut > 0:
        code[-1] = text[:cut]
        return True
    if len(code) > 1:
        code.pop()
        return True
    return False


def _placeholder(line: LogicalLine) -> LogicalLine:
    """Nothing in the place of the line; what it was the head of stays a block."""
    text = line.code[0].strip()
    margin = line.code[0][: len(line.code[0]) - len(line.code[0].lstrip())]
    # A block without its decorator is still one; a decorator with ``pass`` under it is none.
    filler = "if 1:" if _HEADER.match(text) else "pass"
    content = "" if text.startswith("@") else filler
    return replace(line, code=(margin + content,), open="", cut=None)


def _structured(kept: list[LogicalLine]) -> list[LogicalLine]:
    """Blocks made whole: empty ones get a ``pass``; lines deeper than their block, or between two, are left out."""
    lines = [line for line in kept if line.code[0].strip()]
    result: list[LogicalLine] = []
    levels = [0]
    opens = False
    for index, line in enumerate(lines):
        text = line.code[0].strip()
        if opens and line.indent > levels[-1]:
            level = _block_level(lines, index, levels[-1])
            if line.indent > level:
                continue
            levels.append(level)
        else:
            if opens:
                _fill(result)
            while line.indent < levels[-1]:
                levels.pop()
            if line.indent > levels[-1]:
                if not (result and result[-1].code[0].strip() == "pass" and result[-1].indent == levels[-1]):
                    opens = False
                    continue
                # What was blanked above may have been the head of this block.
                result[-1] = replace(result[-1], code=(result[-1].code[0].replace("pass", "if 1:"),))
                levels.append(line.indent)
        result.append(line)
        opens = line.code[-1].rstrip().endswith(":") and (_HEADER.match(text) is not None)
    if opens:
        _fill(result)
    return result


def _block_level(lines: list[LogicalLine], first: int, outer: int) -> int:
    """The indent of the block that begins at ``first``: its least, should the first line be the odd one."""
    level = lines[first].indent
    for line in lines[first + 1 :]:
        if line.indent <= outer:
            break
        level = min(level, line.indent)
    return level


def _fill(result: list[LogicalLine]) -> None:
    last = result[-1]
    result[-1] = replace(last, code=(*last.code[:-1], last.code[-1].rstrip() + " pass"))


def _blank_until_accepted(kept: list[LogicalLine], height: int, parse: Parser) -> list[str]:
    for _ in range(_ROUNDS):
        lines = [""] * height
        for line in kept:
            lines[line.start : line.start + len(line.code)] = line.code
        try:
            parse("\n".join(lines))
        except SyntaxError as error:
            at = (error.lineno or 1) - 1
            culprit = max((line.start for line in kept if line.start <= at), default=None)
            if culprit is None:
                break
            kept = _without(kept, culprit)
        except (ValueError, RecursionError, MemoryError):
            break
        else:
            return lines
    return [""] * height


def _without(kept: list[LogicalLine], start: int) -> list[LogicalLine]:
    blanked = [_placeholder(line) if line.start == start else line for line in kept]
    if blanked == kept:
        blanked = [line for line in kept if line.start != start]
    return _structured(blanked)


def _accepted(text: str, parse: Parser) -> bool:
    try:
        parse(text)
    except _REFUSED:
        return False
    return True
