"""Which part of their time warps spend at each stamp, the sides of a warp-specialized kernel apart."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass

from .document import StampedKernel, StampPlace, WarpStamps

_SIDES = ("producer", "consumer")


@dataclass(frozen=True)
class SiteShare:
    """``share`` of the time of all warps of one side, over ``times`` stamps of ``median_cycles`` each."""

    number: int
    kind: str
    role: str | None
    origins: tuple[StampPlace, ...]
    text: str
    share: float
    times: int
    median_cycles: int


def intervals(warp: WarpStamps) -> Iterator[tuple[int, int, int]]:
    """(site, first cycle, end) of each stamp of a warp; the last one ends with the warp, and is left out where that
    is not known."""
    numbers, cycles = warp.stamps[::2], warp.stamps[1::2]
    ends = [*cycles[1:], warp.end_cycles]
    for number, start, end in zip(numbers, cycles, ends, strict=True):
        if end is not None:
            yield number, start, end


def side(kernel: StampedKernel, warp: WarpStamps) -> str:
    """Whether a warp is a producer or a consumer; empty where the kernel has no such sides."""
    roles = {site.number: site.role for site in kernel.sites}
    seen = Counter(roles.get(number) for number in warp.stamps[::2])
    if not any(site.role == _SIDES[0] for site in kernel.sites):
        return ""
    return max(_SIDES, key=lambda name: seen[name]) if any(seen[name] for name in _SIDES) else ""


def shares(kernel: StampedKernel) -> dict[str, list[SiteShare]]:
    """Of each side, the sites by falling share."""
    spent: dict[str, dict[int, list[int]]] = defaultdict(lambda: defaultdict(list))
    for warp in kernel.warps:
        for number, start, end in intervals(warp):
            spent[side(kernel, warp)][number].append(end - start)
    known = {site.number: site for site in kernel.sites}
    found: dict[str, list[SiteShare]] = {}
    for name, sites in sorted(spent.items()):
        total = sum(map(sum, sites.values())) or 1
        made = []
        for number, cycles in sites.items():
            site = known[number]
            median = sorted(cycles)[len(cycles) // 2]
            made.append(
                SiteShare(
                    number, site.kind, site.role, site.origins, site.text, sum(cycles) / total, len(cycles), median
                )
            )
        found[name] = sorted(made, key=lambda share: -share.share)
    return found
