/** Rows of a diff as they are drawn: side by side, or one below the other where there is little room. */
import type { SideLine, SideRow } from '../../protocol';

export interface DrawnRow {
  kind: SideRow['kind'];
  before: SideLine | null;
  after: SideLine | null;
  skipped: number;
  /** Whether the row holds one line over the whole width. */
  single: boolean;
}

export function sideBySide(rows: readonly SideRow[]): DrawnRow[] {
  return rows.map((row) => ({ ...row, single: row.kind === 'skip' }));
}

/** Deleted lines of a run of changes come before inserted ones, as in a unified diff. */
export function unified(rows: readonly SideRow[]): DrawnRow[] {
  const drawn: DrawnRow[] = [];
  let inserted: DrawnRow[] = [];
  const flush = (): void => {
    drawn.push(...inserted);
    inserted = [];
  };
  for (const row of rows) {
    if (row.kind === 'equal' || row.kind === 'skip') {
      flush();
      drawn.push({ ...row, single: true });
      continue;
    }
    if (row.before !== null) {
      drawn.push({ kind: 'delete', before: row.before, after: null, skipped: 0, single: true });
    }
    if (row.after !== null) {
      inserted.push({ kind: 'insert', before: null, after: row.after, skipped: 0, single: true });
    }
  }
  flush();
  return drawn;
}

/** Where runs of changed rows begin. */
export function changeStarts(rows: readonly DrawnRow[]): number[] {
  const isChange = (row: DrawnRow | undefined): boolean =>
    row !== undefined && row.kind !== 'equal' && row.kind !== 'skip';
  return rows.flatMap((row, index) => (isChange(row) && !isChange(rows[index - 1]) ? [index] : []));
}

/** Rows that contain a text, without regard to case. */
export function found(rows: readonly DrawnRow[], text: string): number[] {
  const wanted = text.toLowerCase();
  if (wanted === '') {
    return [];
  }
  return rows.flatMap(({ before, after }, index) =>
    [before, after].some((line) => line?.text.toLowerCase().includes(wanted)) ? [index] : [],
  );
}

/** The next of some indices behind (or before) `from`, around the end. */
export function next(indices: readonly number[], from: number, by: 1 | -1): number | undefined {
  return by === 1
    ? (indices.find((index) => index > from) ?? indices[0])
    : (indices.findLast((index) => index < from) ?? indices[indices.length - 1]);
}
