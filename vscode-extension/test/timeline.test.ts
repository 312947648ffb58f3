import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TimelineLaunch } from '../src/protocol';
import { kernelsOf, rounded, time, tracksOf } from '../src/webview/timeline/launches';

const launch = (name: string, start: number | null, duration: number | null, more: Partial<TimelineLaunch> = {}): TimelineLaunch => ({
  name, start_ns: start, duration_ns: duration, count: 1, lane: 0, ...more,
});

void test('launches of one kernel are summed up, the longest first', () => {
  const made = kernelsOf([launch('a', 0, 10), launch('b', 10, 50), launch('a', 60, 30, { count: 3 }), launch('a', 90, 5, { grid: [2, 1, 1] })]);
  assert.deepEqual(made.map(({ name, count, total }) => [name, count, total]), [['b', 1, 50], ['a', 4, 40], ['a', 1, 5]]);
});

void test('bars lie on the tracks of their lanes; launches without times have none', () => {
  const tracks = tracksOf([launch('a', 100, 50), launch('b', 150, 50, { lane: 1 }), launch('c', null, 10)]);
  assert.deepEqual([...tracks.keys()], [0, 1]);
  assert.deepEqual(tracks.get(1)?.map(({ start, width }) => [start, width]), [[0.5, 0.5]]);
  assert.equal(tracksOf([]).size, 0);
});

void test('times', () => {
  assert.equal(time(820), '820 ns');
  assert.equal(rounded(17.895697), '17.9');
  assert.equal(time(1500), '1.50 µs');
  assert.equal(time(25_300_000), '25.3 ms');
});
