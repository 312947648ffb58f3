"""From a snapshot through a real worker to facts: what only the whole way shows."""

from __future__ import annotations

import sys
from pathlib import Path

from tilescope_trace.analyse import analyse
from tilescope_trace.host import Host, Policy
from tilescope_trace.model import FileFacts, Options, Snapshot

KERNEL = """\
import os

import tilelang
import tilelang.language as T


@T.macro
def load(A, s, k):
    T.copy(A[k * 64], s)


@tilelang.jit
def stuck(N=1024):
    @T.prim_func
    def main(A: T.Tensor((N,), "float16")):
        with T.Kernel(1, threads=128) as bx:
            while True:
                os.getpid()

    return main


@tilelang.jit
def good(N=1024):
    @T.prim_func
    def main(A: T.Tensor((N,), "float16"), B: T.Tensor((N,), "float16")):
        with T.Kernel(1, threads=128) as bx:
            s = T.alloc_shared((64,), "float16")
            for k in T.serial(N // 64):
                load(A, s, k)
                T.copy(s, B[k * 64])
            load(A, s, 0)

    return main
"""


async def states_of(text: str, policy: Policy, path: Path) -> list[FileFacts]:
    async with Host(sys.executable, policy) as host:
        return [facts async for facts in analyse(Snapshot(str(path), text), Options(), host)]


async def test_a_kernel_that_kills_its_process_costs_its_own_facts_only(tmp_path: Path) -> None:
    text = KERNEL.replace("while True:\n                os.getpid()", "os._exit(3)")
    last = (await states_of(text, Policy(), tmp_path / "k.py"))[-1]
    stuck, good = last.kernels
    assert (stuck.status, good.status, good.stage) == ("failed", "ok", "lowered")
    (finding,) = stuck.findings
    assert finding.code == "TS004"
    assert "exit code 3" in finding.message
    assert not last.findings


async def test_a_kernel_that_ends_its_process_with_assumed_values_is_no_error(tmp_path: Path) -> None:
    text = """\
import os
import tilelang
import tilelang.language as T

@tilelang.jit
def exiting(M):
    if M != 12345:
        os._exit(3)
    @T.prim_func
    def main(A: T.Tensor((M,), "float16")):
        with T.Kernel(1, threads=128):
            T.clear(A)
    return main
"""
    (kernel,) = (await states_of(text, Policy(), tmp_path / "k.py"))[-1].kernels
    (finding,) = [one for one in kernel.findings if one.code == "TS004"]
    assert (kernel.status, finding.severity) == ("unresolved", "info")
    assert "values were tried for M" in finding.message


async def test_operations_in_macros_name_the_calls(tmp_path: Path) -> None:
    text = KERNEL.replace("while True:\n                os.getpid()", "pass")
    states = await states_of(text, Policy(), tmp_path / "k.py")
    assert [states[0].complete, states[-1].complete] == [False, True]
    good = states[-1].kernels[1]
    lines = text.splitlines()
    calls = tuple(number for number, line in enumerate(lines, 1) if line.strip().startswith("load("))
    copies = [
        operation for operation in good.operations if operation.line == lines.index("    T.copy(A[k * 64], s)") + 1
    ]
    assert copies
    assert {operation.called_from for operation in copies} == {calls}
    assert all(not operation.called_from for operation in good.operations if operation not in copies)
