"""Passes that look and change nothing."""

from .model import PassInfo

PASSES = (
    PassInfo(
        "pass_fn",
        "A pass without a name of its own. The first ones check the kernel as written: nesting of loops, loops over "
        "fragments, indices of thread-local buffers. A last one, on the device's part, gives constants that are "
        "broadcast into vectors a variable of their own. Ascend also checks its vector blocks, Metal marks on the "
        "host where kernels are called.",
    ),
    PassInfo(
        "tl.VerifyParallelLoop",
        "Looks for two iterations of T.Parallel that write the same element.",
        when="TILELANG_ENABLE_DATA_RACE_CHECK=1, or tl.disable_data_race_check is false",
    ),
    PassInfo(
        "tl.VerifyReducerEpoch", "Checks that each reducer is initialised, updated and finalised once, in order."
    ),
    PassInfo(
        "tl.VerifyReducerConsumed", "Checks that nothing of a reducer is left once tile operations are lowered."
    ),
    PassInfo("tl.VerifyBufferInit", "Warns of buffers on the chip that are read and never written before."),
    PassInfo("tirx.VerifyMemory", "Checks that the host touches no memory of the device outside of kernels."),
    PassInfo(
        "tl.LayoutVisual",
        "Draws the inferred layouts into files.",
        when="tl.layout_visualization_enable",
    ),
)
