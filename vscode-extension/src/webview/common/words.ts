/** Sizes and shapes in a few words. */

/** `24 KiB`, `1.5 MiB`; exact bytes below 1 KiB or where they are no round number of KiB. */
export function bytes(count: number): string {
  const units = ['B', 'KiB', 'MiB', 'GiB'];
  let unit = 0;
  let value = count;
  while (value >= 1024 && unit < units.length - 1) {
    value /= 1024;
    unit++;
  }
  return `${Number.isInteger(value) ? value : value.toFixed(value < 10 ? 2 : 1)} ${units[unit] ?? ''}`;
}

export function shapeOf(shape: readonly (number | string)[]): string {
  return `[${shape.join(', ')}]`;
}

export function percent(part: number, whole: number): string {
  const value = (100 * part) / whole;
  return `${value < 10 ? value.toFixed(1) : Math.round(value)} %`;
}
