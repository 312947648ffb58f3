"""Target names have one spelling, wrong ones say what to write, and each target says where it is from."""

from __future__ import annotations

import pytest

from tilescope_trace.errors import UsageError
from tilescope_trace.source.targets import Target, choose, from_source, normalise

EAGER = """
import tilelang
import tilelang.language as T

TARGET = {{"kind": "cuda", "arch": "sm_80"}}

@tilelang.jit({arguments})
def k(A: T.Tensor((8,), "int8")):
    with T.Kernel(1): pass
"""


@pytest.mark.parametrize("name", ["cuda:sm_90a", "cuda:sm_80", "hip:gfx942", "metal", "ascend", "webgpu", "c"])
def test_good_names(name):
    assert normalise(f" {name.upper()} ") == name


@pytest.mark.parametrize(
    ("name", "advice"),
    [
        ("cuda", "cuda needs an architecture, such as cuda:sm_90a"),
        ("hip", "hip needs an architecture, such as hip:gfx942"),
        ("sm_90a", "write cuda:sm_90a"),
        ("gfx942", "write hip:gfx942"),
        ("cuda:90a", "write cuda:sm_90a"),
        ("cuda:sm90", "write cuda:sm_90"),
        ("metal:m1", "metal takes no architecture; write metal"),
        ("ascnd", "write one such as ascend"),
        ("", "write one such as cuda:sm_90a, hip:gfx942, metal, ascend, webgpu, c"),
    ],
)
def test_wrong_names_say_what_to_write(name, advice):
    with pytest.raises(UsageError, match="unknown target") as caught:
        normalise(name)
    assert str(caught.value).endswith(advice)


@pytest.mark.parametrize(("name", "missing"), [("llvm", "without LLVM"), ("cutedsl", "tilelang-cutedsl")])
def test_targets_that_are_not_to_be_had_say_what_is_missing(name, missing):
    with pytest.raises(UsageError, match=f"target '{name}' cannot be lowered: .*{missing}.*; write"):
        normalise(name)


@pytest.mark.parametrize(
    ("value", "target"),
    [
        ("cuda", None),
        ("auto", None),
        ("cuda -arch=sm_80", "cuda:sm_80"),
        ({"kind": "hip", "mcpu": "gfx942"}, "hip:gfx942"),
        ({"kind": "cuda"}, None),
        ("metal", "metal"),
        (None, None),
        (3, None),
    ],
)
def test_literals_in_the_source(value, target):
    assert from_source(value) == target


def test_the_ladder():
    device = "cuda:sm_80"
    assert choose(["metal", "c", "metal"], ["ascend"], "metal", "default") == (
        Target("metal", "command-line"),
        Target("c", "command-line"),
    )
    assert choose(["c"], [], None, "default", from_editor=True) == (Target("c", "editor"),)
    assert choose([], ["ascend"], "metal", "default") == (Target("ascend", "directive"),)
    assert choose([], [], "metal", "default", device=device) == (Target("metal", "source"),)
    assert choose([], [], None, "default", device=device) == (Target("cuda:sm_80", "device"),)
    assert choose([], [], None, "ascend", device=device) == (Target("ascend", "default"),)
    assert choose([], [], None, "default") == (Target("cuda:sm_90a", "default"),)


def test_what_a_project_configures_is_for_kernels_of_the_dialect():
    both = ["cuda:sm_80", "ascend"]
    assert choose([], [], None, "default", config=both) == (Target("cuda:sm_80", "config"),)
    assert choose([], [], None, "ascend", config=both) == (Target("ascend", "config"),)
    assert choose([], [], None, "ascend", config=["cuda:sm_80"]) == (Target("ascend", "default"),)
    assert choose([], ["metal"], "c", "default", every=["cuda:sm_80"]) == (Target("cuda:sm_80", "config"),)
    assert choose([], [], None, "ascend", every=["cuda:sm_80"]) == (Target("ascend", "default"),)


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ('target="cuda"', ("cuda:sm_90a", "default")),
        ("target=TARGET", ("cuda:sm_80", "source")),
        ('target="metal"', ("metal", "source")),
    ],
)
def test_the_decorator_names_the_target(plan, arguments, expected):
    kernel = plan(EAGER.format(arguments=arguments)).statics[0]
    assert (kernel.target, kernel.target_origin) == expected


def test_the_compile_call_names_the_target(plan):
    made = plan(
        """
        import tilelang, tilelang.language as T
        def f(N):
            @T.prim_func
            def main(A: T.Tensor((N,), "int8")): pass
            return main
        kernel = tilelang.compile(f(8), target="hip -mcpu=gfx942")
        """
    )
    assert (made.statics[0].target, made.statics[0].target_origin) == ("hip:gfx942", "source")


def test_a_compile_inside_the_factory_names_the_target(plan):
    made = plan(
        """
        import tilelang, tilelang.language as T
        def f(N=8):
            @T.prim_func
            def main(A: T.Tensor((N,), "int8")): pass
            return tilelang.compile(main, target="metal")
        """
    )
    assert (made.statics[0].target, made.statics[0].target_origin) == ("metal", "source")
