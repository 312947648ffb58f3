"""Generates source for kernels of tests/kernels, with its table of lines."""

from __future__ import annotations

import ast
import difflib
import functools
import re
import time
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import tilelang
import tvm
from tilelang.transform.pass_config import normalize_pass_configs

from tilescope_worker import load, targets
from tilescope_worker.compat import generate_source
from tilescope_worker.generated import LineTable, line_table
from tilescope_worker.observe import Observer
from tilescope_worker.spans import SpanRepair, keep_user_lines
from tilescope_worker.wire.messages import GeneratedLine

KERNELS = Path(__file__).parent.parent / "kernels"
CASES: dict[str, tuple[str, str, dict[str, Any]]] = {
    "gemm": ("lines_gemm.py", "matmul", {}),
    "attention": ("lines_attention.py", "attention", {}),
    "causal": ("lines_attention.py", "attention", {"is_causal": True}),
    "dequantized": ("lines_dequantized_gemm.py", "matmul", {}),
    "split-k": ("lines_split_k.py", "matmul", {}),
    "elementwise": ("lines_elementwise.py", "add_one", {}),
    "plain-gemm": ("staged_gemm.py", "matmul", {"M": 256, "N": 256, "K": 128}),
    "ascend-gemm": ("ascend_dialect.py", "gemm", {"M": 256, "N": 256, "K": 256}),
    "ascend-vector": ("ascend_dialect.py", "vadd", {"N": 4096}),
}
# TileLang 0.1.15 cannot lower the causal kernel with two stages for Ampere.
_ON_TARGET = {("causal", "cuda:sm_80"): {"num_stages": 1}}

_TEMPORARY = re.compile(r"\b(__|v__|_)\d+\b|\b(v_|(broadcast_var|workspace)(_\d+)?)\b")


@dataclass(frozen=True)
class Generated:
    """Generated source and its lines; ``lower_ms`` and ``table_ms`` are CPU times, ``repair_ms`` is part of the
    first."""

    path: str
    python: str
    source: str
    table: LineTable
    lower_ms: float
    repair_ms: float
    table_ms: float

    @functools.cached_property
    def by_line(self) -> dict[int, GeneratedLine]:
        return {record.line: record for record in self.table.lines}

    def origins(self, line: int) -> list[int]:
        """The Python lines of a generated line."""
        record = self.by_line.get(line)
        return [] if record is None else [origin for _, origin in record.origins]

    @property
    def body(self) -> list[int]:
        """The lines of kernel functions and their helpers, blank ones left out: all behind the preamble."""
        lines = self.source.split("\n")
        first = next(i for i, line in enumerate(lines, 1) if "main_kernel" in line and line[-1] not in ";l")
        return [i for i, line in enumerate(lines, 1) if i >= first and line.strip()]

    @property
    def coverage(self) -> float:
        """The share of the lines of `body` that have a Python line."""
        body = self.body
        return sum(bool(self.origins(line)) for line in body) / len(body)

    def at(self, piece: str) -> list[GeneratedLine | None]:
        """The records of all lines of source that contain ``piece``."""
        return [self.by_line.get(i) for i, line in enumerate(self.source.split("\n"), 1) if piece in line]

    def python_line(self, piece: str) -> int:
        """The Python line that contains ``piece``."""
        return next(i for i, line in enumerate(self.python.splitlines(), 1) if piece in line)


class _Last:
    """Keeps the module that the last pass returned, which is what the code generator runs on."""

    def __init__(self) -> None:
        self.mod: Any = None

    def pass_started(self, name: str, mod: Any) -> None:
        pass

    def pass_finished(self, name: str, before: Any, after: Any) -> None:
        self.mod = after


class _Timed(SpanRepair):
    def __init__(self) -> None:
        super().__init__()
        self.ms = 0.0

    def pass_finished(self, name: str, before: Any, after: Any) -> None:
        started = time.process_time()
        super().pass_finished(name, before, after)
        self.ms += (time.process_time() - started) * 1000


def elaborate(case: str, target: str, edit: tuple[str, str] | None = None) -> tuple[str, str, Any]:
    """(path, text, PrimFunc) of a case, its text edited."""
    file, kernel, arguments = CASES[case]
    path = str(KERNELS / file)
    text = Path(path).read_text()
    if edit is not None:
        assert edit[0] in text
        text = text.replace(*edit, 1)
    keep_user_lines()
    loaded = load.execute(path, text)
    assert loaded.error is None
    return path, text, loaded.namespace[kernel].get_tir(**{**arguments, **_ON_TARGET.get((case, target), {})})


def lower(func: Any, target_name: str, listeners: tuple[Any, ...]) -> Any:
    target = targets.resolve(target_name)
    observer = Observer(listeners)
    config = normalize_pass_configs({})
    with tvm.transform.PassContext(opt_level=3, config=config, instruments=[observer.instrument]), target:
        return tilelang.lower(func, target=target)


def generate(case: str, target_name: str, edit: tuple[str, str] | None = None) -> Generated:
    """Lower a case and make its table of lines."""
    path, text, func = elaborate(case, target_name, edit)
    last, repair = _Last(), _Timed()
    started = time.process_time()
    with repair:
        artifact = lower(func, target_name, (repair, last))
    lowered = time.process_time()
    target = artifact.target

    def again(mod: Any, configs: dict[str, Any]) -> str:
        with tvm.transform.PassContext(opt_level=3, config=normalize_pass_configs(configs)), target:
            return generate_source(mod, target)

    table = line_table(last.mod, artifact.kernel_source, again, func, repair.merged)
    ended = time.process_time()
    return Generated(
        path,
        text,
        artifact.kernel_source,
        table,
        (lowered - started) * 1000,
        repair.ms,
        (ended - lowered) * 1000,
    )


@functools.cache
def generated(case: str, target_name: str) -> Generated:
    """`generate`, once for each unedited case."""
    return generate(case, target_name)


def disagreements(case: str, target_name: str, old: str, new: str) -> tuple[list[str], int]:
    """(generated lines that differ after the edit of a statement but are not said to come from it, lines that
    differ). Lines that only moved do not differ, nor do those in which only a temporary has another number."""
    one = generated(case, target_name)
    other = generate(case, target_name, (old, new))
    edited = _statement_at(one.python, one.python[: one.python.index(old)].count("\n") + 1)
    texts = [[_plain(line) for line in each.source.split("\n")] for each in (one, other)]
    changed: tuple[list[int], list[int]] = ([], [])
    for tag, a, b, c, d in difflib.SequenceMatcher(None, *texts, autojunk=False).get_opcodes():
        if tag != "equal":
            changed[0].extend(range(a, b))
            changed[1].extend(range(c, d))
    moved = Counter(texts[0][i] for i in changed[0]) & Counter(texts[1][i] for i in changed[1])
    wrong, count = [], 0
    for each, text, lines in zip((one, other), texts, changed, strict=True):
        for i in lines:
            if not text[i] or text[i].startswith("#include") or text[i] in moved:
                continue
            count += 1
            if edited not in each.origins(i + 1):
                wrong.append(f"{i + 1} {each.origins(i + 1)} {each.source.splitlines()[i].strip()[:100]}")
    return wrong, count


def _plain(line: str) -> str:
    """A line without the numbers of temporaries: they count through the kernel, those of workspaces in any order."""
    return _TEMPORARY.sub("#", line).strip()


def _statement_at(text: str, line: int) -> int:
    """The first line of the statement that a line belongs to."""
    kinds = (ast.Assign, ast.AugAssign, ast.Expr)
    simple = [node for node in ast.walk(ast.parse(text)) if isinstance(node, kinds)]
    return max((node.lineno for node in simple if node.lineno <= line <= (node.end_lineno or 0)), default=line)
