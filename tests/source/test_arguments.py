"""Each argument comes from the strongest place that has it, and says which."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tilescope_trace.gather import Gathered
from tilescope_trace.model import Snapshot
from tilescope_trace.source.arguments import CONFIGS_UNKNOWN
from tilescope_worker.wire.messages import KernelUpdate

HEAD = """
import argparse
import functools
import pytest
import torch
import tilelang
import tilelang.language as T

SIZE = 512

@tilelang.jit
def matmul(M, N, K, block=128, dtype="float16"):
    @T.prim_func
    def main(A: T.Tensor((M, K), dtype)):
        with T.Kernel(1, threads=128):
            pass
    return main
"""
LINE = HEAD.count("\n") + 1
"""The line on which what follows HEAD begins."""


def arguments(made, index: int = 0):
    return {n: (a.value, a.origin) for n, a in made.statics[index].specialization.args.items()}


def called(made) -> tuple:
    args = arguments(made)
    return tuple(args[name][0] for name in ("M", "N", "K") if args.get(name, (0, ""))[1] == "call")


@pytest.mark.parametrize(
    "call",
    [
        "matmul(1024, 512, 256)",
        "kernel = matmul(2 * SIZE, SIZE, K=SIZE // 2)",
        "matmul.compile(M=1024, N=512, K=256)",
        "kernel = tilelang.compile(matmul(1024, 512, 256), out_idx=[2])",
        "M, (N, K) = 1024, (512, 256)\nmatmul(M, N, K)",
        "shape = dict(M=1024, N=512, K=256)\nmatmul(**shape)",
        "for M, N, K in [(1024, 512, 256), (1, 2, 3)]:\n    matmul(M, N, K)",
        "def run(m, n=512, k=256):\n    matmul(m, n, k)\nrun(1024)",
        "def main():\n    M = N = K = 512\n    M *= 2\n    K = min(K, 256)\n    matmul(M, N, K)\nmain()",
        "@pytest.mark.parametrize('m, n, k', [(1024, 512, 256), (1, 1, 1)])\n"
        "def test_it(m, n, k):\n    matmul(m, n, k)",
        "p = argparse.ArgumentParser()\np.add_argument('-m', '--rows', type=int, default=1024)\n"
        "p.add_argument('--n', default=512)\nargs = p.parse_args()\nmatmul(args.rows, args.n, 256)",
        "again = functools.partial(matmul, 1024, N=512)\nagain(K=256)",
        "class Runner:\n    def __init__(self):\n        self.kernel = matmul(1024, 512, 256)",
        "a = torch.randn(1024, 256, device='cuda', dtype=torch.float16)\nM, K = a.shape\nmatmul(M, SIZE, K)",
        "if __name__ == '__main__':\n    kernel = matmul(1024, 512, 256)\n    kernel()",
        "results = [matmul(m, 512, 256) for m in (1024, 2048)]",
    ],
)
def test_call_sites_are_followed(plan, call):
    made = plan(HEAD + call + "\n")
    assert called(made) == (1024, 512, 256)
    assert made.statics[0].missing == ()
    assert made.requests[0].arguments["M"].origin == "call"


def test_the_ladder(plan):
    text = HEAD.replace("@tilelang.jit", "# tilescope: N=2 K=3\n@tilelang.jit") + "matmul(7, 7, 7, block=64)\n"
    made = plan(text, arguments={"K": "4"})
    assert arguments(made) == {
        "M": (7, "call"),
        "N": (2, "directive"),
        "K": (4, "command-line"),
        "block": (64, "call"),
        "dtype": ("float16", "default"),
    }
    assert "dtype" not in made.requests[0].arguments
    assert made.statics[0].specialization.args["M"].line == LINE + 1


def test_missing_names_are_listed(plan):
    kernel = plan(HEAD + "matmul(unknown(), 5, K=thing)\n").statics[0]
    assert (kernel.status, kernel.missing) == ("unresolved", ("M", "K"))
    assert kernel.specialization.args["N"].origin == "call"


def test_the_first_complete_call_wins_and_says_so(plan):
    kernel = plan(HEAD + "matmul(x, 1, 1)\nmatmul(1, 2, 3)\nmatmul(4, 5, 6)\n").statics[0]
    assert kernel.specialization.args["M"].line == LINE + 1
    assert kernel.notes == ("first of 3 call sites",)


def test_a_default_in_place_of_an_unknown_value_is_said(plan):
    kernel = plan(HEAD + "matmul(1, 2, 3, block=choose())\n").statics[0]
    assert kernel.specialization.args["block"].origin == "default"
    assert kernel.notes == (f"block at the call in line {LINE} is not known: its default is used",)


def test_autotune_gives_what_calls_leave_open(plan):
    made = plan(
        """
        import tilelang, tilelang.language as T

        @tilelang.autotune(configs=[dict(block=b, stages=s) for b in (32, 64) for s in (2, 3)])
        @tilelang.jit
        def tuned(N, block=None, stages=1):
            @T.prim_func
            def main(A: T.Tensor((N,), "int8")):
                with T.Kernel(N // block): pass
            return main

        tuned(256)
        """
    )
    assert arguments(made) == {"N": (256, "call"), "block": (32, "autotune"), "stages": (2, "autotune")}
    assert made.statics[0].launch.grid == (8,)


def test_autotune_configs_from_a_helper(plan):
    text = """
        import itertools, tilelang, tilelang.language as T

        def get_configs():
            space = dict(block=[64, 128], threads=[256])
            return [dict(zip(space, values)) for values in itertools.product(*space.values())]

        @tilelang.autotune(configs=get_configs(), warmup=3)
        @tilelang.jit
        def tuned(N=512, block=None, threads=128):
            @T.prim_func
            def main(A: T.Tensor((N,), "int8")):
                with T.Kernel(N // block, threads=threads): pass
            return main
        """
    made = plan(text)
    assert arguments(made) == {"N": (512, "default"), "block": (64, "autotune"), "threads": (256, "autotune")}
    unknown = plan(text.replace("space = dict(block=[64, 128]", "space = dict(block=ask()"))
    assert arguments(unknown)["threads"] == (128, "default")
    assert unknown.statics[0].notes == ("the autotune configs are known at run time only: defaults stand for them",)


def test_what_a_method_changes_is_not_believed(plan):
    made = plan(HEAD + "sizes = [1]\nsizes.remove(1)\nmatmul(len(sizes), 2, 3)\n")
    assert made.statics[0].missing == ("M",)
    made = plan(HEAD + "sizes = [1]\nif unknown():\n    sizes.append(2)\nmatmul(len(sizes), 2, 3)\n")
    assert made.statics[0].missing == ("M",)


def test_helpers_are_followed_where_they_certainly_return_one_thing(plan):
    text = HEAD + "def pick(n):\n    if n > 4:\n        return 64\n    return 8\n\nmatmul(pick({}), 2, 3)\n"
    assert arguments(plan(text.format(5)))["M"] == (64, "call")
    assert arguments(plan(text.format(1)))["M"] == (8, "call")
    assert plan(text.format("unknown()")).statics[0].missing == ("M",)


def test_eager_sizes_come_from_the_tensors_of_the_call(plan):
    made = plan(
        """
        import torch, tilelang, tilelang.language as T

        @tilelang.jit
        def add(A, B, block: int = 128):
            M, N = T.const("M, N")
            A: T.Tensor[[M, N], T.float32]
            B: T.Tensor[[N], T.float32]
            with T.Kernel(T.ceildiv(N, block), threads=128) as bx:
                s = T.alloc_shared((block, N), T.float32)

        a = torch.randn(64, 256).cuda()
        add(a, torch.empty((256,)), block=32)
        """
    )
    assert arguments(made) == {"block": (32, "call"), "M": (64, "call"), "N": (256, "call")}
    kernel = made.statics[0]
    assert kernel.launch.grid == (8,)
    assert [b.shape for b in kernel.buffers] == [(64, 256), (256,), (32, 256)]


def test_a_factory_in_a_factory_gets_the_arguments_of_both_calls(plan):
    made = plan(
        """
        import functools, tilelang, tilelang.language as T

        @functools.lru_cache
        def outer(M, dtype):
            if dtype == "float16":
                @tilelang.jit
                def inner(threads):
                    @T.prim_func
                    def main(A: T.Tensor((M,), dtype)):
                        with T.Kernel(1, threads=threads): pass
                    return main
            else:
                @tilelang.jit
                def inner(threads):
                    @T.prim_func
                    def main(A: T.Tensor((M, M), dtype)):
                        with T.Kernel(2, threads=threads): pass
                    return main
            return inner

        outer(64, T.float16)(threads=256)
        """
    )
    (kernel,) = made.statics
    assert arguments(made) == {"M": (64, "call"), "dtype": ("float16", "call"), "threads": (256, "call")}
    assert (kernel.buffers[0].shape, kernel.launch.threads) == ((64,), 256)


@pytest.mark.parametrize(
    "text",
    [
        "x = 'a' * 10**12",
        "x = [0] * 10**12",
        "x = 10 ** 10 ** 10",
        "x = list(range(10**12))",
        "x = [i for i in range(10**9)]",
        "x = [i for a in range(4000) for b in range(4000) for i in range(4000) if False]",
        "x = 1 << 10**9",
        "x = 1 / 0",
        "x = ''.join(y for y in '%10000000000d' % 3)",
        "def f(): f()\nf()",
        "x = " + "(" * 150 + "matmul(1, 2, 3)" + ")" * 150,
        "while True:\n    pass",
    ],
)
def test_nothing_is_too_much(plan, text):
    assert plan(HEAD + text + "\nmatmul(1, 2, 3)\n").statics[0].missing == ()


def test_builtins_keep_their_meaning_beside_a_star_import(plan):
    made = plan(HEAD + "from tilelang.language import *\nmatmul(len([1, 2]), max(2, 3), int(4.0))\n")
    assert called(made) == (2, 3, 4)


def test_equal_arguments_are_one_specialization(plan):
    one, other = plan(HEAD + "matmul(1, 2, 3)\n"), plan(HEAD, arguments={"M": "1", "N": "2", "K": "3"})
    assert one.statics[0].specialization.id == other.statics[0].specialization.id
    assert one.statics[0].specialization.id != plan(HEAD).statics[0].specialization.id


def test_a_dict_without_names_appears_as_python_writes_it(plan):
    made = plan(
        """
        import tilelang
        import tilelang.language as T

        @tilelang.jit
        def kernel(cfg, more):
            @T.prim_func
            def main(A: T.Tensor((8,), "float32")):
                with T.Kernel(1) as bx:
                    pass
            return main
        """,
        arguments={"cfg": "{64: 128}", "more": "{'a': {1: 2}}"},
    )
    args = made.statics[0].specialization.args
    assert args["cfg"].value == "{64: 128}"
    assert args["more"].value == {"a": "{1: 2}"}


def test_unknown_autotune_configs_are_noted_until_the_file_has_been_executed(plan):
    made = plan("""
        import tilelang
        import tilelang.language as T

        @tilelang.autotune(configs=lambda *a, **k: [dict(x=1)])
        @tilelang.jit
        def kernel(x=None):
            @T.prim_func
            def main(A: T.Tensor((8,), "float32")):
                with T.Kernel(1) as bx:
                    pass
            return main
        """)
    (static,) = made.statics
    assert static.notes == (CONFIGS_UNKNOWN,)
    gathered = Gathered(Snapshot("kernel.py", "\n".join(made.parsed.lines)), made)
    gathered.take(KernelUpdate(0, replace(static, stage="lowered", notes=("told by the compiler",))), 0)
    assert gathered.kernels[0].notes == ("told by the compiler",)
