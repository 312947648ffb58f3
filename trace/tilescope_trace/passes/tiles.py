"""Passes that decide where tiles lie and what tile operations become."""

from .model import PassInfo

_THREADED = ("cuda", "hip", "metal", "webgpu")

PASSES = (
    PassInfo(
        "tl.PipelinePlanning",
        "Decides for each T.Pipelined loop which statements load ahead, in which stage and order each one runs, and "
        "which copies may be asynchronous. It only annotates the loop.",
        _THREADED,
    ),
    PassInfo(
        "tl.InjectSoftwarePipeline",
        "Carries out the plan: gives buffers one version for each stage, and splits the loop into prologue, steady "
        "state and epilogue, with the waits that asynchronous copies need.",
        _THREADED,
    ),
    PassInfo(
        "tl.LayoutInference",
        "Decides the layout of every buffer on the chip: swizzles of shared memory, and which thread holds which "
        "element of a fragment. Operations with strict needs (T.gemm) come first, the others follow. It also splits "
        "T.Parallel loops over threads.",
        ("cuda", "hip", "metal", "webgpu", "c"),
    ),
    PassInfo(
        "tl.ReducerPlanAndMaterialize",
        "Decides where the partial results of reducers lie and how threads join them, and writes that out as plain "
        "IR.",
    ),
    PassInfo(
        "tl.LowerTileOp",
        "Replaces each tile operation by what does it: T.copy by TMA, cp.async or vector accesses, T.gemm by matrix "
        "instructions, T.Parallel by loops of one thread. Buffers take the shape of their layout: a fragment "
        "becomes the array of one thread.",
        ("cuda", "hip", "metal", "webgpu", "c"),
    ),
    PassInfo(
        "tl.DecoupleTypeCast",
        "Puts a small local array between a type conversion and memory, so that each side can be vectorised to its "
        "own width.",
    ),
    PassInfo(
        "tl.LegalizeVectorizedLoop",
        "Splits vectorised loops down to a width that the target has.",
    ),
    PassInfo(
        "tl.LegalizeSafeMemoryAccess",
        "Puts a condition around accesses to global memory that cannot be proved to stay inside.",
    ),
    PassInfo("tl.LowerAccessPtr", "Turns pointers into tiles into the form that code generators read."),
    PassInfo(
        "tl.MetalFragmentToSimdgroup",
        "Turns the accumulators of T.gemm into Metal's simdgroup matrices.",
        ("metal",),
    ),
    PassInfo(
        "tl.LowerCPUAtomics",
        "Turns atomic operations into plain ones: the C target runs a kernel serially.",
        ("c",),
    ),
)
