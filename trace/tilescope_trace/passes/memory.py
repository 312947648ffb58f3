"""Passes about buffers, addresses and barriers."""

from .model import PassInfo

_THREADED = ("cuda", "hip", "metal", "webgpu")
_WITHOUT_ASCEND = (*_THREADED, "c")

PASSES = (
    PassInfo(
        "tl.HoistNonRestrictParams",
        "Collects the parameters that may overlap in memory: the others are declared `__restrict__`.",
    ),
    PassInfo(
        "tl.PlanAndUpdateBufferAllocationLocation",
        "Moves each allocation to the innermost place that holds all uses of the buffer.",
        _WITHOUT_ASCEND,
    ),
    PassInfo("tl.HoistGlobalBufferAllocations", "Moves allocations in global memory out of the kernel, to the host."),
    PassInfo(
        "tl.LowerOpaqueBlock",
        "Takes the blocks away: allocations and statements stand free, annotations that still matter become "
        "attributes.",
    ),
    PassInfo("tirx.NarrowDataType", "Computes indices in 32 bits where they are known to fit."),
    PassInfo("tl.FlattenBuffer", "Gives buffers one dimension, and accesses the index into it."),
    PassInfo("tl.ConfigIndexBitwidth", "Computes indices in the width that tl.config_index_bitwidth asks for."),
    PassInfo(
        "tir.StorageRewrite",
        "Lets buffers of a thread that are not alive together share memory, and moves allocations outwards.",
        _WITHOUT_ASCEND,
    ),
    PassInfo("s_tir.InferFragment", "Notes shape and layout of the matrices that wmma instructions use."),
    PassInfo(
        "tl.LowerThreadAllreduce",
        "Turns reductions over threads into shuffles within a warp and exchanges through shared memory.",
        (*_THREADED, "ascend"),
    ),
    PassInfo(
        "tl.MergeSharedMemoryAllocations",
        "Puts all shared memory into one allocation; buffers that are not alive together share places.",
        _THREADED,
    ),
    PassInfo(
        "tl.ThreadSync",
        "Puts __syncthreads (or a barrier of some of the warps) between accesses to shared memory that need one. "
        "Runs for static and for dynamic shared memory.",
        _THREADED,
    ),
    PassInfo(
        "tirx.PointerValueTypeRewrite",
        "Gives buffers the vector type that they are accessed with.",
        ("metal", "webgpu"),
    ),
    PassInfo("tirx.BF16ComputeLegalize", "Computes bfloat16 in float32, on a target without it.", ("c",)),
)
