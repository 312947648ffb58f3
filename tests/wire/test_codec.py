"""Messages survive the wire; what is no message is refused with the place."""

from __future__ import annotations

import json
import typing

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tilescope_worker.wire import codec, facts, messages

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)
st.register_type_strategy(float, st.floats(allow_nan=False))
st.register_type_strategy(str, st.text(max_size=12))  # lone surrogates are left out by default, as in real text

MESSAGES = st.one_of(
    *(
        st.from_type(kind)
        for kind in typing.get_args(messages.Message)
        if kind not in (messages.KernelUpdate, messages.Job)
    )
)


@settings(max_examples=150, deadline=None)
@given(MESSAGES)
def test_round_trip(message: messages.Message) -> None:
    frame = codec.encode(message)
    assert codec.HEADER.unpack(frame[: codec.HEADER.size])[0] == len(frame) - codec.HEADER.size
    assert codec.decode(frame[codec.HEADER.size :]) == message


def test_a_kernel_with_everything_survives() -> None:
    kernel = facts.Kernel(
        name="main",
        qualname="matmul.main",
        line=3,
        form="lazy",
        target="cuda:sm_90a",
        target_origin="default",
        stage="lowered",
        status="ok",
        specialization=facts.Specialization(
            "0" * 12, "call", {"M": facts.Argument(128, "call", "a.py", 9)}, {"k": [1]}
        ),
        launch=facts.Launch(
            (8, "N // 128"),
            128,
            256,
            occupancy=0.5,
            cluster=(2, 1, 1),
            warp_groups=(facts.WarpGroup("producer", 128, 24),),
            memory=(facts.MemoryUse("shared", 4096),),
            cores=("cube",),
            flags=(facts.Flag("MTE2_MTE1", 1, 1, (0,)),),
        ),
        buffers=(facts.Buffer("A", 3, 5, (128, "M"), "float16", "global"),),
        operations=(facts.Operation("copy", 4, 5, 9, ("tma_load",), {"tile": [1, 2]}, (7,)),),
    )
    update = messages.KernelUpdate(0, kernel)
    assert codec.decode(codec.encode(update)[codec.HEADER.size :]) == update


def test_lone_surrogates_survive() -> None:
    job = messages.Job("/x.py", "s = '\ud800'", ())
    assert codec.decode(codec.encode(job)[codec.HEADER.size :]) == job


@given(st.binary(max_size=40) | JSON.map(lambda value: json.dumps(value).encode()))
def test_anything_else_is_a_wire_error(body: bytes) -> None:
    with pytest.raises(codec.WireError):
        codec.decode(body)


@pytest.mark.parametrize(
    ("body", "says"),
    [
        (b"{", "not JSON"),
        (b"[]", "expected an object, got list"),
        (b'{"type": "Nothing"}', "unknown message type"),
        (b'{"type": "Kill"}', "Kill: missing key 'name'"),
        (b'{"type": "Kill", "name": 3}', "Kill.name: expected str, got int"),
        (b'{"type": "Kill", "name": "x", "age": 3}', "Kill: unknown key 'age'"),
        (b'{"type": "PassEnded", "duration_ms": 1' + b"0" * 400 + b"}", "duration_ms: expected float, got int"),
        (
            b'{"type": "Fork", "name": "x", "role": "king", "log": ""}',
            "Fork.role: expected one of base, child, got 'king'",
        ),
        (
            b'{"type": "Fork", "name": "x", "role": "base", "log": "", "imports": ["a", 1]}',
            r"Fork.imports\[1\]: expected str",
        ),
    ],
)
def test_the_place_is_named(body: bytes, says: str) -> None:
    with pytest.raises(codec.WireError, match=says):
        codec.decode(body)
