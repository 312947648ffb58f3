"""Static facts, written under the code they are about."""

from __future__ import annotations

from tests.carets import expectations

from tilescope_trace.model import Buffer, Kernel, Launch, Operation, Options, Snapshot
from tilescope_trace.source.plan import plan_file


def list_of(extents) -> str:
    return "[" + ", ".join(map(str, extents)) + "]"


def words(fact: Buffer | Operation | Launch) -> str:
    if isinstance(fact, Buffer):
        return f"{list_of(fact.shape)} {fact.dtype} {fact.scope} {fact.bytes}"
    if isinstance(fact, Launch):
        return f"launch {list_of(fact.grid)} {fact.threads}"
    order = ("src", "dst", "A", "B", "C", "extents", "extent", "num_stages")
    detail = [fact.detail[key] for key in order if key in fact.detail]
    return " ".join([fact.kind, *(list_of(item) if isinstance(item, list) else str(item) for item in detail)])


def all_facts(kernel: Kernel) -> set[tuple[int, int, int, str]]:
    facts = [*kernel.buffers, *kernel.operations, *([kernel.launch] if kernel.launch else [])]
    return {(fact.line, fact.column, fact.end_column, words(fact)) for fact in facts}


def test_every_fact_is_where_the_carets_are(kernel_text):
    text = kernel_text("annotated_gemm.py")
    kernel = plan_file(Snapshot("k.py", text), Options()).statics[0]
    expected = {(e.line, e.column, e.end_column, e.text) for e in expectations(text)}
    assert all_facts(kernel) == expected


def test_what_is_not_computable_is_shown_as_written(plan):
    kernel = plan(
        """
        import tilelang.language as T

        def factory(M, block):
            N = T.dynamic("N")
            @T.prim_func
            def main(A: T.Tensor((M, N), "float16")):
                with T.Kernel(T.ceildiv(M, block), threads=block) as bx:
                    s = T.alloc_shared((block * 2, N), "float16")
        """
    ).statics[0]
    assert kernel.buffers[0].shape == ("M", "N")
    assert kernel.buffers[1].shape == ("block * 2", "N")
    assert kernel.buffers[1].bytes is None
    assert kernel.launch.grid == ("T.ceildiv(M, block)",)
    assert kernel.launch.threads == "block"
    assert kernel.status == "unresolved"
    assert kernel.missing == ("M", "block")


def test_shapes_follow_computations_and_branches_of_the_factory(plan):
    kernel = plan(
        """
        import tilelang
        from tilelang import language as T

        STAGES = 2

        @tilelang.jit
        def build(M=256, wide=True):
            if wide:
                block = 64 * STAGES
            else:
                block = 16
            shape = (block, M // 4)
            block //= 2

            @T.prim_func
            def main(A: T.Tensor([M], T.bfloat16)):
                with T.Kernel(1, threads=(64, 2)):
                    s = T.alloc_shared(shape, T.float8_e4m3fn)
                    f = T.alloc_fragment([block], A.dtype)
        """
    ).statics[0]
    a, s, f = kernel.buffers
    assert (a.shape, a.dtype) == ((256,), "bfloat16")
    assert (s.shape, s.dtype, s.bytes) == ((128, 64), "float8_e4m3fn", 8192)
    assert (f.shape, f.dtype) == ((64,), None)
    assert kernel.launch.threads == 128


def test_a_macro_is_read_where_it_is_called(plan):
    kernel = plan(
        """
        import tilelang
        import tilelang.language as T

        @tilelang.jit
        def build(block=32):
            @T.macro
            def load(src, dst, rows):
                tmp = T.alloc_shared((rows, block), "float16")
                T.copy(src, tmp)

            @T.prim_func
            def main(A: T.Tensor((64, 64), "float16")):
                with T.Kernel(1, threads=128):
                    s = T.alloc_shared((64, 64), "float16")
                    load(A, s, 16)
                    load(A, s, 16)
        """
    ).statics[0]
    assert [(b.name, b.shape) for b in kernel.buffers[1:]] == [("s", (64, 64)), ("tmp", (16, 32))]
    (copy,) = kernel.operations
    assert (copy.line, copy.called_from) == (10, (16, 17))


def test_ascend_scopes(kernel_text):
    kernel = plan_file(
        Snapshot("a.py", kernel_text("ascend_dialect.py")),
        Options(kernel="gemm", arguments={"M": "256", "N": "256", "K": "64"}),
    ).statics[0]
    assert kernel.target == "ascend"
    assert {b.name: b.scope for b in kernel.buffers if b.scope != "global"} == {
        "A_l1": "shared.l1",
        "B_l1": "shared.l1",
        "C_l0": "shared.l0c",
    }
    assert kernel.launch.grid == (4,)
    assert kernel.launch.threads is None


def test_columns_count_code_points(plan):
    kernel = plan(
        """
        import tilelang.language as T

        @T.prim_func
        def main(A: T.Tensor((8,), "float16")):
            with T.Kernel(1, threads=32):
                größe, b = T.alloc_shared((8,), "float16"), T.alloc_shared((8,), "float16")
        """
    ).statics[0]
    assert [(b.name, b.column, b.end_column) for b in kernel.buffers[1:]] == [("größe", 9, 14), ("b", 16, 17)]


def test_short_dtype_names_are_those_of_the_compiler(plan):
    kernel = plan(
        """
        import tilelang.language as T

        @T.prim_func
        def main(A: T.Tensor((64,), "float")):
            with T.Kernel(1, threads=32) as bx:
                a = T.alloc_shared((64,), dtype="float")
                b = T.alloc_shared((64,), "half")
                c = T.alloc_shared((64,), "int")
                d = T.alloc_shared((64,), "bfloat")
                e = T.alloc_shared((64,), "float8_e4m3")
        """
    ).statics[0]
    assert [(buffer.dtype, buffer.bytes) for buffer in kernel.buffers] == [
        ("float32", 256),
        ("float32", 256),
        ("float16", 128),
        ("int32", 256),
        ("bfloat16", 128),
        ("float8_e4m3", 64),
    ]
