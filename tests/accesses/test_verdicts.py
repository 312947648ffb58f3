"""Verdicts on accesses, against all cases tried one by one."""

from __future__ import annotations

import itertools
import textwrap
from typing import Any

import pytest

from tilescope_worker import load
from tilescope_worker.facts import accesses
from tilescope_worker.wire.facts import Access, Coverage

PATH = "/nowhere/kernel.py"


def facts_of(parameters: str, body: str, *, grid: str = "2", **options: Any) -> accesses.Accesses:
    """Facts about a kernel of ``grid`` blocks (``bx``, ``by``) with 64 threads; line 8 is the first of ``body``."""
    text = textwrap.dedent(
        f"""\
        import tilelang
        import tilelang.language as T

        @T.prim_func
        def kernel({parameters}):
            with T.Kernel({grid}, threads=64) as {"(bx, by)" if "," in grid else "bx"}:
                pass
        """
    ) + textwrap.indent(textwrap.dedent(body), " " * 8)
    loaded = load.execute(PATH, text)
    assert loaded.error is None, loaded.error
    return accesses.read(loaded.namespace["kernel"], PATH, **options)


def only(facts: accesses.Accesses, buffer: str, mode: str) -> Access:
    (found,) = [one for one in facts.accesses if one.buffer == buffer and one.mode == mode]
    return found


def coverage(facts: accesses.Accesses, buffer: str, mode: str) -> Coverage:
    (found,) = [one for one in facts.coverage if one.buffer == buffer and one.mode == mode]
    return found


INDICES = (
    "i + j",
    "i * 4 + j",
    "i * 3 + j",
    "i + 8 * j",
    "(i + j) % 32",
    "i // 2 + j * 8",
    "T.min(i * 8 + j, 31)",
    "T.max(i - 3, 0) + j",
    "i + 5",
    "33 - i - j",
    "31 - i - j",
    "i ^ j",
    "(i << 2) | j",
    "bx * 16 + i",
    "bx * 16 + i + j",
    "T.if_then_else(i > 7, 0, i)",
)
GUARDS = ("True", "i + j < 32", "i < 6", "i * 4 + j < 32", "i + 4 <= 11 and j > 0", "i != 9", "i % 2 == 0")


@pytest.mark.parametrize("guard", GUARDS)
@pytest.mark.parametrize("index", INDICES)
def test_bounds_are_those_of_all_cases(index: str, guard: str) -> None:
    body = f"""\
    s = T.alloc_shared((32,), "float32")
    for i, j in T.Parallel(10, 4):
        if {guard}:
            C[i] = s[{index}]
    """
    access = only(facts_of('C: T.Tensor((64,), "float32")', body), "s", "read")
    scope = {"T": _Python}
    cases = [
        dict(zip(("bx", "i", "j"), case, strict=True)) for case in itertools.product(range(2), range(10), range(4))
    ]
    outside = [
        case for case in cases if eval(guard, scope, case) and not 0 <= _wrapped(eval(index, scope, case)) < 32
    ]
    assert access.bounds == ("faulty" if outside else "safe")
    if outside:
        witness = access.witnesses["bounds"]
        case = {"bx": 0, "i": 0, "j": 0, **witness.values}
        assert case in outside or any(witness.values.items() <= one.items() for one in outside)
        assert witness.index == eval(index, scope, case)
        assert witness.extent == 32


class _Python:
    min = staticmethod(min)
    max = staticmethod(max)

    @staticmethod
    def if_then_else(condition: bool, one: int, other: int) -> int:
        return one if condition else other


def _wrapped(index: int) -> int:
    return index


@pytest.mark.parametrize(
    "index",
    [
        "i",
        "j",
        "i * 4 + j",
        "i * 3 + j",
        "i + 16 * j",
        "i // 2 + 8 * j",
        "(i * 4 + j) % 64",
        "(i * 4 + j) % 48",
        "i ^ j",
        "T.min(i, 14) * 4 + j",
        "63 - i * 4 - j",
        "bx * 64 + i * 4 + j",
    ],
)
def test_races_are_those_of_all_pairs(index: str) -> None:
    body = f"""\
    s = T.alloc_shared((256,), "float32")
    for i, j in T.Parallel(16, 4):
        s[{index}] = A[i, j]
    """
    access = only(facts_of('A: T.Tensor((16, 4), "float32")', body), "s", "write")
    places: dict[int, tuple[int, int]] = {}
    collide = False
    for case in itertools.product(range(16), range(4)):
        place = eval(index, {"T": _Python}, {"bx": 0, "i": case[0], "j": case[1]})
        collide |= places.setdefault(place, case) != case
    assert access.race == ("faulty" if collide else "safe")
    if collide:
        witness = access.witnesses["race"]
        one = {"bx": 0, "i": 0, "j": 0, **witness.values}
        other = {"bx": 0, "i": 0, "j": 0, **witness.detail["other"]}
        assert one != other
        assert len({eval(index, {"T": _Python}, case) for case in (one, other)}) == 1


def test_what_the_compiler_guards_is_told_apart() -> None:
    parameters = 'A: T.Tensor((100,), "float32"), C: T.Tensor((100,), "float32")'
    body = """\
    for i in T.Parallel(64):
        C[bx * 64 + i] = A[bx * 64 + i]
    """
    guarded = facts_of(parameters, body)
    assert {one.bounds for one in guarded.accesses} == {"masked"}
    assert only(guarded, "A", "read").witnesses["bounds"].index == 127
    assert {one.bounds for one in facts_of(parameters, body, guarding=False).accesses} == {"faulty"}


def test_a_copy_is_guarded_whatever_the_pass_configs_say() -> None:
    body = """\
    s = T.alloc_shared((64,), "float32")
    T.copy(A[bx * 64], s)
    """
    facts = facts_of('A: T.Tensor((100,), "float32")', body, guarding=False)
    assert only(facts, "A", "read").bounds == "masked"
    assert only(facts, "s", "write").bounds == "safe"


def test_dynamic_sizes_are_proved_by_their_conditions_only() -> None:
    body = """\
    for i in T.Parallel(64):
        if bx * 64 + i < n:
            C[bx * 64 + i] = A[bx * 64 + i + 1]
    """
    text = 'A: T.Tensor((n,), "float32"), C: T.Tensor((n,), "float32")'
    loaded = load.execute(
        PATH,
        "import tilelang\nimport tilelang.language as T\nn = T.dynamic('n')\n@T.prim_func\n"
        f"def kernel({text}):\n    with T.Kernel(T.ceildiv(n, 64), threads=64) as bx:\n"
        + textwrap.indent(textwrap.dedent(body), " " * 8),
    )
    assert loaded.error is None
    facts = accesses.read(loaded.namespace["kernel"], PATH)
    assert only(facts, "C", "write").bounds == "safe"
    assert only(facts, "A", "read").bounds == "unknown"
    assert {one.verdict for one in facts.coverage} == {"unknown"}


def test_indices_from_memory_are_unknown() -> None:
    parameters = 'A: T.Tensor((64,), "float32"), at: T.Tensor((64,), "int32"), C: T.Tensor((64,), "float32")'
    facts = facts_of(parameters, "for i in T.Parallel(64):\n    C[at[i]] = A[i]\n")
    write = only(facts, "C", "write")
    assert (write.bounds, write.race, write.indices) == ("unknown", "unknown", ("at[i]",))
    assert coverage(facts, "C", "write").verdict == "unknown"


@pytest.mark.parametrize(
    ("statements", "verdict"),
    [
        ("T.clear(s)\nT.copy(s, C)", "safe"),
        ("T.copy(s, C)", "faulty"),
        ("T.copy(s, C)\nT.clear(s)", "unknown"),  # another thread may have written
        ("T.clear(s[0:16])\nT.copy(s, C)", "faulty"),
        ("T.clear(s[0:16])\nT.clear(s[16:32])\nT.copy(s, C)", "unknown"),
        ("if bx == 0:\n    T.clear(s)\nT.copy(s, C)", "unknown"),
        ("for i in T.Parallel(32):\n    s[i] = 1.0\nT.copy(s, C)", "safe"),
        ("for i in T.Parallel(16):\n    s[i * 2] = 1.0\nT.copy(s, C)", "faulty"),
        ("for i in T.Parallel(16):\n    s[i * 2] = 1.0\n    s[i * 2 + 1] = 2.0\nT.copy(s, C)", "unknown"),
        ("for i in T.Parallel(30):\n    s[i + 1] = 1.0\nT.copy(s, C)", "faulty"),
        ("if T.get_thread_binding() < 0:\n    T.copy(s, C)", "unknown"),
    ],
)
def test_initialisation(statements: str, verdict: str) -> None:
    body = 's = T.alloc_shared((32,), "float32")\n' + statements
    assert only(facts_of('C: T.Tensor((32,), "float32")', body), "s", "read").initialised == verdict


@pytest.mark.parametrize(
    "call",
    [
        'T.evaluate(T.call_extern("handle", "init", T.address_of(s[0])))',
        'T.evaluate(T.call_extern("handle", "init", s.data))',
        'T.evaluate(T.call_extern("handle", "init", s.access_ptr("w")))',
    ],
)
def test_who_has_the_address_may_have_written(call: str) -> None:
    body = f's = T.alloc_shared((32,), "float32")\n{call}\nT.copy(s, C)'
    facts = facts_of('C: T.Tensor((32,), "float32")', body)
    assert [one.initialised for one in facts.accesses if one.buffer == "s" and one.mode == "read"] == ["unknown"]


def test_a_fragment_is_read_in_the_order_of_the_text() -> None:
    body = """\
    f = T.alloc_fragment((32,), "float32")
    T.copy(f, C)
    T.clear(f)
    """
    assert only(facts_of('C: T.Tensor((32,), "float32")', body), "f", "read").initialised == "faulty"
    body = """\
    f = T.alloc_fragment((32,), "float32")
    for k in T.serial(4):
        T.copy(f, C)
        T.clear(f)
    """
    assert only(facts_of('C: T.Tensor((32,), "float32")', body), "f", "read").initialised == "unknown"


@pytest.mark.parametrize(
    ("grid", "body", "missing"),
    [
        ("8, 4", "T.copy(s, C[by * 16, bx * 16])", ()),
        ("4, 8", "T.copy(s, C[by * 16, bx * 16])", ((0, 63), (64, 127))),
        ("8, 3", "T.copy(s, C[by * 16, bx * 16])", ((48, 63), (0, 127))),
        ("8, 4", "T.copy(s, C[by * 16, bx * 8])", ((0, 63), (72, 127))),
        ("32, 1", "T.copy(s, C[bx // 8 * 16, bx % 8 * 16])", ()),
        ("16, 1", "T.copy(s, C[bx // 8 * 16, bx % 8 * 16])", ((32, 63), (0, 127))),
        ("8, 4", "for i, j in T.Parallel(16, 16):\n    C[by * 16 + i, bx * 16 + j] = 1.0", ()),
        ("8, 2", "for k in T.serial(2):\n    T.copy(s, C[(by * 2 + k) * 16, bx * 16])", ()),
    ],
)
def test_coverage(grid: str, body: str, missing: tuple[tuple[int, int], ...]) -> None:
    body = 's = T.alloc_shared((16, 16), "float32")\nT.clear(s)\n' + body
    found = coverage(facts_of('C: T.Tensor((64, 128), "float32")', body, grid=grid), "C", "write")
    assert (found.verdict == "faulty", found.missing) == (bool(missing), missing)


def test_work_is_bounded() -> None:
    """Thirty tables of eight loops each are not tried to the end."""
    loads = " + ".join(f"s[(a * b * c * d * e * f + {at}) % 31]" for at in range(30))
    body = f"""\
    s = T.alloc_shared((30,), "float32")
    for a, b, c in T.Parallel(8, 8, 8):
        for d in T.serial(32):
            for e in T.serial(32):
                for f in T.serial(32):
                    C[a, b, c] = {loads}
    """
    facts = facts_of('C: T.Tensor((8, 8, 8), "float32")', body)
    assert {one.bounds for one in facts.accesses if one.buffer == "s"} <= {"unknown", "faulty"}
