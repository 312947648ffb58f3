"""Made-up recordings of one buffer's or one line's life, and one of a GEMM as the compiler really lowers it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

import pytest
from tests.recordings import INFO

from tilescope_trace.model import RecordingInfo, SourceFile
from tilescope_trace.store.read import Recording, open_recording
from tilescope_trace.store.write import RecordingWriter
from tilescope_worker.wire.messages import BufferState, Generated, GeneratedLine, PassEnded, PassText

FILES = ("/home/user/project/gemm.py", "/elsewhere/macros.py")
SOURCE = "".join(f"line {number}\n" for number in range(1, 31))


@dataclass(frozen=True)
class Moment:
    """One text: its lines, the (text line, Python line) pairs, the buffers, and the pass that made it."""

    text: str
    lines: tuple[tuple[int, int], ...] = ()
    buffers: tuple[BufferState, ...] = ()
    name: str = "p"
    module: Literal["both", "host", "device"] = "both"
    unplaced: tuple[int, ...] | None = ()


@dataclass(frozen=True)
class Source:
    """Generated source: its text and the places of its lines."""

    text: str
    lines: tuple[GeneratedLine, ...] = field(default=())


Make = Callable[..., Recording]


@pytest.fixture
def make(tmp_path: Path) -> Iterator[Make]:
    """``make(moments, generated=None, info=INFO)`` opens a recording whose passes lead from moment to moment."""
    opened: list[Recording] = []

    def make(moments: Sequence[Moment], generated: Source | None = None, info: RecordingInfo = INFO) -> Recording:
        path = tmp_path / f"r{len(opened)}.tscope"
        with RecordingWriter(path) as writer:
            writer.add_source(SourceFile("gemm.py", SOURCE, "0" * 64))
            for index, moment in enumerate(moments):
                lines = tuple((line, 0, python) for line, python in moment.lines)
                writer.add(PassText(0, f"h{index}", moment.text, FILES, lines, moment.unplaced, moment.buffers))
                if index:
                    names = (f"h{index - 1}", f"h{index}")
                    writer.add(
                        PassEnded(0, index - 1, moment.name, None, moment.module, 0, None, True, *names, 1.0, "ok")
                    )
            if generated is not None:
                writer.add(Generated(0, "cuda", generated.text, FILES, generated.lines))
            writer.finish(info)
        opened.append(open_recording(path))
        return opened[-1]

    yield make
    for recording in opened:
        recording.close()


def state(name: str, key: int, line: int | None = 17, **fields: object) -> BufferState:
    """A shared buffer allocated at ``line``, declared in text line 1 and used in line 2."""
    values = {"shape": (128, 32), "dtype": "float16", "scope": "shared.dyn", "declared": (1,), "used": (2,), **fields}
    return BufferState(name, key, None if line is None else 0, line, **values)  # type: ignore[arg-type]
