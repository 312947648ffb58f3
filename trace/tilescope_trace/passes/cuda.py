"""Passes that only NVIDIA's pipeline has."""

from .model import PassInfo

_CUDA = ("cuda",)
_WARP = "sm_90 and later, unless tl.disable_warp_specialized"

PASSES = (
    PassInfo(
        "tl.AnnotateDeviceBoundTmaCopies",
        "Marks copies whose global address is only known on the device: their TMA descriptor cannot be made on the "
        "host.",
        _CUDA,
    ),
    PassInfo(
        "tl.AutoWarpSpecialization",
        "Makes a schedule of warp roles for the kernel. Does nothing unless tl.enable_auto_warp_specialization "
        "names a scheduler.",
        _CUDA,
        _WARP,
    ),
    PassInfo(
        "tl.MaterializeWSSchedule",
        "Carries out a schedule of warp roles, written in the kernel or made by tl.AutoWarpSpecialization: a branch "
        "for each role, versions of buffers, barriers between them.",
        _CUDA,
        _WARP,
    ),
    PassInfo(
        "tl.ProducerConsumerWarpSpecialized",
        "Splits a pipelined loop between warps that load by TMA and warps that compute: adds threads for the "
        "producer, gives buffers one version for each stage, and puts mbarriers between the two sides.",
        _CUDA,
        _WARP,
    ),
    PassInfo(
        "tl.LowerBlackwell2SM",
        "Marks the matrix operations that two SMs of a cluster carry out together on Blackwell.",
        _CUDA,
    ),
    PassInfo(
        "tl.LowerL2Persistent", "Turns T.annotate_l2_hit_ratio into what the host sets before the launch.", _CUDA
    ),
    PassInfo(
        "tl.LowerSharedTmem",
        "Turns buffers in tensor memory into allocations of its columns, and their indices into addresses there.",
        _CUDA,
    ),
    PassInfo(
        "tl.LowerSharedBarrier",
        "Turns barriers into places in shared memory, which one thread initialises at the start of the kernel.",
        _CUDA,
    ),
    PassInfo(
        "tl.FuseMBarrierArriveExpectTx",
        "Joins announcing bytes and arriving at an mbarrier into one instruction around a TMA load.",
        _CUDA,
        "the kernel copies by TMA",
    ),
    PassInfo(
        "tl.LowerLDGSTG",
        "Turns vector accesses to global memory into explicit load and store instructions.",
        _CUDA,
    ),
    PassInfo(
        "tl.LowerHopperIntrin",
        "Moves the making of TMA descriptors to the host, as parameters of the kernel, and has them fetched ahead.",
        _CUDA,
    ),
    PassInfo(
        "tl.MarkCudaSyncCalls",
        "Marks kernels that wait for, or let start, the kernel next to them (programmatic dependent launch).",
        _CUDA,
    ),
    PassInfo(
        "tl.InjectFenceProxy",
        "Puts a fence where shared memory that threads wrote is next read by TMA or wgmma.",
        _CUDA,
    ),
    PassInfo(
        "tl.InjectTcgen05Fence",
        "Puts fences between accesses to tensor memory and barriers on Blackwell.",
        _CUDA,
    ),
    PassInfo(
        "tl.AnnotateWarpGroupRegAlloc",
        "Moves registers from producer warps, which need few, to consumer warps (setmaxnreg).",
        _CUDA,
        _WARP,
    ),
    PassInfo(
        "tl.PersistThreadblock", "Marks kernels that synchronise the whole grid, for a cooperative launch.", _CUDA
    ),
)
