"""Pass configs that stand where a kernel is compiled, and what is said where they are not known."""

from __future__ import annotations

import pytest

FACTORY = """
import functools
import tilelang
import tilelang.language as T
from tilelang import tvm
from tilelang.transform import PassConfigKey

CONFIGS = {"tl.disable_tma_lower": True}


def factory(M=512):
    @T.prim_func
    def main(A: T.Tensor((M,), "float16")):
        with T.Kernel(M // 128, threads=128) as bx:
            T.fill(A[bx * 128 : bx * 128 + 128], 0)

    return main

"""


def configs(made):
    (request,) = made.requests
    (static,) = made.statics
    assert static.specialization.pass_configs == request.pass_configs
    return request.pass_configs


@pytest.mark.parametrize(
    ("use", "key"),
    [
        ("k = tilelang.compile(factory(), pass_configs=CONFIGS)", "tl.disable_tma_lower"),
        ("k = tilelang.compile(func=factory(), pass_configs=dict(CONFIGS))", "tl.disable_tma_lower"),
        ("k = tilelang.jit(factory, pass_configs=CONFIGS)", "tl.disable_tma_lower"),
        ("p = factory(M=256)\nk = tilelang.compile(p, pass_configs={'tl.x': True})", "tl.x"),
        ("k = tilelang.compile(factory(), pass_configs={PassConfigKey.TL_DISABLE_WGMMA: True})", "TL_DISABLE_WGMMA"),
        (
            "k = tilelang.compile(factory(), pass_configs={tilelang.PassConfigKey.TL_DISABLE_WGMMA.value: True})",
            "TL_DISABLE_WGMMA",
        ),
        (
            "def run():\n with tvm.transform.PassContext(config=CONFIGS):\n  return tilelang.lower(factory())",
            "tl.disable_tma_lower",
        ),
        (
            "def build(program, settings):\n    return tilelang.compile(program, pass_configs=settings)\n"
            "build(factory(), CONFIGS)",
            "tl.disable_tma_lower",
        ),
    ],
)
def test_pass_configs_of_a_compile_are_the_kernels(plan, use, key):
    made = plan(FACTORY + use)
    assert configs(made) == {key: True}
    assert not made.statics[0].notes


def test_what_is_asked_for_comes_over_them(plan):
    made = plan(
        FACTORY + "k = tilelang.compile(factory(), pass_configs=CONFIGS)",
        pass_configs={"tl.disable_tma_lower": False, "tl.y": 1},
    )
    assert configs(made) == {"tl.disable_tma_lower": False, "tl.y": 1}


def test_compile_flags_go_with_them(plan):
    made = plan(FACTORY + "k = tilelang.compile(factory(), compile_flags='-O3')")
    assert configs(made) == {"tl.device_compile_flags": ["-O3"]}


def test_a_pass_context_around_a_compile_does_not_reach_it(plan):
    made = plan(FACTORY + "with tvm.transform.PassContext(opt_level=3):\n    k = tilelang.compile(factory())")
    assert configs(made) == {}
    assert not made.statics[0].notes


@pytest.mark.parametrize(
    ("use", "said"),
    [
        ("k = tilelang.compile(factory(), pass_configs=read())", "pass configs at line 19 are not all known"),
        (
            "k = tilelang.compile(factory(), pass_configs={**CONFIGS, 'tl.x': read()})",
            "pass configs at line 19 are not all known",
        ),
        ("k = tilelang.compile(factory(), **read())", "pass configs at line 19 are not all known"),
        ("k = tilelang.compile(made_by(factory), pass_configs=CONFIGS)", "pass configs at line 19 are not applied"),
        ("around = tvm.transform.PassContext(config=CONFIGS)", "pass configs at line 19 are not applied"),
        (
            "def run():\n    return tilelang.jit(pass_configs=CONFIGS)(factory)",
            "pass configs at line 20 are not applied",
        ),
        (
            "a = tilelang.compile(factory(), pass_configs=CONFIGS)\n"
            "b = tilelang.jit(factory, pass_configs={'tl.x': True})",
            "the first of 2",
        ),
    ],
)
def test_what_is_not_known_is_said(plan, use, said):
    (static,) = plan(FACTORY + use).statics
    assert said in " ".join(static.notes)


def test_settings_that_take_effect_by_execution_are_left_to_it(plan):
    text = FACTORY.replace("    return main", "    return tilelang.compile(main, pass_configs=read())")
    text += (
        "mine = functools.partial(tilelang.jit, pass_configs=CONFIGS)\n\n@mine\ndef other():\n    return factory()\n"
    )
    made = plan(text)
    assert configs(made) == {}
    assert not made.statics[0].notes
