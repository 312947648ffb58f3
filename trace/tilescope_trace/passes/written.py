"""Passes that bring the kernel as written into the form that the others expect."""

from .model import PassInfo

PASSES = (
    PassInfo("tirx.BindTarget", "Writes the target into the attributes of each function."),
    PassInfo(
        "tl.MaterializeKernelLaunch",
        "Turns T.Kernel into launch threads: one for each dimension of the grid and of the block. On targets "
        "without block threads (Ascend, C) the dimensions become what takes their place there.",
    ),
    PassInfo(
        "tl.LetInline",
        "Puts the value of each let in the place of its name. It also runs within the lowering of tile operations.",
        when="tl.force_let_inline, and within tl.LowerTileOp",
    ),
    PassInfo(
        "tl.AddWrapperForSingleBufStore", "Puts stores of single elements of fragments into a T.Parallel of one."
    ),
    PassInfo("tl.LegalizeNegativeIndex", "Turns indices counted from the end of a buffer into ones from its start."),
    PassInfo(
        "tl.InjectAssumes",
        "Writes down as assumptions what the shapes of the arguments imply, so that later passes can prove more.",
    ),
    PassInfo(
        "tl.Simplify",
        "Simplifies expressions, takes out what cannot run, removes unused buffers and parameters. Runs after each "
        "pass that leaves long expressions, with what TileLang assumes of the shapes.",
    ),
    PassInfo(
        "tirx.Simplify",
        "Simplifies expressions and conditions by arithmetic, by what loops and conditions around imply.",
    ),
    PassInfo("tl.CanonicalizeLegacyReducer", "Turns the older way of writing reducers into the present one."),
    PassInfo(
        "tl.IfStmtBinding",
        "Gives each statement under one `if` an `if` of its own, so that a pipeline can move them apart.",
        ("cuda", "hip", "metal", "webgpu", "c"),
    ),
)
