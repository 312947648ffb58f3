"""Passes that only Ascend's pipeline has."""

from .model import PassInfo

_ASCEND = ("ascend",)
_SCHEDULED = "unless tl.enable_auto_schedule is false"

PASSES = (
    PassInfo("tl.RewriteDualCopy", "Resolves copies between one cube core and its two vector cores.", _ASCEND),
    PassInfo(
        "tl.LegalizeSimdMerging",
        "Writes vector operations that keep the masked-out elements as reading, changing and writing back.",
        _ASCEND,
    ),
    PassInfo("tl.UnrollLoopSkipVF", "Unrolls loops where asked for, but not inside vector blocks.", _ASCEND),
    PassInfo(
        "tl.AscendLayoutInference",
        "Decides the layout of every buffer on the chip: plain in UB, fractal in L1, L0A, L0B and L0C.",
        _ASCEND,
    ),
    PassInfo(
        "tl.NormalizeAscendFractalStorage",
        "Rounds buffers of the cube core up to whole fractals, with all buffers that share their storage.",
        _ASCEND,
    ),
    PassInfo("tl.InsertNd2Nz", "Turns copies into a fractal layout into those that reorder on the way.", _ASCEND),
    PassInfo(
        "tl.AscendInsertOOBPadding",
        "Cuts copies at the end of tensors down to what is inside, and fills the rest where it is read.",
        _ASCEND,
    ),
    PassInfo(
        "tl.NormalizeControlFlowForSchedule",
        "Turns while loops and conditions into forms that the scheduler can order.",
        _ASCEND,
        _SCHEDULED,
    ),
    PassInfo(
        "tl.NormalizeConflictHints", "Turns T hints about conflicting accesses into annotations.", _ASCEND, _SCHEDULED
    ),
    PassInfo(
        "tl.MaterializeScheduleUnits",
        "Splits the kernel into tasks, the units that the scheduler orders.",
        _ASCEND,
        _SCHEDULED,
    ),
    PassInfo(
        "tl.AnnotateMultiBufferEligible",
        "Notes at each loop which buffers could have several versions, so that iterations overlap.",
        _ASCEND,
        _SCHEDULED,
    ),
    PassInfo(
        "tl.EstimateLatency",
        "Estimates how long each task takes and how soon it can start again.",
        _ASCEND,
        _SCHEDULED,
    ),
    PassInfo(
        "tl.AutoSchedule",
        "Orders the tasks of each loop and gives them stages, so that copies and computations overlap.",
        _ASCEND,
        _SCHEDULED,
    ),
    PassInfo(
        "tl.AssignCore", "Notes for each task which cores could run it: cube, vector, or both.", _ASCEND, _SCHEDULED
    ),
    PassInfo(
        "tl.PrepareMultiBuffer",
        "Decides how many versions each buffer has and which one an iteration uses.",
        _ASCEND,
        _SCHEDULED,
    ),
    PassInfo("tl.ResolveCore", "Settles the core of each task by who uses what it makes.", _ASCEND, _SCHEDULED),
    PassInfo(
        "tl.InsertSync",
        "Puts flags between tasks on different pipes or cores that depend on each other.",
        _ASCEND,
        _SCHEDULED,
    ),
    PassInfo("tl.MaterializeMultiBuffer", "Gives buffers the versions that were decided.", _ASCEND, _SCHEDULED),
    PassInfo(
        "tl.LowerScheduledTIR",
        "Turns the scheduled tasks back into loops and statements of each core.",
        _ASCEND,
        _SCHEDULED,
    ),
    PassInfo("tl.RestoreWhileLoops", "Turns loops that were `while` back into it.", _ASCEND, _SCHEDULED),
    PassInfo(
        "tl.NormalizeBufferVersion", "Brings the versions of buffers into the form that lowering reads.", _ASCEND
    ),
    PassInfo(
        "tl.AscendSimdVFLowerParallel",
        "Turns T.Parallel inside vector blocks into vector instructions.",
        _ASCEND,
    ),
    PassInfo(
        "tl.AscendLowerTileOp",
        "Replaces each tile operation by what does it on Ascend: DMA copies, cube instructions, vector operations.",
        _ASCEND,
    ),
    PassInfo(
        "tl.RewriteAscendBufferVersionLayout",
        "Aligns each version of a buffer in UB.",
        _ASCEND,
    ),
    PassInfo("tl.RewriteFp4ToFp4x2", "Stores 4-bit floats in pairs of one byte and halves their indices.", _ASCEND),
    PassInfo("tl.AscendRemoveNoOp", "Removes what has no effect.", _ASCEND),
    PassInfo(
        "tl.MarkScalarDcacheBypass",
        "Has single elements of global memory that the kernel writes read past the cache.",
        _ASCEND,
    ),
    PassInfo(
        "tl.InferBufferAliases",
        "Works out which buffers may share memory in a kernel scheduled by hand.",
        _ASCEND,
        "tl.enable_auto_schedule is false",
    ),
    PassInfo(
        "tl.MergeUBAllocations",
        "Puts all buffers of a memory of the chip into one allocation; those that are not alive together share "
        "places.",
        _ASCEND,
    ),
    PassInfo(
        "tl.RewriteFlagToBuf",
        "Numbers the flags into the eight of each pair of pipes; what does not fit becomes a lock.",
        _ASCEND,
    ),
    PassInfo("tl.AscendThreadSync", "Puts the barriers between accesses to shared storage that need one.", _ASCEND),
)
