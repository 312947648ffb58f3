"""What the compiler really does with accesses that leave their buffer: the source it generates says so."""

from __future__ import annotations

import textwrap

import pytest
import tilelang
import tvm

from tilescope_worker import load, targets

HEAD = """\
import tilelang
import tilelang.language as T

@T.prim_func
def kernel(A: T.Tensor((100,), "float32"), C: T.Tensor((100,), "float32")):
    with T.Kernel(2, threads=64) as bx:
"""


def generated(body: str, **configs: bool) -> str:
    """The body of the device function."""
    loaded = load.execute("/nowhere/consequence.py", HEAD + textwrap.indent(textwrap.dedent(body), " " * 8))
    assert loaded.error is None
    target = targets.resolve("cuda:sm_90a")
    with tvm.transform.PassContext(opt_level=3, config={f"tl.{name}": on for name, on in configs.items()}), target:
        source = str(tilelang.lower(loaded.namespace["kernel"], target=target).kernel_source)
    return source[source.rindex("__launch_bounds__") :]


TAIL = """\
for i in T.Parallel(64):
    C[bx * 64 + i] = A[bx * 64 + i]
"""


def test_global_memory_is_guarded() -> None:
    assert "if" in generated(TAIL)


def test_unless_the_guards_are_off() -> None:
    assert "if" not in generated(TAIL, disable_safe_memory_legalize=True)


def test_copies_are_guarded_even_then() -> None:
    body = """\
    f = T.alloc_fragment((64,), "float32")
    T.copy(A[bx * 64 : bx * 64 + 64], f)
    T.copy(f, C[bx * 64 : bx * 64 + 64])
    """
    assert generated(body, disable_safe_memory_legalize=True, disable_tma_lower=True).count("if") == 2


def test_what_is_never_inside_reads_as_zero() -> None:
    body = """\
    for i in T.Parallel(64):
        C[i] = A[i + 100]
    """
    source = generated(body)
    assert "A[" not in source
    assert "0x0p+0f" in source


@pytest.mark.parametrize("statement", ["C[0] = A[100]", "C[100] = 1.0"])
def test_a_constant_index_is_not_guarded(statement: str) -> None:
    source = generated(statement)
    assert "[100]" in source
    assert "if" not in source


def test_shared_memory_is_not_guarded() -> None:
    body = """\
    s = T.alloc_shared((64,), "float32")
    for i in T.Parallel(64):
        s[i + 4] = A[i]
    for i in T.Parallel(64):
        C[i] = s[i]
    """
    source = generated(body)
    assert "s[(((int)threadIdx.x) + 4)] =" in source
    assert "if" not in source
