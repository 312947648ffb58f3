/** What panels and the extension say to each other. Everything that comes from a panel is checked. */
import type { About, Buffer, MemorySpace, Methods, ShownLine } from '../protocol';

export const PANEL_KINDS = ['passes', 'layout', 'memory', 'compare', 'timeline'] as const;

export type PanelKind = (typeof PANEL_KINDS)[number];

type Answer<M extends keyof Methods> = Methods[M]['answer'];

/** A target or specialization to choose. */
export interface Choice {
  value: string;
  label: string;
}

export interface BufferChoice extends Pick<Buffer, 'name' | 'line' | 'scope' | 'dtype'> {
  shape: Buffer['shape'];
  summary: string | null;
  decided: string | null;
}

/** One side of a comparison. */
export interface VariantChoice {
  specialization: string | null;
  target: string | null;
}

/** The kernel that a panel shows, which its page remembers for the time after a reload of the window. */
export interface Place {
  uri: string;
  kernel?: string;
  line?: number;
}

/** The place in what a page remembered, where it is one. */
export function rememberedPlace(state: unknown): Place | undefined {
  const { uri, kernel, line } = ((state as { place?: unknown } | null | undefined)?.place ?? {}) as Partial<Place>;
  if (typeof uri !== 'string' || !(kernel === undefined || isText(kernel)) || !(line === undefined || isNumber(line))) {
    return undefined;
  }
  return { uri, ...(kernel !== undefined && { kernel }), ...(line !== undefined && { line }) };
}

export type ToPanel =
  | { type: 'place'; place: Place }
  /** Work goes on; what was shown stays. */
  | { type: 'busy'; text: string }
  | { type: 'problem'; text: string; actions: { label: string; command: string }[] }
  /** The text has changed since what is shown was made (false: has not). */
  | { type: 'stale'; stale: boolean }
  /** The editor's cursor, in the file that origins call by these names. */
  | { type: 'cursor'; files: string[]; line: number; lineText: string }
  | { type: 'passes'; passes: Answer<'tilescope/passes'>; generated: ShownLine[]; language: string | null; selected: number }
  | { type: 'diff'; diff: Answer<'tilescope/diff'> }
  /** Indices of the passes that changed what the cursor's line became. */
  | { type: 'touched'; passes: number[] }
  | { type: 'step'; by: 1 | -1 }
  | { type: 'buffers'; about: string; buffers: BufferChoice[]; selected: number }
  | { type: 'layout'; layout: Omit<Answer<'tilescope/layout'>, 'cells' | 'text'> }
  | { type: 'memory'; spaces: MemorySpace[]; notes: string[]; of: About; recorded: boolean }
  | { type: 'variants'; kernel: string; specializations: Choice[]; targets: Choice[]; a: VariantChoice; b: VariantChoice }
  | { type: 'compare'; comparison: Answer<'tilescope/compare'> }
  | { type: 'timeline'; timeline: Answer<'tilescope/timeline'> };

export type FromPanel =
  | { type: 'ready' }
  | { type: 'refresh' }
  | { type: 'reveal'; file: string; line: number }
  | { type: 'pass'; index: number; context: number | null; hideRenumbering: boolean }
  | { type: 'buffer'; index: number; rows: [number, number]; columns: [number, number]; leading: number[] }
  | { type: 'compare'; a: VariantChoice; b: VariantChoice }
  | { type: 'record' }
  | { type: 'copy'; text: string; what: string }
  | { type: 'save'; text: string; name: string }
  | { type: 'command'; command: string };

/** Commands that a button in a panel may run. */
export const PANEL_COMMANDS: readonly string[] = [
  'tilescope.showPasses',
  'tilescope.showLayouts',
  'tilescope.showMemory',
  'tilescope.compare',
  'tilescope.attachProfile',
  'tilescope.openInTerminalBrowser',
  'tilescope.showOutput',
  'tilescope.restart',
  'tilescope.install',
  'workbench.trust.manage',
];

type Check = (value: unknown) => boolean;

const isNumber: Check = (value) => typeof value === 'number' && Number.isInteger(value) && value >= 0;
const isText: Check = (value) => typeof value === 'string';
const isFlag: Check = (value) => typeof value === 'boolean';
const orNull =
  (check: Check): Check =>
  (value) =>
    value === null || check(value);
const isRange: Check = (value) => Array.isArray(value) && value.length === 2 && value.every(isNumber);
const isVariant: Check = (value) =>
  typeof value === 'object' &&
  value !== null &&
  ['specialization', 'target'].every((key) => orNull(isText)((value as Record<string, unknown>)[key]));

const SHAPES: Record<FromPanel['type'], Record<string, Check>> = {
  ready: {},
  refresh: {},
  record: {},
  reveal: { file: isText, line: isNumber },
  pass: { index: isNumber, context: orNull(isNumber), hideRenumbering: isFlag },
  buffer: {
    index: isNumber,
    rows: isRange,
    columns: isRange,
    leading: (value) => Array.isArray(value) && value.every(isNumber),
  },
  compare: { a: isVariant, b: isVariant },
  copy: { text: isText, what: isText },
  save: { text: isText, name: (value) => typeof value === 'string' && /^[\w.-]+$/.test(value) },
  command: { command: (value) => PANEL_COMMANDS.includes(value as string) },
};

/** The message where it is one; undefined for anything else. */
export function readMessage(value: unknown): FromPanel | undefined {
  if (typeof value !== 'object' || value === null || !('type' in value) || typeof value.type !== 'string') {
    return undefined;
  }
  const shape = Object.hasOwn(SHAPES, value.type) ? SHAPES[value.type as FromPanel['type']] : undefined;
  if (shape === undefined) {
    return undefined;
  }
  const fits = Object.entries(shape).every(([key, check]) => check((value as Record<string, unknown>)[key]));
  return fits ? (value as FromPanel) : undefined;
}
