/** The document `timeline` (`tilescope schema timeline`), as far as the page shows it. */

export interface TimelineFile {
  file: string;
  format: string;
  devices: { name: string; arch?: string | null }[];
  launches: Launch[];
  lanes: { title: string; busy_ns: number; slices: number; parent?: number | null }[];
  slices: number;
  samples: Sample[];
  notes: { message: string; subject?: string | null }[];
  samples_total?: number | null;
  samples_rule?: string | null;
  unplaced_share?: number | null;
  nothing_to_show?: string | null;
}

export interface Launch {
  name: string;
  start_ns?: number | null;
  duration_ns?: number | null;
  count?: number;
  lane?: number | null;
  grid?: number[] | null;
  block?: number[] | null;
  registers?: number | null;
  recording?: { match: string; reason: string } | null;
}

export interface Sample {
  launch: number;
  file: string;
  line: number;
  share: number;
  samples: number;
  stalls: Record<string, number>;
  text?: string | null;
}

export interface Kernel {
  name: string;
  count: number;
  total: number;
  launch: Launch;
}

/** Launches of the same name and geometry as one, the longest first. */
export function kernelsOf(launches: readonly Launch[]): Kernel[] {
  const found = new Map<string, Kernel>();
  for (const launch of launches) {
    const key = JSON.stringify([launch.name, launch.grid, launch.block]);
    const kernel = found.get(key) ?? { name: launch.name, count: 0, total: 0, launch };
    kernel.count += launch.count ?? 1;
    kernel.total += launch.duration_ns ?? 0;
    found.set(key, kernel);
  }
  return [...found.values()].sort((one, other) => other.total - one.total);
}

export interface Bar {
  launch: Launch;
  /** From 0 to 1 over the whole track. */
  start: number;
  width: number;
}

/** Launches as bars on the track of their lane, by the lane's index; those without times are left out. */
export function tracksOf(launches: readonly Launch[]): Map<number, Bar[]> {
  const timed = launches.flatMap((launch) =>
    launch.start_ns == null || launch.duration_ns == null ? [] : [{ launch, start: launch.start_ns, end: launch.start_ns + launch.duration_ns }],
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
