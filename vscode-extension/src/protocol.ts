/** What the server answers to panels. Generated from docs/protocol.md by `npm run generate`. */

/** What an answer is about: the document's `uri` and the `version` of the text that was compiled, the kernel (qualified name, line), specialization and target. `recording` is the file it was read from, for other tools; null where none was needed. It lives as long as the server. */
export interface About {
  uri: string;
  version: number | null;
  kernel: string;
  line: number;
  specialization: string;
  target: string;
  recording: string | null;
}

/** A rate and its peak (in `unit`), as `document` states it for `device`; both None where no document that we know states one for this device. */
export interface Achieved {
  what: string;
  value: number;
  unit: string;
  peak: number | null;
  device: string | null;
  document: string | null;
}

/** The value of one kernel parameter. `value` is JSON; what is not (a function, say) appears as its repr. */
export interface Argument {
  value: unknown;
  origin: "assumed" | "autotune" | "call" | "captured" | "command-line" | "config" | "default" | "directive" | "editor";
  file?: string | null;
  line?: number | null;
}

/** The layout of the buffer `name` of a text, as the recorded facts tell it. `new` is whether a pass attached it: before, the buffer had none. */
export interface AttachedLayout {
  name: string;
  summary: string;
  new: boolean;
}

/** `shape` as declared; `bytes` is that of shape x stages over the whole block (None where symbolic). */
export interface Buffer {
  name: string;
  line: number | null;
  column: number | null;
  shape: (number | string)[];
  dtype: string | null;
  scope: string;
  stages: number;
  bytes: number | null;
  end_column?: number | null;
  layout?: Layout | null;
}

/** The pass and the operation (at `line`) that fixed a layout. */
export interface DecidedBy {
  pass: string;
  line: number | null;
  reason: string;
}

/** A device as the profile describes it; `arch` in TileLang's spelling (`sm_90`) where it can be told. */
export interface Device {
  number: number;
  name: string;
  arch?: string | null;
  multiprocessors?: number | null;
  clock_khz?: number | null;
}

/** Changes close to each other with the lines around them. A side without lines starts at the line before it, as in unified diffs. */
export interface DiffHunk {
  before_start: number;
  before_lines: number;
  after_start: number;
  after_lines: number;
  lines: DiffLine[];
}

/** One line. `before` and `after` are its line numbers on the sides that have it; `changed` are (column, end column) of what changed in it, empty where the whole line is new or gone. `moved` is its line number on the other side where it only moved or was indented. 1-based, ends exclusive. */
export interface DiffLine {
  kind: "delete" | "equal" | "insert";
  before: number | null;
  after: number | null;
  text: string;
  changed: [number, number][];
  moved?: number | null;
}

/** A fact that is not the same in all variants. `subject` is what it is a fact of (`launch`, `A_shared`, `gemm`) with its line; `values` has one value for each variant, None where there is none or where it is not known; `at_most`, for texts, which of them are upper bounds (empty: none is). */
export interface Difference {
  subject: string;
  line: number | null;
  fact: string;
  values: unknown[];
}

/** The first pass behind which the two are not the same; `purpose` is what the pass is for. */
export interface DivergenceEntry {
  a: PassName | null;
  b: PassName | null;
  where: "input" | "only-a" | "only-b" | "output";
  purpose: string | null;
  diff: TextDiff;
}

/** Something that the two were recorded with and that is not the same: versions, target, arguments, pass configs, compile flags, sources. None where one has none. */
export interface EnvironmentDifference {
  name: string;
  a: unknown;
  b: unknown;
}

/** A line of generated source that came of the subject. */
export interface GeneratedEntry {
  line: number;
  text: string;
  role: string | null;
}

/** What one pass did to the subject, in words, and the lines about it that it deleted and inserted. */
export interface HistoryStep {
  pass: PassName;
  change: string;
  lines: DiffLine[];
}

/** The verdict on the launches that were joined with `recording`. */
export interface Judged {
  recording: string;
  verdict: Verdict;
}

/** Arguments with their origins; `arguments` are the same as texts, to choose them by. `file` and `line` are where they come from, null where from several places. `current` is the one that hints are shown for. */
export interface KnownSpecialization {
  id: string;
  origin: string | null;
  args: { [name: string]: Argument };
  arguments: { [name: string]: string };
  file: string | null;
  line: number | null;
  current: boolean;
}

/** A target with the name of its architecture, null where it is not known; `origin` is what named the current one. */
export interface KnownTarget {
  name: string;
  architecture: string | null;
  origin: string | null;
  current: boolean;
}

/** A lane by its titles, outermost first; numbers are None where a profile has no such lane. `busy` is the part of its profile's time in which the lane has a slice, 0 to 1. */
export interface LaneDifference {
  path: string[];
  kind: string;
  slices_a: number | null;
  slices_b: number | null;
  busy_ns_a: number | null;
  busy_ns_b: number | null;
  busy_a: number | null;
  busy_b: number | null;
}

/** An inferred layout. `registers_per_thread` counts 32-bit registers; `replicate` is the number of copies of each element over the threads; `threads` the number of threads that hold the fragment. */
export interface Layout {
  kind: "fractal" | "fragment" | "other" | "shared";
  summary: string;
  swizzle?: "128B" | "32B" | "64B" | "none" | null;
  registers_per_thread?: number | null;
  replicate?: number | null;
  threads?: number | null;
  decided_by?: DecidedBy | null;
  map?: LayoutMap | null;
}

/** Where each element lies: expressions in Python's syntax over `i`, `j`, `k`, `l`, `m`, `n` (one for each of `inputs`, the extents mapped, which begin with the stages where a pipeline has several). `index` has one expression for each of `outputs`: the place in memory, row-major, in elements; of a fragment, the place among one thread's elements. `thread` is the thread that holds a fragment's element; where there are copies it is also over `rep`, 0 to `replicate` - 1. */
export interface LayoutMap {
  inputs: number[];
  outputs: number[];
  index: string[];
  replicate: number;
  thread?: string | null;
}

/** A Python line before and after; an origin is None where that side has no such line, a share 0 where it has no samples there. `ns_a` and `ns_b` are shares of the launch's duration, as far as that is known. */
export interface LineDifference {
  a: Origin | null;
  b: Origin | null;
  text: string;
  share_a: number;
  share_b: number;
  stall_a: string | null;
  stall_b: string | null;
  ns_a: number | null;
  ns_b: number | null;
}

/** A buffer in a memory. `bytes` are those of all its stages over the whole block. `first_use` and `last_use` are the Python lines between which it is alive; `offset` is where it begins in the memory (bytes), `merged_into` the allocation it shares with others. `registers` counts 32-bit registers of each thread. Null is not known. */
export interface MemoryBuffer {
  name: string;
  line: number | null;
  column: number | null;
  scope: string;
  dtype: string | null;
  shape: (number | string)[];
  stages: number;
  bytes: number | null;
  first_use: number | null;
  last_use: number | null;
  offset: number | null;
  merged_into: string | null;
  registers: number | null;
}

/** An on-chip memory (`shared`, `registers`, Ascend's `ub`, `l1` ...). `used` is what one block takes of it (of `registers`: one thread), `declared` the sum of its buffers before unknown share a place, `capacity` the most there can be; of `registers` all three count registers, else bytes. */
export interface MemorySpace {
  name: string;
  unit: "bytes" | "registers per thread";
  used: number | null;
  declared: number | null;
  capacity: number | null;
  buffers: MemoryBuffer[];
}

/** `lines` lines that stand at `after` instead of `before` (1-based); `indent` is their shift in columns. `in_place` is whether they were only indented. */
export interface MovedBlock {
  before: number;
  after: number;
  lines: number;
  indent: number;
  in_place: boolean;
}

/** A place in a Python file. */
export interface Origin {
  file: string;
  line: number;
}

/** A pass of each recording, or of one only. */
export interface PairEntry {
  a: PassName | null;
  b: PassName | null;
  outcome: "constants" | "differs" | "follows" | "only-a" | "only-b" | "same";
  duration_ms: [number | null, number | null];
}

/** One pass in the list of passes; `insertions` and `deletions` are lines against its own input; `summary` says in a line what it did, empty where it changed nothing. */
export interface PassEntry {
  index: number;
  name: string;
  phase: string | null;
  module: "both" | "device" | "host";
  depth: number;
  parent: number | null;
  changed: boolean;
  insertions: number;
  deletions: number;
  duration_ms: number;
  status: "failed" | "ok";
  error: string | null;
  summary: string;
}

/** A pass, as other documents refer to it. */
export interface PassName {
  index: number;
  name: string;
}

/** A sentence about a Python line, or about the launch where `line` is None. */
export interface Remark {
  text: string;
  line: number | null;
}

/** One line of IR or generated source, with the places in Python that it comes from and, in generated source, the part it plays. */
export interface ShownLine {
  line: number;
  text: string;
  source: Origin[];
  role?: string | null;
}

/** One line of one side. `changed` are (column, end column) of what differs in it, empty where the whole line is new or gone; `moved` is its line number on the other side where it only moved or was indented; `source` are the Python lines it comes from. 1-based, ends exclusive. */
export interface SideLine {
  line: number;
  text: string;
  changed: [number, number][];
  moved: number | null;
  source: Origin[];
}

/** One row: a line on each side (`equal`; `change` where the left one became the right one), on one side only (`delete`, `insert`), or on none, for `skipped` equal lines that are left out (`skip`). */
export interface SideRow {
  kind: "change" | "delete" | "equal" | "insert" | "skip";
  before: SideLine | null;
  after: SideLine | null;
  skipped: number;
}

/** `side` is producer, consumer or empty; `kind` work or wait; `line` the Python line in the newer of the two, 0 where it is not known; `waits_for` data, a free stage, wgmma ..., None for work and where none is known. All stamps of one side, kind, line and reason together: `share` of the side's time, and `cycles` of one time, medians added up, each as often as it comes for one of that which comes most often. None where a side has none. */
export interface SiteDifference {
  side: string;
  kind: string;
  line: number;
  share_a: number | null;
  share_b: number | null;
  cycles_a: number | null;
  cycles_b: number | null;
  waits_for: string | null;
}

/** Whose history it is: a Python line, or the buffer `name` with the line that allocates it, where known. */
export interface Subject {
  kind: "buffer" | "line";
  name: string | null;
  file: string | null;
  line: number | null;
}

/** The diff of two texts; `constants` is whether they differ in nothing but numbers. */
export interface TextDiff {
  insertions: number;
  deletions: number;
  hunks: DiffHunk[];
  constants: boolean;
}

/** One profile. `samples_unit` is what samples count (samples, or a simulator's cycles or ns) and `samples_rule` says how lines were chosen; `unplaced_share` is the share of samples that could be put on no line, None where none were carried to Python. */
export interface TimelineFile {
  file: string;
  format: string;
  devices: Device[];
  launches: TimelineLaunch[];
  lanes: TimelineLane[];
  slices: number;
  samples: TimelineSample[];
  notes: TimelineNote[];
  parts: TimelinePart[];
  samples_unit: string | null;
  samples_total?: number | null;
  samples_rule?: string | null;
  unplaced_share?: number | null;
  nothing_to_show?: string | null;
}

/** Which recording a launch is of; `file` where that is sure, `candidates` where it is not. */
export interface TimelineJoin {
  match: "ambiguous" | "exact" | "none" | "unique";
  reason: string;
  file?: string | null;
  candidates?: string[];
}

/** `parent` is an index into `lanes`; `busy_ns` the time in which the lane itself has a slice. */
export interface TimelineLane {
  title: string;
  kind: string;
  parent: number | null;
  slices: number;
  busy_ns: number;
  clock?: string | null;
}

/** `count` launches where the profiler sums them up (`duration_ns` is of all); `lane` is an index into `lanes`. `recording` is absent where no recordings were given. */
export interface TimelineLaunch {
  name: string;
  start_ns: number | null;
  duration_ns: number | null;
  count: number;
  lane: number | null;
  device?: number | null;
  grid?: [number, number, number] | null;
  block?: [number, number, number] | null;
  dynamic_shared_bytes?: number | null;
  registers?: number | null;
  annotation?: string | null;
  kind?: string | null;
  recording?: TimelineJoin | null;
}

/** A measured value with its unit as the profiler spells it. */
export interface TimelineMetric {
  value: number | string;
  unit: string | null;
}

/** What a reader must know; `subject` is the name of the slices it is about. */
export interface TimelineNote {
  message: string;
  subject?: string | null;
}

/** Metrics of one part of a launch (a core, a block), named as the profiler names it; `launch` is an index into `launches`. */
export interface TimelinePart {
  launch: number;
  part: string;
  metrics: { [name: string]: TimelineMetric };
}

/** `share` (0 to 1) of a kernel's samples on one line; `launch` is an index into `launches`. `file` and `line` are those of the Python source, or what the profiler itself names, as `samples_rule` says; `text` is what stands there, where the recording or the profile has it. */
export interface TimelineSample {
  launch: number;
  file: string;
  line: number;
  share: number;
  samples: number;
  stalls: { [name: string]: number };
  text?: string | null;
}

/** One specialization x target of a kernel, by default the one that hints are shown for. `specialization` is an id that facts name, `arguments` are texts of Python literals or dtype names by parameter, over all others. */
export interface Variant {
  specialization?: string | null;
  target?: string | null;
  arguments?: { [name: string]: string };
}

/** `bound` is `unknown` where the measurements leave more than one of `possible`, or none since they contradict each other. `missing` names what would tell more. */
export interface Verdict {
  bound: "compute" | "latency" | "memory" | "unknown";
  possible: ("compute" | "latency" | "memory")[];
  evidence: string[];
  achieved: Achieved[];
  remarks: Remark[];
  missing: string[];
}

/** `duration_ns` of the launches; `missing` says what could not be compared, and why. */
export interface Versus {
  duration_ns_a: number | null;
  duration_ns_b: number | null;
  lines: LineDifference[];
  stamps: SiteDifference[];
  lanes: LaneDifference[];
  missing: string[];
}

export interface Methods {
  /** The passes of a kernel's lowering, what each did and how long it took. */
  'tilescope/passes': {
    params: {
      uri: string;
      specialization?: string | null;
      target?: string | null;
      arguments?: { [name: string]: string };
      kernel?: string | null;
      line?: number | null;
    };
    answer: {
      schema: "tilescope.passes/1";
      kernel: string;
      target: string;
      lower_ms: number;
      record_ms: number;
      status: "failed" | "incomplete" | "ok";
      passes: PassEntry[];
      of: About;
    };
  };
  /** What a pass did to its own input, as rows of two columns. */
  'tilescope/diff': {
    params: {
      uri: string;
      pass: number | string;
      specialization?: string | null;
      target?: string | null;
      arguments?: { [name: string]: string };
      kernel?: string | null;
      line?: number | null;
      context?: number | null; // default 3
      hide_renumbering?: boolean; // default false
      hide_indentation?: boolean; // default false
    };
    answer: {
      schema: "tilescope.sides/1";
      pass: PassName;
      changed: boolean;
      status: "failed" | "ok";
      error: string | null;
      summary: string;
      purpose: string | null;
      insertions: number;
      deletions: number;
      rows: SideRow[];
      moved: MovedBlock[];
      layouts: AttachedLayout[];
      of: About;
    };
  };
  /** What became of a buffer, or of a Python line, pass by pass. */
  'tilescope/history': {
    params: {
      uri: string;
      specialization?: string | null;
      target?: string | null;
      arguments?: { [name: string]: string };
      kernel?: string | null;
      line?: number | null;
      buffer?: string | null;
      file?: string | null;
    };
    answer: {
      schema: "tilescope.history/1";
      subject: Subject;
      steps: HistoryStep[];
      generated: GeneratedEntry[];
      notes: string[];
      of: About;
    };
  };
  /** The IR after a pass (before it, where it failed), each line with its Python lines. */
  'tilescope/show': {
    params: {
      uri: string;
      pass: number | string;
      specialization?: string | null;
      target?: string | null;
      arguments?: { [name: string]: string };
      kernel?: string | null;
      line?: number | null;
    };
    answer: {
      schema: "tilescope.show/1";
      lines: ShownLine[];
      layouts: AttachedLayout[];
      of: About;
    };
  };
  /** The generated source, each line with its Python lines and its role. */
  'tilescope/generated': {
    params: {
      uri: string;
      specialization?: string | null;
      target?: string | null;
      arguments?: { [name: string]: string };
      kernel?: string | null;
      line?: number | null;
    };
    answer: {
      schema: "tilescope.generated/1";
      lines: ShownLine[];
      layouts: AttachedLayout[];
      language: string | null;
      of: About;
    };
  };
  /** Where a layout puts each element of a buffer: a picture and, row by row, `cells`: `{threads, register}` of a fragment, `{address, bank?}` of memory (bytes; banks of shared memory). */
  'tilescope/layout': {
    params: {
      uri: string;
      buffer: string;
      specialization?: string | null;
      target?: string | null;
      arguments?: { [name: string]: string };
      kernel?: string | null;
      line?: number | null;
      buffer_line?: number | null;
      rows?: [number, number]; // default [0, 64]
      columns?: [number, number]; // default [0, 64]
      index?: number[];
    };
    answer: {
      schema: "tilescope.layout/1";
      buffer: Buffer;
      leading: number[];
      row: number;
      column: number;
      rows: number;
      columns: number;
      cells: { [name: string]: unknown }[][];
      svg: string;
      text: string;
      of: About;
    };
  };
  /** What is in each on-chip memory, and how much room there is. */
  'tilescope/memory': {
    params: {
      uri: string;
      specialization?: string | null;
      target?: string | null;
      arguments?: { [name: string]: string };
      kernel?: string | null;
      line?: number | null;
      record?: boolean; // default false
    };
    answer: {
      schema: "tilescope.memory/1";
      spaces: MemorySpace[];
      notes: string[];
      of: About;
    };
  };
  /** Specializations and targets to choose among, from calls, directives, configuration and captures. `chosen`: something was chosen, by `tilescope.chooseSpecialization` or `tilescope.chooseTarget`. */
  'tilescope/variants': {
    params: {
      uri: string;
      specialization?: string | null;
      target?: string | null;
      arguments?: { [name: string]: string };
      kernel?: string | null;
      line?: number | null;
    };
    answer: {
      schema: "tilescope.variants/1";
      specializations: KnownSpecialization[];
      targets: KnownTarget[];
      chosen: boolean;
      of: About;
    };
  };
  /** Launches, lanes, samples of profiles. `alone` says why they are not joined with a kernel (null: they are). */
  'tilescope/timeline': {
    params: {
      uri: string;
      specialization?: string | null;
      target?: string | null;
      arguments?: { [name: string]: string };
      kernel?: string | null;
      line?: number | null;
      profiles?: string[];
      codes?: string[];
    };
    answer: {
      schema: "tilescope.timeline/1";
      files: TimelineFile[];
      verdicts: Judged[];
      of: About | null;
      alone: string | null;
    };
  };
  /** Two specializations or targets of a kernel, side by side. */
  'tilescope/compare': {
    params: {
      uri: string;
      a: Variant;
      b: Variant;
      kernel?: string | null;
      line?: number | null;
    };
    answer: {
      schema: "tilescope.compare/1";
      same: boolean;
      environment: EnvironmentDifference[];
      passes: PairEntry[];
      first_divergence: DivergenceEntry | null;
      first_structural: DivergenceEntry | null;
      buffers: Difference[];
      facts: Difference[];
      generated: TextDiff | null;
      profiles: Versus | null;
      a: About;
      b: About;
    };
  };
}
