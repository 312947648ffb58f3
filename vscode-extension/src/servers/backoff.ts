/** When a server that ended by itself is started again, and when no more. */

/** Waits before the first, second ... restart, in ms. */
const WAITS_MS = [0, 1000, 4000, 10_000];

/** Ends that lie further back do not count: a crash a day is no loop. */
const WINDOW_MS = 180_000;

export class Backoff {
  private ends: number[] = [];

  /** Note an end at the time `now` (ms); the wait before the next start, or undefined: give up. */
  ended(now: number): number | undefined {
    this.ends = [...this.ends.filter((end) => now - end < WINDOW_MS), now];
    return WAITS_MS[this.ends.length - 1];
  }

  reset(): void {
    this.ends = [];
  }
}
