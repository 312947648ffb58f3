"""From samples of machine instructions to lines of generated source and of Python, and to the IR of any pass.

The line of an instruction is the outermost frame of its inline stack: the innermost ones lie in headers of templates.
Where functions of the generated source call each other, as vector functions on Ascend are called, it is the innermost
of the frames that lie in that source. Each instruction is counted once; what cannot be placed is kept, with the
reason.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from tilescope_trace.model import Origin
from tilescope_trace.store.read import Recording

from .generated_lines import GeneratedLines, generated_lines, own_file
from .inline_chains import Chains, operation
from .model import Frames, Samples, SampleUnit
from .stalls import top_stall

NO_CODE = "the profile has addresses only: the machine code that was sampled is needed (--code)"
OTHER_CODE = "the machine code is not what was sampled"
NO_LINE = "instructions that the compiler gives no line"
ELSEWHERE = "lines outside of the generated source"
DIRECTIVES = (
    "the machine code was compiled with line directives (tl.emit_line_directives), whose lines drift; take code that"
    " was compiled without them: its instructions are the same"
)
OTHER_SOURCE = "the machine code is of another kernel or of another generated source"
NO_PYTHON = "generated lines without a known Python line"
EVERY_FRAME = "the profiler counts an instruction under every line of its stack: the instructions are needed"
INNERMOST = "the profiler tells the innermost lines only, which lie in templates"
SUMS_ONLY = (
    "the profile has sums of the whole kernel only (instructions: ncu --page source --csv --print-source sass)"
)


@dataclass(frozen=True)
class Weight:
    """Samples of something, and how many of them by stall reason."""

    samples: int = 0
    stalls: Mapping[str, int] = field(default_factory=dict)

    @property
    def top_stall(self) -> str | None:
        """The reason with most samples; None where none was recorded."""
        return top_stall(self.stalls)


@dataclass(frozen=True)
class Attribution:
    """Where the samples of one kernel belong.

    ``generated`` and ``python`` are by line, each sample in one entry at most; ``lines`` are the generated lines of
    each Python line, and ``shared`` the samples of generated lines that were counted to the loop around them since
    they stem from several Python lines. ``unplaced`` are the samples that no Python line has, by reason.
    """

    kernel: str
    total: int
    unit: SampleUnit
    generated: Mapping[int, Weight]
    python: Mapping[Origin, Weight]
    lines: Mapping[Origin, tuple[int, ...]]
    shared: int
    unplaced: Mapping[str, int]

    def share(self, weight: Weight) -> float:
        """Of all samples, 0 to 1."""
        return weight.samples / self.total if self.total else 0.0

    @property
    def unplaced_share(self) -> float:
        """Of all samples, 0 to 1."""
        return sum(self.unplaced.values()) / self.total if self.total else 0.0


def attribute(samples: Samples, recording: Recording, code: Chains | None = None) -> Attribution:
    """Attribute ``samples`` with the generated lines of ``recording``; ``code`` are the inline stacks of the sampled
    machine code, where the profile has none itself. Code whose instructions are others is not used."""
    whole = recording.info.kernel.target.partition(":")[0] != "ascend"
    return _Book(samples, generated_lines(recording), whole).filled(list(_located(samples, code)))


@dataclass(frozen=True)
class _Located:
    weight: Weight
    frames: Frames
    problem: str | None = None


def _located(samples: Samples, code: Chains | None) -> Iterator[_Located]:
    """Every sample once, with its stack or the reason why there is none."""
    if not samples.instructions:
        innermost = samples.line_rule == "innermost"
        for line in samples.lines if samples.line_rule != "every frame" else ():
            yield _Located(Weight(line.samples, line.stalls), (line.place,), INNERMOST if innermost else None)
        return
    fits = code is not None and is_same_code(samples, code)
    missing = NO_CODE if code is None else OTHER_CODE
    for one in samples.instructions:
        weight = Weight(one.samples, one.stalls)
        if one.frames:
            yield _Located(weight, one.frames)
        elif fits and code is not None:
            yield _Located(weight, code[one.address].frames, NO_LINE)
        else:
            has_own = any(other.frames for other in samples.instructions)
            yield _Located(weight, (), NO_LINE if has_own else missing)


def is_same_code(samples: Samples, code: Chains) -> bool:
    """Whether every sampled instruction stands at its address in ``code``, with the same operation."""
    return all(
        one.address in code and operation(one.text) == code[one.address].operation for one in samples.instructions
    )


class _Book:
    """``whole`` is whether the first address is that of the kernel's first instruction: Ascend's tools name only the
    addresses that ran."""

    def __init__(self, samples: Samples, known: GeneratedLines, whole: bool) -> None:
        self._samples = samples
        self._known = known
        self._whole = whole
        self._generated: dict[int, list[Weight]] = defaultdict(list)
        self._python: dict[Origin, list[Weight]] = defaultdict(list)
        self._lines: dict[Origin, set[int]] = defaultdict(set)
        self._unplaced: Counter[str] = Counter()
        self._shared = 0

    def filled(self, located: list[_Located]) -> Attribution:
        file = own_file(one.frames for one in located)
        whole = self._refused(located, file)
        for one in located:
            reason = whole if whole is not None and one.frames else self._place(one, file)
            if reason is not None and one.weight.samples:
                self._unplaced[reason] += one.weight.samples
        missing = self._samples.total - sum(one.weight.samples for one in located)
        if missing > 0:
            self._unplaced[self._why_missing()] += missing
        return Attribution(
            kernel=self._samples.kernel,
            total=self._samples.total,
            unit=self._samples.unit,
            generated={line: _sum(weights) for line, weights in sorted(self._generated.items())},
            python={origin: _sum(weights) for origin, weights in self._python.items()},
            lines={origin: tuple(sorted(lines)) for origin, lines in self._lines.items()},
            shared=self._shared,
            unplaced=dict(self._unplaced),
        )

    def _why_missing(self) -> str:
        """Of samples that belong to no instruction and no line."""
        if not self._samples.instructions and self._samples.line_rule == "every frame":
            return EVERY_FRAME
        return NO_LINE if self._samples.instructions or self._samples.lines else SUMS_ONLY

    def _refused(self, located: list[_Located], file: str | None) -> str | None:
        """Why no stack can be trusted; None where they can."""
        if file is not None and file.endswith(".py"):
            return DIRECTIVES
        instructions = self._samples.instructions
        whole = self._whole and bool(instructions) and not instructions[0].frames
        first = located[0].frames[-1].line if whole and located[0].frames else None
        if first is not None and self._known.definitions and first not in self._known.definitions:
            return OTHER_SOURCE  # a kernel's first instruction stands on the line of its definition
        return None

    def _place(self, one: _Located, file: str | None) -> str | None:
        """Count it; the reason where no Python line has it."""
        if not one.frames or one.problem == INNERMOST:
            return one.problem
        line = next((frame.line for frame in one.frames if frame.file == file), 0)
        origin = self._known.python(line)
        if one.frames[-1].file != file or not 1 <= line <= self._known.count:
            return ELSEWHERE
        self._generated[line].append(one.weight)
        if origin is None:
            return NO_PYTHON
        self._python[origin].append(one.weight)
        self._lines[origin].add(line)
        if self._known.is_shared(line):
            self._shared += one.weight.samples
        return None


def _sum(weights: Iterable[Weight]) -> Weight:
    samples, stalls = 0, Counter[str]()
    for weight in weights:
        samples += weight.samples
        stalls.update(weight.stalls)
    return Weight(samples, dict(stalls))
