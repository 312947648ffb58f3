"""Our own recording of a kernel in one warm process, written to a file each time: what lower_trace is compared with.

    python record.py FILE KERNEL ARCH --times N

The last line is the milliseconds of each time: lowering, texts, line maps and the file. Run it with tilescope's
interpreter, in an empty folder.
"""

from __future__ import annotations

import argparse
import json
import time
from pathlib import Path

from tilescope_trace.model import Options, Snapshot
from tilescope_trace.source.plan import plan_file
from tilescope_trace.store.write import RecordingWriter
from tilescope_worker.wire.messages import Event, Generated, Job, PassBegan, PassEnded, PassText, RequestDone
from tilescope_worker.work import run_job


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("file", type=Path)
    parser.add_argument("kernel")
    parser.add_argument("arch")
    parser.add_argument("--times", type=int, default=5)
    options = parser.parse_args()
    snapshot = Snapshot(str(options.file), options.file.read_text(encoding="utf-8"))
    plan = plan_file(snapshot, Options(targets=(f"cuda:{options.arch}",)))
    requests = tuple(one for one in plan.requests if one.chain[0][0] == options.kernel)
    spent = []
    for number in range(options.times + 1):
        events: list[Event] = []
        run_job(Job(snapshot.path, snapshot.text, requests, record=True), events.append)
        started = time.perf_counter()
        with RecordingWriter(Path(f"{number}.tscope")) as writer:
            for event in events:
                if isinstance(event, (PassBegan, PassText, PassEnded, Generated)):
                    writer.add(event)
        (done,) = [event for event in events if isinstance(event, RequestDone)]
        spent.append(done.record_ms + (time.perf_counter() - started) * 1000)
    print(json.dumps(spent[1:]))


if __name__ == "__main__":
    main()
