/** Lines cut where marks begin and end. */

/** The parts of a line between columns (1-based, in code points, ends exclusive) that are marked and that are not. */
export function parts(text: string, marked: readonly (readonly [number, number])[]): { text: string; marked: boolean }[] {
  const points = Array.from(text);
  const found: { text: string; marked: boolean }[] = [];
  let at = 0;
  const add = (end: number, isMarked: boolean): void => {
    if (end > at) {
      found.push({ text: points.slice(at, end).join(''), marked: isMarked });
      at = end;
    }
  };
  for (const [start, end] of marked) {
    add(Math.min(start - 1, points.length), false);
    add(Math.min(end - 1, points.length), true);
  }
  add(points.length, false);
  return found;
}
