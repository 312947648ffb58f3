"""What goes into a recording comes out of it."""

from __future__ import annotations

import dataclasses
import hashlib
import os
import random
import sqlite3
import stat
from pathlib import Path

import pytest
from tests.recordings import INFO

from tilescope_trace.errors import UsageError
from tilescope_trace.model import Origin
from tilescope_trace.store.maps import TextMap, decode_map, encode_map
from tilescope_trace.store.packing import PackingError, pack, unpack
from tilescope_trace.store.read import RecordingError, open_recording
from tilescope_trace.store.write import RecordingWriter
from tilescope_worker.wire.messages import BufferState, Generated, GeneratedLine, PassBegan, PassEnded, PassText


def test_a_recording_gives_back_everything(make_recording) -> None:
    with open_recording(make_recording()) as recording:
        assert recording.info.kernel.qualname == "matmul.main"
        assert recording.info.kernel.specialization.args["M"].value == 1024
        assert (recording.info.status, recording.info.generated_language) == ("ok", "cuda")
        assert [record.name for record in recording.passes][:2] == ["pass_fn", "tirx.BindTarget"]
        assert [record.changed for record in recording.passes] == [False, True, False, True, True, True, True, False]
        nested = recording.passes[6]
        assert (nested.depth, nested.parent, nested.duration_ms) == (1, 5, 10.5)
        for record in recording.passes:
            for name in (record.before, record.after):
                assert hashlib.sha256(recording.text(name).encode()).hexdigest() == name
        assert "main_kernel" in recording.generated()
        assert [source.path for source in recording.sources()] == ["gemm.py"]
        assert recording.sources()[0].text.startswith("import tilelang\n")


def test_line_maps_name_files_as_the_sources_do(make_recording) -> None:
    with open_recording(make_recording()) as recording:
        text = recording.text(recording.passes[0].after).split("\n")
        origins = recording.line_map(recording.passes[0].after).origins
    assert [text[line - 1].strip()[:6] for line in origins] == ["T.copy", "T.gemm", "T.copy"]
    assert all(places == (Origin("gemm.py", line),) for line, places in origins.items())


def test_one_line_may_have_several_origins(tmp_path: Path) -> None:
    files = ("/w/a.py", "/elsewhere/macro.py")
    with RecordingWriter(tmp_path / "r.tscope") as writer:
        writer.add(PassText(0, "h", "x\ny", files, ((2, 0, 7), (2, 1, 9), (2, 0, 7))))
        writer.add(PassEnded(0, 0, "p", None, "both", 0, None, False, "h", "h", 1.0, "ok"))
    with open_recording(tmp_path / "r.tscope") as recording:
        assert recording.line_map("h").origins == {2: (Origin("/w/a.py", 7), Origin("/elsewhere/macro.py", 9))}


def test_only_repeated_names_are_numbered(make_recording) -> None:
    with open_recording(make_recording()) as recording:
        labels = [record.label for record in recording.passes]
    assert labels[2] == "tl.Simplify#1"
    assert labels[6] == "tl.Simplify#2"
    assert labels[7] == "tirx.Simplify"


def test_a_failed_pass_keeps_its_error(failed_recording: Path) -> None:
    with open_recording(failed_recording) as recording:
        last = recording.passes[-1]
        assert recording.info.status == "failed"
        assert (last.status, last.after, last.changed) == ("failed", None, False)
        assert last.error.startswith("InternalError: layouts conflict")
        assert recording.generated() is None


def test_a_pass_that_never_ended_is_failed(make_recording, tmp_path: Path) -> None:
    path = tmp_path / "crash.tscope"
    with open_recording(make_recording()) as whole, RecordingWriter(path) as writer:
        writer.add(PassText(0, "first", "x"))
        writer.add(PassEnded(0, 0, "tl.Fine", None, "both", 0, None, False, "first", "first", 1.0, "ok"))
        writer.add(PassBegan(0, 1, "tl.Crash", "pipeline_cuda", 0, None))
        writer.finish(whole.info, error="The worker was ended by signal 11.")
    with open_recording(path) as recording:
        last = recording.passes[-1]
        assert (last.label, last.status, last.error) == ("tl.Crash", "failed", "The worker was ended by signal 11.")
        assert recording.text(last.before) == "x"


def test_a_recording_of_no_passes(make_recording) -> None:
    with open_recording(make_recording(steps=(), generated=None)) as recording:
        assert (recording.passes, recording.generated()) == ((), None)


def test_nothing_is_left_beside_a_finished_recording(make_recording) -> None:
    path = make_recording()
    assert [item.name for item in path.parent.iterdir()] == [path.name]


def test_reading_changes_nothing(make_recording) -> None:
    path = make_recording()
    path.chmod(0o444)
    before = path.read_bytes()
    with open_recording(path) as recording:
        recording.text(recording.passes[0].before)
        assert [item.name for item in path.parent.iterdir()] == [path.name]
    assert path.read_bytes() == before


def test_an_older_recording_is_replaced(make_recording) -> None:
    make_recording()
    with open_recording(make_recording(steps=(), generated=None)) as recording:
        assert recording.passes == ()


def test_a_file_that_is_no_recording_is_not_overwritten(tmp_path: Path) -> None:
    kernel = tmp_path / "kernel.py"
    kernel.write_text("print('mine')\n")
    with pytest.raises(UsageError, match=r"kernel\.py: exists and is not a recording"), RecordingWriter(kernel):
        pass
    assert kernel.read_text() == "print('mine')\n"


@pytest.mark.parametrize(
    ("name", "message"),
    [("missing/r.tscope", "there is no folder"), (".", "a folder"), ("file/r.tscope", "there is no folder")],
)
def test_a_place_that_cannot_be_written(tmp_path: Path, name: str, message: str) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(UsageError, match=message), RecordingWriter(tmp_path / name):
        pass


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "link.tscope").symlink_to(tmp_path / "real.tscope")
    with RecordingWriter(tmp_path / "link.tscope"):
        pass
    assert (tmp_path / "link.tscope").is_symlink()
    assert (tmp_path / "real.tscope").is_file()


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_what_is_no_file_is_left_alone(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe.tscope"
    os.mkfifo(pipe)
    with pytest.raises(UsageError, match="pipe"), RecordingWriter(pipe):
        pass
    with pytest.raises(RecordingError, match="pipe"):
        open_recording(pipe)
    assert stat.S_ISFIFO(pipe.stat().st_mode)


def test_a_name_too_long(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="too long"), RecordingWriter(tmp_path / ("x" * 300)):
        pass


def test_a_text_that_never_came_is_named(tmp_path: Path) -> None:
    path = tmp_path / "r.tscope"
    with RecordingWriter(path) as writer:
        writer.add(PassEnded(0, 0, "p", None, "both", 0, None, False, "lost", "lost", 1.0, "ok"))
    with open_recording(path) as recording, pytest.raises(RecordingError, match="IR text lost never arrived"):
        recording.text("lost")


def test_odd_characters_survive(tmp_path: Path) -> None:
    text = "Привет 😀 \x00 \u2028 line\r\n\udcff end"
    with RecordingWriter(tmp_path / "r.tscope") as writer:
        writer.add(PassText(0, "h", text))
        writer.add(PassEnded(0, 0, "p", None, "both", 0, None, False, "h", "h", 1.0, "failed", "bad \udcff byte"))
    with open_recording(tmp_path / "r.tscope") as recording:
        assert recording.text("h") == text
        assert recording.passes[0].error == "bad \\udcff byte"


def test_many_alike_texts_stay_small(tmp_path: Path) -> None:
    """As many and as large texts as a GEMM has: 36 of 17 KB, each with a few lines other than the one before."""
    chance = random.Random(7)
    lines = [f"        C[{chance.randrange(10**6)} + i * {n}] = T.Cast(A_{n}, {chance.random()})" for n in range(250)]
    texts = []
    for step in range(36):
        for _ in range(12):
            lines[chance.randrange(len(lines))] = (
                f"        v_{step} = T.tma_load({chance.random()}, {chance.random()})"
            )
        texts.append("\n".join(lines))
    path = tmp_path / "r.tscope"
    with RecordingWriter(path) as writer:
        for index in range(85):
            text = texts[index * len(texts) // 85]
            name = hashlib.sha256(text.encode()).hexdigest()
            writer.add(PassText(0, name, text, ("/w/a.py",), tuple((n, 0, n % 40) for n in range(1, 250, 2))))
            writer.add(PassEnded(0, index, f"tl.P{index}", "x", "both", 0, None, True, name, name, 1.0, "ok"))
    assert sum(map(len, texts)) > 400_000
    assert path.stat().st_size < 80_000
    with open_recording(path) as recording:
        assert recording.text(recording.passes[-1].after) == texts[-1]


@pytest.mark.parametrize("size", [0, 1, 100, 40_000, 200_000])
def test_packing_is_lossless(size: int) -> None:
    chance = random.Random(size)
    base = bytes(chance.choices(b"abcdef \n", k=size))
    for data in (b"", base, base[: size // 2] + b"new" + base[size // 2 :], base[size // 3 :], b"other" + base):
        assert unpack(pack(data, base), base, len(data)) == data
        assert unpack(pack(data, b""), b"", len(data)) == data
        with pytest.raises(PackingError):
            unpack(pack(data, base), base, len(data) + 1)


def test_map_encoding_is_lossless() -> None:
    lines = ((1, 0, 5), (3, 0, 4), (3, 1, 900), (10, 0, 2))
    buffers = (
        BufferState("A", 0, 0, 5, (1024, "N"), "float16", "global", (1,), (3, 10)),
        BufferState("A_shared", 7, None, None, (), "float16", "shared.dyn", (2, 3), (), True, "buf_dyn_shmem", 512),
    )
    for places in (TextMap(("a", "b"), lines, (4, 7), buffers), TextMap(("a", "b"), lines), TextMap((), (), ())):
        assert decode_map(encode_map(places)) == places


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"[]",
        b"[[],[0,1,2]]",
        b"[[],[],null,[[1]],[]]",
        b'[[],[],null,[["A",0,3,1,[],"","",false,null,null]],[]]',
    ],
)
def test_a_map_that_is_none_is_refused(data: bytes) -> None:
    with pytest.raises(PackingError):
        decode_map(data)


def test_buffers_and_unplaced_statements_come_back(tmp_path: Path) -> None:
    state = BufferState("A_shared", 3, 1, 17, (3, 128, 32), "float16", "shared.dyn", (1,), (2,), layout=True)
    with RecordingWriter(tmp_path / "r.tscope", dataclasses.replace(INFO, workspace="/w")) as writer:
        writer.add(PassText(0, "h", "x\ny\nz", ("/e.py", "/w/a.py"), ((1, 1, 17),), (3,), (state,)))
        writer.add(PassEnded(0, 0, "p", None, "both", 0, None, False, "h", "h", 1.0, "ok"))
    with open_recording(tmp_path / "r.tscope") as recording:
        (found,) = recording.buffers("h")
        assert (found.name, found.key, found.origin, found.layout) == ("A_shared", 3, Origin("a.py", 17), True)
        assert (found.shape, found.declared, found.used) == ((3, 128, 32), (1,), (2,))
        assert recording.line_map("h").unplaced == (3,)


def test_generated_lines_keep_all_origins_and_the_role(tmp_path: Path) -> None:
    lines = (GeneratedLine(3, ((0, 24), (1, 7)), "producer"), GeneratedLine(2, (), "barrier"))
    with RecordingWriter(tmp_path / "r.tscope", dataclasses.replace(INFO, workspace="/w")) as writer:
        writer.add(Generated(0, "cuda", "a\nb\nc\n", ("/w/a.py", "/e/macro.py"), lines))
    with open_recording(tmp_path / "r.tscope") as recording:
        barrier, load = recording.generated_lines()
    assert (barrier.line, barrier.origins, barrier.role) == (2, (), "barrier")
    assert (load.line, load.origins, load.role) == (3, (Origin("a.py", 24), Origin("/e/macro.py", 7)), "producer")


def test_recordings_of_schema_1_are_still_read() -> None:
    with open_recording(Path(__file__).parent / "schema1.tscope") as recording:
        assert recording.info.kernel.qualname == "matmul.main"
        last = recording.passes[-1].after
        assert "T.tma_load" in recording.text(last)
        assert recording.line_map(last).origins
        assert recording.line_map(last).unplaced is None
        assert recording.buffers(last) == ()
        assert "main_kernel" in recording.generated()
        assert recording.generated_lines() == ()


def test_the_file_is_marked_as_a_recording(make_recording) -> None:
    database = sqlite3.connect(make_recording())
    assert database.execute("PRAGMA application_id").fetchone() == (int.from_bytes(b"TSCP", "big"),)
    assert database.execute("PRAGMA user_version").fetchone() == (2,)
    database.close()
