"""Every form of a kernel is found, and nothing else."""

from __future__ import annotations

from textwrap import dedent

import pytest

from tilescope_trace.source.discover import discover
from tilescope_trace.source.names import resolve
from tilescope_trace.source.tolerant import parse


def kernels(text: str):
    parsed = parse(dedent(text))
    return discover(parsed, resolve(parsed))


def test_all_forms(kernel_text):
    found = [(k.qualname, k.form, k.consts) for k in kernels(kernel_text("kernel_forms.py"))]
    assert found == [
        ("add_lazy.main", "lazy", ()),
        ("add_pf", "prim_func", ()),
        ("factory.inner", "factory", ()),
        ("add_eager", "eager", ("N",)),
        ("add_eager_ret", "eager", ("N",)),
        ("add_tuned.main", "autotune", ()),
        ("add_dyn.main", "lazy", ()),
        ("with_macro.main", "lazy", ()),
        ("eager_fixed", "eager", ()),
    ]


@pytest.mark.parametrize(
    ("imports", "decorator"),
    [
        ("import tilelang as tl\nimport tilelang.language as T", "@tl.jit"),
        ("from tilelang import jit, language as T", "@jit(out_idx=-1)"),
        ("import tilelang\nfrom tilelang import language as T\nfast = tilelang.jit", "@fast"),
        ("from tilelang.jit import jit as j\nimport tilelang.language as T", "@j"),
        (
            "try:\n    import tilelang\n    import tilelang.language as T\nexcept ImportError:\n    tilelang = None",
            "@tilelang.jit",
        ),
    ],
)
def test_aliases_of_the_decorator(imports, decorator):
    body = "def f(N):\n    @T.prim_func\n    def main(A: T.Tensor((N,), 'int8')):\n        pass\n    return main\n"
    text = f"{imports}\n{decorator}\n{body}"
    assert [(k.qualname, k.form) for k in kernels(text)] == [("f.main", "lazy")]


def test_names_of_the_language_may_be_imported_one_by_one_or_all():
    one = kernels("from tilelang.language import prim_func\n@prim_func\ndef k(): pass\n")
    every = kernels("from tilelang.language import *\n@prim_func\ndef k(): pass\n")
    assert [k.form for k in (*one, *every)] == ["prim_func", "prim_func"]


@pytest.mark.parametrize(
    "text",
    [
        "import numba\n@numba.jit\ndef f(x): return x\n",
        "import tilelang\nfrom numba import jit\n@jit\ndef f(x): return x\n",
        "from tvm.script import tir as T\n@T.prim_func\ndef f(): pass\n",
        "import tilelang.language as T\n@T.macro\ndef f(x): T.clear(x)\n",
        "import tilelang\ndef jit(f): return f\n@jit\ndef f(): pass\n",
        "import tilelang.language as T\ndef helper(n): return T.ceildiv(n, 2)\n",
    ],
)
def test_what_only_looks_like_a_kernel_is_none(text):
    assert kernels(text) == ()


def test_classes_nesting_and_equal_names():
    found = kernels(
        """
        import functools, tilelang
        import tilelang.language as T

        class Op:
            def __init__(self, size):
                self.size = size

            def build(self, block=8):
                @T.prim_func
                def main(): pass
                return main

        @functools.lru_cache
        def outer(M, dtype):
            if M > 64:
                @tilelang.jit
                def inner(threads=128):
                    @T.prim_func
                    def main(): pass
                    return main
            else:
                @tilelang.jit
                def inner(threads=64):
                    @T.prim_func
                    def main(): pass
                    return main
            return inner
        """
    )
    assert [(k.chain, k.form) for k in found] == [
        ((("Op", 5), ("build", 9), ("main", 11)), "factory"),
        ((("outer", 15), ("inner", 18), ("main", 20)), "lazy"),
        ((("outer", 15), ("inner", 24), ("main", 26)), "lazy"),
    ]
    assert [p.name for p in found[0].parameters] == ["size", "block"]
    assert [(p.name, p.default) for p in found[1].parameters] == [("M", None), ("dtype", None), ("threads", "128")]


def test_dialect():
    ascend, cuda = kernels(
        """
        import tilelang
        import tilelang.ascend.language as A
        import tilelang.language as T

        @A.prim_func
        def first(): pass

        @tilelang.jit
        def second(X: T.Tensor((8,), "int8")):
            with T.Kernel(1): pass
        """
    )
    assert (ascend.dialect, cuda.dialect) == ("ascend", "default")
    assert (cuda.form, cuda.tensors) == ("eager", ("X",))


def test_kernels_that_are_not_written_yet_are_none():
    found = kernels(
        '''
        import tilelang
        import tilelang.language as T

        @tilelang.jit
        def nothing(A, B):
            """Adds."""

        @tilelang.jit
        def todo(M: int):
            raise NotImplementedError("later")

        @tilelang.jit
        def inner(M):
            @T.prim_func
            def main(A: T.Tensor((M,), "int8")):
                raise NotImplementedError
            return main

        @T.prim_func
        def begun(A: T.Tensor((8,), "int8")):
            pass

        @tilelang.jit
        def half(A):
            N = T.const("N")
            A: T.Tensor((N,), "int8")
            ...
        '''
    )
    assert [kernel.name for kernel in found] == ["begun", "half"]


def test_kernels_in_classes():
    found = kernels(
        """
        import tvm
        import tilelang
        import tilelang.language as T

        @tvm.script.ir_module
        class Module:
            @T.prim_func
            def main(A: T.Tensor((8,), "int8")):
                with T.Kernel(1): pass

        class Op:
            @staticmethod
            @tilelang.jit
            def kernel(A, block: int = 64):
                N = T.const("N")
                A: T.Tensor((N,), "int8")
                with T.Kernel(1): pass
        """
    )
    assert [(kernel.qualname, kernel.form) for kernel in found] == [
        ("Module.main", "prim_func"),
        ("Op.kernel", "eager"),
    ]
    assert [parameter.name for parameter in found[1].parameters] == ["block", "N"]
