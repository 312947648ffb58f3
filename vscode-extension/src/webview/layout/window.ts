/** The part of a layout that is shown: a layout may have millions of cells. */

export interface Window {
  rows: [number, number];
  columns: [number, number];
  leading: number[];
}

const ROWS = 32;
const COLUMNS = 64;

export function windowOf(): Window {
  return { rows: [0, ROWS], columns: [0, COLUMNS], leading: [] };
}

/** The window moved by so many of its own heights and widths, kept inside the extents. */
export function step(window: Window, rows: number, columns: number, extents: { rows: number; columns: number }): Window {
  return {
    ...window,
    rows: moved(window.rows, rows, extents.rows),
    columns: moved(window.columns, columns, extents.columns),
  };
}

function moved([start, end]: [number, number], by: number, extent: number): [number, number] {
  const size = end - start;
  const last = Math.max(0, Math.floor((extent - 1) / size) * size);
  const to = Math.max(0, Math.min(start + by * size, last));
  return [to, to + size];
}
