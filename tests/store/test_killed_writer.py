"""kill -9 while writing leaves a readable recording, and a second writer is kept out until the first one ends."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tilescope_trace.errors import UsageError
from tilescope_trace.store.read import open_recording
from tilescope_trace.store.write import RecordingWriter
from tilescope_worker.wire.messages import PassBegan, PassEnded, PassText

ENDLESS = """
import sys
from pathlib import Path
from tilescope_trace.store.write import RecordingWriter
from tilescope_worker.wire.messages import PassBegan, PassEnded, PassText

with RecordingWriter(Path(sys.argv[1])) as writer:
    index = 0
    while True:
        writer.add(PassBegan(0, index, "tl.Pass", None, 0, None))
        writer.add(PassText(0, f"h{index}", f"line {index}\\n" * (index % 50 * 40), ("a.py",), ((1, 0, index),)))
        writer.add(PassEnded(0, index, "tl.Pass", None, "both", 0, None, True, f"h{index}", f"h{index}", 1.0, "ok"))
        print(index, flush=True)
        index += 1
"""

HOT = """
import os, sqlite3, sys

database = sqlite3.connect(sys.argv[1], isolation_level=None)
database.execute("PRAGMA cache_size = 1")
database.execute("BEGIN")
for at in range(200):
    database.execute("INSERT INTO text (hash, sum, body) VALUES (?, x'00', ?)", (f"x{at}", b"0" * 5000))
os.kill(os.getpid(), 9)
"""


@pytest.mark.parametrize("passes", [1, 20, 77])
def test_all_passes_that_ended_are_kept(tmp_path: Path, passes: int) -> None:
    path = tmp_path / "killed.tscope"
    command = [sys.executable, "-c", ENDLESS, str(path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        for _ in range(passes):
            last = int(process.stdout.readline())
        process.kill()
    with open_recording(path) as recording:
        assert recording.info.status == "incomplete"
        assert len(recording.passes) > last
        for record in recording.passes[: last + 1]:
            assert record.status == "ok"
            assert recording.text(record.after) == f"line {record.index}\n" * (record.index % 50 * 40)


def test_killed_in_the_middle_of_a_write(make_recording) -> None:
    """The journal that such a writer leaves is played back before reading."""
    path = make_recording()
    whole = path.read_bytes()
    subprocess.run([sys.executable, "-c", HOT, str(path)], check=False)
    assert path.with_name(path.name + "-journal").exists()
    assert path.read_bytes() != whole
    with open_recording(path) as recording:
        assert [record.name for record in recording.passes][4] == "tl.LayoutInference"
        assert recording.generated()
    assert not path.with_name(path.name + "-journal").exists()


def test_a_stale_journal_does_not_reach_the_next_recording(make_recording) -> None:
    path = make_recording()
    subprocess.run([sys.executable, "-c", HOT, str(path)], check=False)
    with RecordingWriter(path) as writer:
        writer.add(PassBegan(0, 0, "tl.Only", None, 0, None))
    with open_recording(path) as recording:
        assert [record.name for record in recording.passes] == ["tl.Only"]


def test_the_file_can_be_read_while_it_is_written(make_recording, tmp_path: Path) -> None:
    path = tmp_path / "live.tscope"
    with open_recording(make_recording()) as whole:
        info = whole.info
    with RecordingWriter(path, info) as writer:
        with open_recording(path) as recording:
            assert recording.passes == ()
        writer.add(PassText(0, "h", "x"))
        writer.add(PassEnded(0, 0, "tl.First", None, "both", 0, None, False, "h", "h", 1.0, "ok"))
        writer.add(PassBegan(0, 1, "tl.Second", None, 0, None))
        with open_recording(path) as recording:
            assert recording.info.status == "incomplete"
            assert recording.info.kernel.qualname == "matmul.main"
            assert [record.status for record in recording.passes] == ["ok", "failed"]
            assert recording.passes[1].error == "The recording ends inside this pass."


REPLAY = """
import os, random, signal, sys, time
from pathlib import Path
from tilescope_trace.store.read import open_recording
from tilescope_trace.store.write import RecordingWriter
from tilescope_worker.wire.messages import PassBegan, PassEnded, PassText

with open_recording(Path(sys.argv[1])) as whole:
    passes = whole.passes
    names = {name for record in passes for name in (record.before, record.after) if name}
    texts = {name: whole.text(name) for name in names}

def write(path, told):
    with RecordingWriter(path) as writer:
        for one in passes:
            writer.add(PassBegan(0, one.index, one.name, one.phase, one.depth, one.parent))
            for name in (one.before, one.after):
                writer.add(PassText(0, name, texts[name], (), ()))
            writer.add(PassEnded(0, one.index, one.name, one.phase, one.module, one.depth, one.parent, one.changed,
                                 one.before, one.after, one.duration_ms, one.status))
            os.write(told, b".")
    os._exit(0)

chance = random.Random(5)
longest = None
for attempt in range(21):
    path = Path(sys.argv[2]) / f"{attempt}.tscope"
    readable, told = os.pipe()
    began = time.perf_counter()
    child = os.fork()
    if not child:
        write(path, told)
    os.close(told)
    if longest is not None:
        time.sleep(chance.uniform(0, longest))
        os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    longest = longest or time.perf_counter() - began
    acknowledged = len(os.read(readable, 1000))
    os.close(readable)
    if not acknowledged:
        continue
    with open_recording(path) as found:
        ended = [one for one in found.passes if one.status == "ok"]
        assert len(ended) >= acknowledged, (attempt, len(ended), acknowledged)
        for one, expected in zip(ended, passes):
            assert (one.index, one.name, one.before, one.after) == (
                expected.index, expected.name, expected.before, expected.after)
            assert found.text(one.after) == texts[one.after]
    print(acknowledged)
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_a_real_recording_killed_at_random_moments(real_gemm: Path, tmp_path: Path) -> None:
    """Every pass whose end was acknowledged is there, with its texts."""
    command = [sys.executable, "-c", REPLAY, str(real_gemm), str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert len(set(done.stdout.split())) > 3


def test_a_second_writer_is_told_and_harms_nothing(tmp_path: Path) -> None:
    path = tmp_path / "busy.tscope"
    command = [sys.executable, "-c", ENDLESS, str(path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        process.stdout.readline()
        for _ in range(3):
            with (
                pytest.raises(UsageError, match=r"busy\.tscope: another process is recording into it"),
                RecordingWriter(path),
            ):
                pass
        seen = [int(process.stdout.readline()) for _ in range(20)]
        process.kill()
    with open_recording(path) as recording:
        assert len(recording.passes) > seen[-1]
    with RecordingWriter(path):
        pass
    with open_recording(path) as recording:
        assert recording.passes == ()
