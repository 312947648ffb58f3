"""TS114: a buffer is indexed with the wrong number of indices."""

from __future__ import annotations

from tilescope_trace.rules.case import Case, Wording
from tilescope_trace.rules.rule import Rule

RULE = Rule(
    code="TS114",
    name="index-rank",
    severity="error",
    summary="A buffer is indexed with the wrong number of indices",
    doc="""\
A buffer needs one index (or slice) for each of its dimensions.
""",
    example="""\
A: T.Tensor((B, M, N), "float32")
f[i, j] = A[i, j]  # A has 3 dimensions
""",
    why="""\
`A` has the dimensions B, M and N and is given 2 indices. An index that is missing is not a slice, as it would be in
NumPy: the kernel is not built.
""",
    fix="""\
Say which element is meant, here `f[i, j] = A[bz, i, j]` with the block's own `bz`.
""",
)


def explain(case: Case) -> Wording | None:
    """The buffer, its rank, and how many indices it was given."""
    found = case.find(
        r"Buffer (\w+) is (\d+)-dimensional \(shape=(\(.*?\))\), but (\d+) index\(es\) were provided: ([(\[].*?[)\]])"
    )
    if found is not None:
        name, rank, shape, given, indices = found.groups()
        return _wording(name, rank, f" {shape}", given, f" {indices}")
    found = case.find(
        r"\((\d+) vs\. (\d+)\) : Buffer (\w+) is (\d+)-dimensional, cannot be indexed with the (\d+)-dimensional"
    )
    return _wording(found[3], found[4], "", found[5], "") if found is not None else None


def _wording(name: str, rank: str, shape: str, given: str, indices: str) -> Wording:
    nouns = ("dimension" if rank == "1" else "dimensions", "index" if given == "1" else "indices")
    return Wording(
        f"{name} has {rank} {nouns[0]}{shape} but is given {given} {nouns[1]}{indices}",
        f"give {rank} {'index or slice' if rank == '1' else 'indices or slices'}",
        name,
    )
