"""TS118: the two sides of a T.copy differ in shape."""

from __future__ import annotations

from tilescope_trace.rules.case import Case, Wording, shape
from tilescope_trace.rules.rule import Rule

RULE = Rule(
    code="TS118",
    name="copy-shape",
    severity="error",
    summary="The two sides of a T.copy differ in shape",
    doc="""\
`T.copy(src, dst)` moves a region to a region of equal extents (axes of extent 1 left out). A side given as a
single element (`A[by * 64, k * 32]`) takes the extents of the other side; slices and whole buffers have extents
of their own.
""",
    example="""\
A_s = T.alloc_shared((64, 32), "float16")
T.copy(A[0:64, 0:40], A_s)  # 40 columns into 32
""",
    why="""\
40 columns do not fit into the 32 of `A_s`. `T.copy` neither cuts nor fills up: the compiler stops.
""",
    fix="""\
Give both sides the same extents, `A[0:64, 0:32]`, or only the corner, `T.copy(A[0, 0], A_s)`: then the extents are
those of `A_s`.
""",
)


def explain(case: Case) -> Wording | None:
    """Both regions, and the extents in which they differ."""
    src, dst = case.operand("src"), case.operand("dst")
    of_copy = case.failure.operation in ("copy", None)
    found = case.find(r"base\(extent=(\d+).*?(?:src|dst)\(extent=(\d+).*?for src=(\w+), dst=(\w+)")
    extents = case.find(r"s_extent == g_extent[^\n]*?\((\d+) vs\. (\d+)\)")
    if found is None and extents is None and not (of_copy and case.find(r"StructuralEqual check failed")):
        return None
    if src is not None and dst is not None:
        return _wording(src.name, src.extents or src.shape, dst.name, dst.extents or dst.shape)
    if found is not None:
        return Wording(
            f"T.copy: the regions differ in extent: {found[2]} in {found[3]}, {found[1]} in {found[4]}", HELP
        )
    if extents is not None:
        return Wording(
            f"T.copy: the two regions differ in extent: {extents[1]} on the shared side, {extents[2]} on the other",
            HELP,
        )
    if "copy" not in case.statement:
        return None
    names = case.names("copy", ("src",), ("dst",))
    return Wording(f"T.copy: {names[0]} and {names[1]} have different shapes", HELP)


HELP = "give both sides regions of equal shape"


def _wording(src: str, from_: tuple[int | str, ...], dst: str, to: tuple[int | str, ...]) -> Wording:
    return Wording(f"T.copy: the region of {src} is {shape(from_)}, that of {dst} is {shape(to)}", HELP)
