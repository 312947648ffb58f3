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

/** The origin to go to from a line: the last one, which is the most particular where a line has several. */
export function bestOrigin(source: readonly Origin[], cursor: Cursor): Origin | undefined {
  return source.find((origin) => isOf([origin], cursor)) ?? source[source.length - 1];
}
