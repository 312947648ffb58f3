"""The life of a buffer: what happened to it, in words, and where it cannot be followed."""

from __future__ import annotations

import dataclasses

import pytest
from tests.recordings import INFO

from tilescope_trace.errors import UsageError
from tilescope_trace.history import of_buffer
from tilescope_trace.model import Buffer, Layout
from tilescope_trace.store.read import open_recording

from .conftest import Make, Moment, Source, state

COPY = "A = alloc()\nT.copy(A[0])"


def told(history) -> list[tuple[str, str]]:
    return [(step.record.name, step.change) for step in history.steps]


def test_stages_scope_and_merging_are_told_in_order(make: Make) -> None:
    moments = [
        Moment(COPY, buffers=(state("A", 0),)),
        Moment("A = alloc(3)\nT.copy(A[k])", buffers=(state("A", 0, shape=(3, 128, 32)),), name="stages"),
        Moment("A = flat()\nT.tma_load(A[k])", buffers=(state("A", 9, shape=(12288,), scope="shared"),), name="flat"),
        Moment(
            "A = offset(buf, 512)\nT.tma_load(A[k])",
            buffers=(
                state("buf", 10, None, dtype="uint8", declared=(), used=(1,)),
                state("A", 9, None, shape=(), scope="shared", inside="buf", offset=512),
            ),
            name="merge",
        ),
    ]
    history = of_buffer(make(moments), "A")
    assert told(history) == [
        ("stages", "created at gemm.py:17: float16 [128, 32] in shared.dyn"),
        ("stages", "multi-versioned: [128, 32] to [3, 128, 32], 3 stages"),
        (
            "flat",
            "flattened: [3, 128, 32] to [12288]; re-scoped from shared.dyn to shared; lowered: copy → tma_load",
        ),
        ("merge", "merged into buf at byte 512"),
    ]
    assert (history.subject.name, history.subject.file, history.subject.line) == ("A", "gemm.py", 17)


def test_only_passes_that_changed_it_are_steps(make: Make) -> None:
    moved = "other\nA = alloc()\n    T.copy(A[0])"
    moments = [
        Moment(COPY, buffers=(state("A", 0),)),
        Moment(moved, buffers=(state("A", 0, declared=(2,), used=(3,)),), name="moves"),
        Moment(
            "tx_1\nA_1 = alloc()\n    T.copy(A_1[0])",
            buffers=(state("A_1", 0, declared=(2,), used=(3,)),),
            name="renumbers",
        ),
        Moment(COPY.replace("[0]", "[tx]"), buffers=(state("A", 0),), name="rewrites"),
    ]
    assert told(of_buffer(make(moments), "A"))[1:] == [("rewrites", "rewritten")]


def test_a_buffer_is_followed_through_a_new_name(make: Make) -> None:
    moments = [
        Moment(COPY, buffers=(state("A", 0), state("B", 1, 18))),
        Moment(COPY + "\n1", buffers=(state("staging", 5), state("B", 6, 18)), name="by line"),
        Moment(COPY + "\n2", buffers=(state("tile", 5, None), state("B", 6, 18)), name="by memory"),
    ]
    assert told(of_buffer(make(moments), "A"))[1:] == [
        ("by line", "renamed A to staging"),
        ("by memory", "renamed staging to tile"),
    ]


def test_equal_names_at_one_line_are_told_apart(make: Make) -> None:
    """A macro allocates at one line for every call."""
    moments = [
        Moment(COPY, buffers=(state("tmp", 0), state("tmp_1", 1))),
        Moment(COPY + "\n1", buffers=(state("tmp", 0), state("tmp_1", 1, shape=(2, 128, 32))), name="stages"),
        Moment(COPY + "\n2", buffers=(state("tmp_1", 1, shape=(2, 128, 32)),), name="drops"),
    ]
    recording = make(moments)
    first, second = of_buffer(recording, "tmp"), of_buffer(recording, "tmp_1")
    assert told(first)[1:] == [("drops", "removed: nothing of it is left")]
    assert [name for name, _ in told(second)][1:] == ["stages"]
    assert first.notes == ("other buffers have the same name in Python: tmp_1 (line 17)",)


def test_where_it_cannot_be_followed_the_new_names_are_told(make: Make) -> None:
    moments = [
        Moment(COPY, buffers=(state("A", 0),)),
        Moment(COPY + "\n", buffers=(state("pool", 7, None),), name="pools"),
        Moment(COPY + "\n\n", buffers=(state("A", 8),), name="later"),
    ]
    assert told(of_buffer(make(moments), "A"))[1:] == [
        ("pools", "cannot be followed further: no longer there by memory, line or name; new are pool")
    ]


def test_a_buffer_of_the_compiler_is_created_by_its_pass(make: Make) -> None:
    barrier = state("barrier_1", 3, None, dtype="uint64", shape=(6,), scope="shared.barrier")
    moments = [Moment("x"), Moment("barrier_1 = alloc()\nwait", buffers=(barrier,), name="specialize")]
    history = of_buffer(make(moments), "barrier")
    assert told(history) == [("specialize", "created: uint64 [6] in shared.barrier")]
    assert history.subject.line is None


def test_a_layout_is_told_with_what_the_facts_know(make: Make) -> None:
    layout = Layout(kind="shared", summary="swizzle 64B", swizzle="64B")
    fact = Buffer("A", 17, 5, (128, 32), "float16", "shared.dyn", 8192, layout=layout)
    info = dataclasses.replace(INFO, kernel=dataclasses.replace(INFO.kernel, buffers=(fact,)))
    moments = [
        Moment(COPY, buffers=(state("A", 0),)),
        Moment(COPY + "\n", buffers=(state("A", 0, layout=True),), name="infer"),
        Moment(
            COPY + "\n\n",
            buffers=(state("A", 0, layout=True, shape=(16, 256)),),
            name="lower",
        ),
    ]
    assert told(of_buffer(make(moments, info=info), "A"))[1:] == [
        ("infer", "layout inferred: swizzle 64B"),
        ("lower", "laid out anew: [128, 32] to [16, 256]"),
    ]


def test_fragments_are_split_over_threads(make: Make) -> None:
    before = state("C", 0, 19, shape=(128, 128), scope="local.fragment")
    after = state("C", 4, 19, shape=(128,), scope="local")
    moments = [Moment(COPY, buffers=(before,)), Moment(COPY + "\n", buffers=(after,), name="lower")]
    (_, change) = told(of_buffer(make(moments), "C"))[1]
    assert change.startswith("split over threads: [128, 128] of the block to [128] a thread; re-scoped from")


def test_a_parameter_is_followed_into_the_device_function_or_stays_on_the_host(make: Make) -> None:
    def parameter(name: str, key: int, line: int, **fields: object):
        return state(name, key, line, scope="global", shape=(1024, 1024), **fields)

    host = (parameter("A", 0, 12), parameter("C", 1, 14, declared=(2,), used=(4,)))
    device = parameter("C_1", 2, 14, declared=(3,), used=())
    both = Moment("a\nc\nmain_kernel(C)\nT.call(C)", buffers=(*host, device), name="split")
    moments = [
        Moment("a\nc\nx\ny", buffers=host),
        both,
        Moment(
            "c\nstore",
            buffers=(dataclasses.replace(device, declared=(1,), used=(2,)),),
            name="filter",
            module="device",
        ),
    ]
    recording = make(moments, Source("f(A_desc, C) {\nload(A_desc);\nC[0] = 1;\nCC;\n}\n"))
    matrix, result = of_buffer(recording, "A"), of_buffer(recording, "C")
    assert told(matrix)[-1] == ("filter", "stays on the host: the device function has no buffer A")
    assert ("split", "passed to the device as C_1 [1024, 1024]; call added") in told(result)
    assert told(result)[-1][0] == "filter"
    assert [entry.line for entry in matrix.generated] == [1, 2]
    assert [entry.line for entry in result.generated] == [1, 3]


def test_the_hosts_half_and_nested_passes_are_no_steps(make_recording) -> None:
    with open_recording(make_recording()) as recording:
        history = of_buffer(recording, "A_shared")
    assert told(history) == [
        ("pass_fn", "created at gemm.py:10: float16 [128, 32] in shared.dyn"),
        ("tl.InjectSoftwarePipeline", "multi-versioned: [128, 32] to [3, 128, 32], 3 stages"),
        ("tl.LayoutInference", "layout inferred: see the IR"),
        ("tl.LowerTileOp", "lowered: copy → tma_load"),
    ]


def test_a_buffer_that_the_generated_source_has_as_a_part_of_another(make: Make) -> None:
    part = state("A", 3, shape=(8192,), used=(), inside="pool")
    moments = [
        Moment(COPY, buffers=(state("A", 0),)),
        Moment(COPY + "\n", buffers=(state("pool", 2, None), part), name="merge"),
    ]
    history = of_buffer(make(moments, Source("char pool[512];\nload(pool);\n")), "A")
    assert told(history)[1] == ("merge", "merged into pool; copy gone")
    assert history.generated == ()
    assert history.notes == ("the generated source has it only as a part of pool",)


def test_unknown_buffers_are_answered_with_the_names_there_are(make_recording) -> None:
    with (
        open_recording(make_recording()) as recording,
        pytest.raises(UsageError, match=r"no buffer 'A_sharde'\. There are A_shared, C_local\."),
    ):
        of_buffer(recording, "A_sharde")


def test_recordings_without_buffers_say_so(make: Make) -> None:
    with pytest.raises(UsageError, match="holds no buffers"):
        of_buffer(make([Moment("x"), Moment("y")]), "A")
