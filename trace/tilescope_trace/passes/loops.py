"""Passes about loops and conditions."""

from .model import PassInfo

_WITHOUT_ASCEND = ("cuda", "hip", "metal", "webgpu", "c")

PASSES = (
    PassInfo(
        "tl.UnrollLoop",
        "Unrolls loops of explicit T.unroll and short loops; the others keep a mark for the device's compiler.",
    ),
    PassInfo("tl.VectorizeLoop", "Turns T.vectorized loops into vector operations and accesses."),
    PassInfo(
        "tl.LoopUnswitching", "Moves conditions that a loop does not change out of it, with a loop in each branch."
    ),
    PassInfo(
        "s_tir.RenormalizeSplitPattern", "Brings divisions and remainders of indices into the shorter of equal forms."
    ),
    PassInfo("tirx.RemoveNoOp", "Removes what has no effect.", _WITHOUT_ASCEND),
    PassInfo(
        "s_tir.HoistIfThenElse",
        "Moves conditions out of loops, then simplifies and removes what has no effect.",
        _WITHOUT_ASCEND,
    ),
    PassInfo("s_tir.InsertHoistIfThenElse", "Moves conditions that do not depend on a loop out of it."),
    PassInfo("tl.MergeIfStmt", "Joins neighbouring statements under equal conditions into one `if`."),
)
