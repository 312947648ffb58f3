/** Which rows come from a line of Python. */
import type { Origin } from '../../protocol';

export interface Cursor {
  files: readonly string[];
  line: number;
}

/** Does one of these origins lie on the cursor's line? */
export function isOf(source: readonly Origin[] | undefined, { files, line }: Cursor): boolean {
  return source?.some((origin) => origin.line === line && files.includes(origin.file)) ?? false;
}

/** Of some rows the first of those that come of the fewest lines: what is most about the one in question. */
export function mostParticular(rows: Iterable<number>, sourceOf: (row: number) => readonly Origin[]): number[] {
  let fewest = Infinity;
  let best: number[] = [];
  for (const row of rows) {
    const count = sourceOf(row).length;
    if (count < fewest) {
      fewest = count;
      best = [];
    }
    if (count === fewest) {
      best.push(row);
    }
  }
  return best;
}

/** The origin to go to from a line: the last one, which is the most particular where a line has several. */
export function bestOrigin(source: readonly Origin[], cursor: Cursor): Origin | undefined {
  return source.find((origin) => isOf([origin], cursor)) ?? source[source.length - 1];
}
