"""Calls are followed as Python would make them: through functions, classes, autograd, loops and launches."""

from __future__ import annotations

import argparse
import dataclasses
import os
import re
import types

import pytest

from tilescope_trace.source.plan import FilePlan

HEAD = """
import argparse, dataclasses, os, types
import click
import pytest
import torch
from einops import rearrange
import tilelang
import tilelang.language as T

@tilelang.jit
def matmul(M, N, K, block=128, dtype="float16"):
    @T.prim_func
    def main(A: T.Tensor((M, K), dtype)):
        with T.Kernel(1, threads=128):
            pass
    return main

"""


def called(made: FilePlan, index: int = 0) -> tuple[object, ...]:
    args = made.statics[index].specialization.args
    return tuple(args[name].value for name in ("M", "N", "K") if name in args and args[name].origin == "call")


_NEEDS = {"click", "cuda", "profiler", "rearrange", "tilelang", "version"}
"""What a program of this test cannot have."""
PROGRAMS = [
    # through functions, with what they return
    "def inner(m, n):\n    return matmul(m, n, 256)\ndef outer(x):\n    return inner(2 * x, x)\nouter(512)",
    "def sizes():\n    return 1024, 512, 256\nmatmul(*sizes())",
    "def run(*args, **config):\n    return matmul(*args, **config)\nrun(1024, 512, K=256)",
    "def bench(f):\n    return f()\nbench(lambda: matmul(1024, 512, 256))",
    "from tilelang.profiler import do_bench\nM = 1024\ndo_bench(lambda: matmul(M, 512, 256))",
    "def main():\n    m = 1024\n    def run():\n        matmul(m, 512, 256)\n    torch.cuda.graph(run)\nmain()",
    "tilelang.jit(out_idx=-1)(matmul)(1024, 512, 256)",
    # classes
    "class Op:\n    def __init__(self, m, n=512):\n        self.m, self.n = m, n\n"
    "        self.kernel = self.build(256)\n"
    "    def build(self, k):\n        return matmul(self.m, self.n, k)\nOp(1024)",
    "class Base:\n    def run(self):\n        return matmul(self.m, 512, self.k)\n"
    "class Op(Base):\n    k = 256\n    def __init__(self):\n        super().__init__()\n"
    "        self.m = 1024\nOp().run()",
    "class Op(torch.nn.Module):\n    def __init__(self, n):\n        super().__init__()\n        self.n = n\n"
    "    def forward(self, x):\n        return matmul(x.shape[0], self.n, x.size(-1))\n"
    "Op(512)(torch.rand(1024, 256))",
    "class Op:\n    def __init__(self, m=1024):\n        self.m = m\n    def forward(self):\n"
    "        matmul(self.m, 512, 256)",
    "class Op:\n    @property\n    def k(self):\n        return 256\n    @staticmethod\n"
    "    def m():\n        return 1024\n"
    "op = Op()\nmatmul(op.m(), 512, op.k)",
    "@dataclasses.dataclass\nclass Config:\n    m: int = 1024\n    n: int = 0\n"
    "    k: int = dataclasses.field(default=256)\n"
    "c = Config(n=512)\nmatmul(c.m, c.n, c.k)",
    "o = types.SimpleNamespace(m=1024, n=512)\nmatmul(o.m, o.n, 256)",
    "class Fn(torch.autograd.Function):\n    @staticmethod\n    def forward(ctx, a, b):\n"
    "        ctx.save_for_backward(a, b)\n"
    "        return torch.empty(a.shape[0], b.shape[0])\n    @staticmethod\n    def backward(ctx, grad):\n"
    "        a, b = ctx.saved_tensors\n        matmul(*grad.shape, a.shape[1])\n"
    "apply = Fn.apply\napply(torch.rand(1024, 256), torch.rand(512, 256))",
    # command lines and environments
    "p = argparse.ArgumentParser()\np.add_argument('--m', type=int, default=1024)\n"
    "def main(args):\n    matmul(args.m, 512, 256)\nmain(p.parse_args())",
    "@click.command()\n@click.option('--m', default=1024)\n@click.option('-n', '--cols', default=512)\n"
    "def main(m, cols):\n    matmul(m, cols, 256)\nmain()",
    "matmul(int(os.environ.get('M', '1024')), 512, 256)",
    # loops and branches
    "shapes = []\nfor m in (1024, 2048):\n    shapes.append((m, 512, 256))\nfor s in shapes:\n    matmul(*s)",
    "def pick(n):\n    for b in (100, 512, 1024):\n        if n % b == 0:\n"
    "            return b\nmatmul(1024, pick(1024), 256)",
    "sizes = {}\nsizes['m'] = 1024\nsizes.update(n=512)\nmatmul(sizes['m'], sizes['n'], 256)",
    "p = argparse.ArgumentParser()\np.add_argument('--tune', action='store_true')\nargs = p.parse_args()\n"
    "if args.tune:\n    matmul(1024, 512, 256)",
    "if torch.cuda.get_device_capability()[0] == 9:\n    matmul(1024, 512, 256)\nelse:\n    matmul(1, 2, 3)",
    "if torch.version.hip is None:\n    matmul(1024, 512, 256)",
    "@pytest.mark.parametrize('k', [256])\n"
    "@pytest.mark.parametrize(('m', 'n'), [pytest.param(1024, 512), (1, 2)])\n"
    "def test_it(m, n, k):\n    matmul(m, n, k)",
    # shapes
    "x = torch.zeros((1024, 16, 32), dtype=torch.half, device='cuda')\ny = x.view(-1, 512)\n"
    "matmul(y.shape[0] // 1, y.size(1), 256)",
    "x = rearrange(torch.rand(4, 8, 1024), 'b (h d) s -> s (b h d)', h=2)\nmatmul(x.shape[0], 512, x.shape[1] * 8)",
    "a, b = torch.rand(1024, 256), torch.rand(256, 512)\nc = a @ b\nmatmul(*c.shape, b.shape[0])",
    "x = torch.cat([torch.rand(512, 512), torch.rand(512, 512)])\nmatmul(*x.shape, x[..., :256].size(-1))",
    "def swap(x):\n    return x.transpose(0, 1).contiguous()\nx = swap(torch.rand(512, 1024))\nmatmul(*x.shape, 256)",
]
"""Each calls ``matmul(1024, 512, 256)``, if by detours."""


@pytest.mark.parametrize("call", PROGRAMS)
def test_calls_are_followed(plan, call):
    assert called(plan(HEAD + call + "\n")) == (1024, 512, 256)


@pytest.mark.parametrize("call", [call for call in PROGRAMS if not _NEEDS & set(re.findall(r"\w+", call))])
def test_running_the_program_makes_the_same_calls(call, monkeypatch):
    """What is expected above is what Python does; functions that only a test runner or nobody calls are not run."""
    monkeypatch.setattr("sys.argv", ["program.py"])
    seen: list[tuple[int, ...]] = []

    def matmul(M, N, K, block=128, dtype="float16"):
        seen.append((M, N, K))

    names = {"matmul": matmul, "torch": pytest.importorskip("torch"), "pytest": pytest, "argparse": argparse}
    names |= {"dataclasses": dataclasses, "os": os, "types": types}
    exec(compile(call.replace("'cuda'", "'cpu'"), "program.py", "exec"), names)
    assert not seen or seen[0] == (1024, 512, 256)


def test_what_a_launch_gives_back_has_the_declared_shape(plan):
    made = plan(
        HEAD
        + """
@tilelang.jit(out_idx=[-1])
def add(M, N):
    @T.prim_func
    def main(A: T.Tensor((M, N), "float16"), B: T.Tensor((N, M), "float16")):
        with T.Kernel(1, threads=128):
            pass
    return main

@tilelang.jit
def eager(A, block: int = 64):
    M, N = T.const("M, N")
    A: T.Tensor((M, N), "float16")
    B = T.empty((M, N, block), "float32")
    with T.Kernel(1, threads=128):
        pass
    return B

b = add(512, 1024)(torch.rand(512, 1024))
c = eager(b, block=256)
matmul(*c.shape)
"""
    )
    assert called(made) == (1024, 512, 256)


def test_constants_come_from_tensors_whatever_way_their_shape_is_written(plan):
    made = plan(
        """
        import torch, tilelang, tilelang.language as T

        @tilelang.jit
        def gemm(A, B, transposed=False, block=64):
            M, N, K = T.const("M, N, K")
            a_shape = (K, M) if transposed else (M, K)
            A: T.Tensor(a_shape, T.float16)
            B: T.Tensor([N, K], T.float16)
            with T.Kernel(1, threads=128):
                pass

        gemm(torch.rand(64, 128), torch.rand(32, 64), True)
        gemm.compile(M=1, N=2, K=3)
        """
    )
    args = made.statics[0].specialization.args
    assert {name: args[name].value for name in "MNK"} == {"M": 128, "N": 32, "K": 64}


def test_named_things_of_known_modules_are_passed_by_name(plan):
    made = plan(
        HEAD
        + """
@tilelang.jit
def apply(M, op, policy):
    @T.prim_func
    def main(A: T.Tensor((M,), "float32")):
        with T.Kernel(1, threads=128):
            pass
    return main

apply(T.dynamic("m"), T.exp, T.GemmWarpPolicy.Square)
"""
    )
    request = next(request for request in made.requests if request.chain[0][0] == "apply")
    assert {name: argument.text for name, argument in request.arguments.items()} == {
        "M": "tilelang.language.dynamic('m')",
        "op": "tilelang.language.exp",
        "policy": "tilelang.language.GemmWarpPolicy.Square",
    }


@pytest.mark.parametrize(
    ("call", "note"),
    [
        ("for m in (1, 2, 3):\n    matmul(m, 1, 1)", "first of 3 calls at this site"),
        ("matmul(1, 1, 1)\nfor m in range(100):\n    matmul(m, 1, 1)", "first of 2 call sites, 101 calls"),
        (
            "@pytest.mark.parametrize('m', [1, 2])\n@pytest.mark.parametrize('n', [3, 4])\n"
            "def test_it(m, n):\n    @T.prim_func\n    def other(A: T.Tensor((m, n), 'int8')):\n"
            "        with T.Kernel(1): pass",
            "first of 4 calls at this site",
        ),
    ],
)
def test_the_calls_behind_the_first_are_counted(plan, call, note):
    made = plan(HEAD + call + "\n")
    assert note in made.statics[-1].notes + made.statics[0].notes


@pytest.mark.parametrize(
    "call",
    [
        "class Op:\n    def __init__(self):\n        self.m = 1\n        if unknown():\n"
        "            self.m = 2\nmatmul(Op().m, 2, 3)",
        "m = 1\nfor _ in unknown():\n    m = 2\nmatmul(m, 2, 3)",
        "x = torch.rand(4, 4)\nmatmul(x[x > 0].shape[0], 2, 3)",
        "def pick(x):\n    if x > unknown():\n        return 1\nmatmul(pick(1), 2, 3)",
        "import random\nmatmul(random.randint(1, 2), 2, 3)",
        "def stop(x):\n    yield x\n    if unknown():\n        yield 2\nmatmul(len(list(stop(1))), 2, 3)",
        "@unknown\ndef size():\n    return 1\nmatmul(size(), 2, 3)",
    ],
)
def test_what_is_not_certain_is_not_told(plan, call):
    assert plan(HEAD + call + "\n").statics[0].missing == ("M",)


@pytest.mark.parametrize(
    "text",
    [
        "def f(n):\n    return f(n + 1)\nf(0)",
        "def f(*a):\n    return f(*a, 1)\nf()",
        "class A:\n    def __init__(self):\n        self.other = A()\nA()",
        "for a in range(60):\n    for b in range(60):\n        for c in range(60):\n"
        "            x = []\n            x.append(1)",
        "x = [[a, b, c] for a in range(200) for b in range(200) for c in range(200)]",
        "def g():\n    while True:\n        yield g()\nlist(g())",
        "f = lambda: f()\nf()",
        "x = []\nx.append(x)\nmatmul(x, x, x)",
    ],
)
def test_no_program_is_too_much(plan, text):
    assert plan(HEAD + text + "\nmatmul(1024, 512, 256)\n").statics[0].missing == ()


@pytest.mark.parametrize(
    "call",
    [
        "a = [0] * 4096; b = [a] * 4096; c = [b] * 4096; matmul(len(c), len(c), len(c))",
        "matmul(round(5, -10**9), 1, 1)",
        f"matmul(0x{'f' * 5000}, 1, 1)",
    ],
    ids=["lists-of-lists", "round", "long-number"],
)
def test_values_without_end_are_not_known(plan, call):
    made = plan(HEAD + call)
    assert "M" in made.statics[0].missing
