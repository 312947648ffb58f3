"""Generated CUDA with stamps in it. Each line keeps its number: what is added stands on lines that are there.

A kernel's body becomes a function that the kernel calls in one of two forms, both of them inlined: a sampled block
runs the one with stamps, all others run what the compiler makes of the body without them. A stamp reads the clock
and stores what the one before it read, so that nothing waits for the clock; and it has no branch, since one between
the start of a wgmma and the wait for it would make ptxas serialize them.

The buffer is reached by its address, which stands in the source as ``TILESCOPE_BUFFER`` until the program that
compiles it has allocated one: no kernel gets another parameter, whatever launches it. Its layout, in words of 8
bytes: for each kernel, sampled block and warp (`WARPS` a block) a region of ``capacity`` words, `HEADER` of them
about the warp. A stamp is ``clock | site << 32``, with the 32 low bits of the SM's cycle counter.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from .sites import Site
from .statements import Function, UnknownFormError

PLACEHOLDER = "TILESCOPE_BUFFER"
WARPS = 32
"""Warps of the largest block (compute capabilities up to 12: 1024 threads)."""
HEADER = 9
"""Words about a warp: valid | SM | block; globaltimer and clock64 at its start and at its end; number of stamps; the
extents of the grid and of the block (two words); one that the first stamp fills, which has no stamp before it to
store."""

_HELPERS = """struct tilescope_state { unsigned long long base; unsigned at, end, clock, site; };
static __device__ __forceinline__ unsigned tilescope_block() {
 return blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
}
static __device__ __forceinline__ unsigned tilescope_stride() {
 return (gridDim.x * gridDim.y * gridDim.z + @BLOCKS@u - 1u) / @BLOCKS@u;
}
static __device__ __forceinline__ void tilescope_begin(unsigned long long buffer, tilescope_state &s) {
 asm volatile("mov.u64 %0, %1;" : "=l"(s.base) : "l"(buffer));
 s.at = 0; s.end = 0; s.clock = 0; s.site = 0;
 unsigned thread = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
 if (thread % 32 == 0) {
  unsigned first = ((tilescope_block() / tilescope_stride()) * @WARPS@u + thread / 32) * @CAPACITY@u;
  unsigned long long *words = (unsigned long long *)buffer + first;
  unsigned sm; unsigned long long ns, clock;
  asm volatile("mov.u32 %0, %%smid;" : "=r"(sm));
  words[6] = gridDim.x | ((unsigned long long)gridDim.y << 32);
  words[7] = gridDim.z | ((unsigned long long)(blockDim.x | (blockDim.y << 11) | (blockDim.z << 22)) << 32);
  words[0] = (1ull << 63) | ((unsigned long long)sm << 32) | tilescope_block();
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(ns));
  asm volatile("mov.u64 %0, %%clock64;" : "=l"(clock));
  words[1] = ns; words[2] = clock;
  s.at = first + @HEADER@u - 1u; s.end = first + @CAPACITY@u;
 }
}
static __device__ __forceinline__ void tilescope_stamp(tilescope_state &s, unsigned site) {
 asm volatile("{.reg .pred p; .reg .u64 a; setp.lt.u32 p, %0, %2; mad.wide.u32 a, %0, 8, %3;
 @p st.global.v2.u32 [a], {%1, %4}; @p add.u32 %0, %0, 1; mov.u32 %1, %%clock;}"
 : "+r"(s.at), "+r"(s.clock) : "r"(s.end), "l"(s.base), "r"(s.site));
 s.site = site;
}
static __device__ __forceinline__ void tilescope_finish(tilescope_state &s) {
 unsigned long long ns, clock;
 asm volatile("mov.u64 %0, %%clock64;" : "=l"(clock));
 asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(ns));
 tilescope_stamp(s, 0);
 if (s.end) {
  unsigned first = s.end - @CAPACITY@u;
  unsigned long long *words = (unsigned long long *)s.base + first;
  words[3] = ns; words[4] = clock; words[5] = s.at - first - @HEADER@u;
 }
}"""

_GRID_CONSTANT = re.compile(r"__grid_constant__\s+(const\s+)?(.*\S)\s+(\w+)$")
_NAMED = re.compile(r"(\w+)(?:\[[^\]]*\])?$")


def region_bytes(blocks: int, capacity: int) -> int:
    """Bytes of the buffer that one kernel needs."""
    return blocks * WARPS * capacity * 8


def rewrite(source: str, kernels: Sequence[Function], placed: Sequence[Site], blocks: int, capacity: int) -> str:
    """``source`` with the stamps ``placed`` in its ``kernels``: of ``blocks`` blocks spread over the grid, at most
    ``capacity`` words a warp. It compiles once `PLACEHOLDER` is an address. Raises UnknownFormError."""
    lines = source.split("\n")
    for index, kernel in enumerate(kernels):
        buffer = f"({PLACEHOLDER} + {index * region_bytes(blocks, capacity)}ull)"
        for site in placed:
            if site.symbol == kernel.symbol:
                _insert(lines, site.line, f"if (tilescope_on) tilescope_stamp(tilescope_s, {site.number}u);")
        _wrap(lines, kernel, buffer)
    if kernels:
        at = min(kernel.opened for kernel in kernels) - 1
        lines[at] = _helpers(blocks, capacity) + " " + lines[at]
    return "\n".join(lines)


def _wrap(lines: list[str], kernel: Function, buffer: str) -> None:
    """Make the body of a kernel a function, and the kernel a choice between its two forms."""
    parameters = _split(kernel.parameters)
    taken = ", ".join(_by_reference(parameter) for parameter in parameters)
    given = ", ".join(_name(parameter, kernel.opened) for parameter in parameters)
    more = ", " if parameters else ""
    body = f"tilescope_{kernel.symbol}"
    lines[kernel.opened - 1] = (
        f"static __device__ __forceinline__ void {body}(const bool tilescope_on{more}{taken}) {{"
        f" tilescope_state tilescope_s; if (tilescope_on) tilescope_begin({buffer}, tilescope_s);"
    )
    lines[kernel.closed - 1] = (
        "if (tilescope_on) tilescope_finish(tilescope_s); "
        f"{lines[kernel.closed - 1]} {kernel.head}{kernel.symbol}({kernel.parameters}) {{"
        f" if (tilescope_block() % tilescope_stride() == 0) {body}(true{more}{given});"
        f" else {body}(false{more}{given}); }}"
    )


def _split(parameters: str) -> list[str]:
    """Parameters, divided at the commas outside of brackets."""
    found, depth, start = [], 0, 0
    for index, character in enumerate(parameters):
        depth += (character in "<([") - (character in ">)]")
        if character == "," and depth == 0:
            found.append(parameters[start:index].strip())
            start = index + 1
    last = parameters[start:].strip()
    return [*found, last] if last else found


def _by_reference(parameter: str) -> str:
    """As a parameter of a function: a descriptor must stay where the kernel got it."""
    found = _GRID_CONSTANT.search(parameter)
    return f"const {found[2]} &{found[3]}" if found else parameter


def _name(parameter: str, line: int) -> str:
    found = _NAMED.search(parameter)
    if found is None:
        raise UnknownFormError(f"line {line}: a parameter without a name: {parameter}")
    return found[1]


def _insert(lines: list[str], number: int, call: str) -> None:
    """Put ``call`` in front of the statement on a line; behind the code before it where that line is a pragma."""
    text = lines[number - 1]
    if not text.lstrip().startswith("#"):
        indent = text[: len(text) - len(text.lstrip())]
        lines[number - 1] = f"{indent}{call} {text.lstrip()}"
        return
    before = number - 1
    while lines[before - 1].lstrip().startswith(("#", "//")) or not lines[before - 1].strip():
        before -= 1
    lines[before - 1] += f" {call}"


def _helpers(blocks: int, capacity: int) -> str:
    values = {"BLOCKS": blocks, "CAPACITY": capacity, "HEADER": HEADER, "WARPS": WARPS}
    return re.sub(r"@(\w+)@", lambda found: str(values[found[1]]), _HELPERS.replace("\n", " "))
