/** Launches of a profile, as the page shows them. */
import type { TimelineLaunch } from '../../protocol';

export interface Kernel {
  name: string;
  count: number;
  total: number;
  launch: TimelineLaunch;
}

/** Launches of the same name and geometry as one, the longest first. */
export function kernelsOf(launches: readonly TimelineLaunch[]): Kernel[] {
  const found = new Map<string, Kernel>();
  for (const launch of launches) {
    const key = JSON.stringify([launch.name, launch.grid, launch.block]);
    const kernel = found.get(key) ?? { name: launch.name, count: 0, total: 0, launch };
    kernel.count += launch.count;
    kernel.total += launch.duration_ns ?? 0;
    found.set(key, kernel);
  }
  return [...found.values()].sort((one, other) => other.total - one.total);
}

export interface Bar {
  launch: TimelineLaunch;
  /** From 0 to 1 over the whole track. */
  start: number;
  width: number;
}

/** Launches as bars on the track of their lane, by the lane's index; those without times are left out. */
export function tracksOf(launches: readonly TimelineLaunch[]): Map<number, Bar[]> {
  const timed = launches.flatMap((launch) =>
    launch.start_ns === null || launch.duration_ns === null ? [] : [{ launch, start: launch.start_ns, end: launch.start_ns + launch.duration_ns }],
  );
  const first = Math.min(...timed.map(({ start }) => start));
  const whole = Math.max(1, Math.max(...timed.map(({ end }) => end)) - first);
  const tracks = new Map<number, Bar[]>();
  for (const { launch, start, end } of timed) {
    const lane = launch.lane ?? -1;
    const bars = tracks.get(lane) ?? [];
    bars.push({ launch, start: (start - first) / whole, width: (end - start) / whole });
    tracks.set(lane, bars);
  }
  return tracks;
}

/** `1.5 ms`, `820 ns`. */
export function time(ns: number): string {
  const units = ['ns', 'µs', 'ms', 's'];
  let unit = 0;
  let value = ns;
  while (value >= 1000 && unit < units.length - 1) {
    value /= 1000;
    unit++;
  }
  return `${Number.isInteger(value) ? value : value.toFixed(value < 10 ? 2 : 1)} ${units[unit] ?? ''}`;
}

/** Three digits: measurements have no more. */
export function rounded(value: number): string {
  return String(Number(value.toPrecision(3)));
}
