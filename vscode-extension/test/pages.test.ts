import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { MemoryBuffer, MemorySpace, PassEntry, SideLine, SideRow } from '../src/protocol';
import { bestOrigin, isOf, mostParticular } from '../src/webview/common/origins';
import { parts } from '../src/webview/common/parts';
import { tokens } from '../src/webview/common/syntax';
import { bytes, percent } from '../src/webview/common/words';
import { textOf } from '../src/webview/compare/values';
import { step, windowOf } from '../src/webview/layout/window';
import { segmentsOf } from '../src/webview/memory/segments';
import { listed } from '../src/webview/passes/filter';
import { changeStarts, found, next, sideBySide, unified } from '../src/webview/passes/lines';

const line = (number: number, text = `line ${number}`): SideLine => ({ line: number, text, changed: [], moved: null, source: [] });
const row = (kind: SideRow['kind'], before: number | null, after: number | null): SideRow => ({
  kind,
  before: before === null ? null : line(before),
  after: after === null ? null : line(after),
  skipped: kind === 'skip' ? 9 : 0,
});
const ROWS = [row('equal', 1, 1), row('change', 2, 2), row('insert', null, 3), row('change', 3, 4), row('skip', null, null), row('delete', 20, null)];

void test('one below the other, what was deleted comes before what was inserted', () => {
  const told = unified(ROWS).map(({ kind, before, after }) => `${kind} ${before?.line ?? ''}/${after?.line ?? ''}`);
  assert.deepEqual(told, ['equal 1/1', 'delete 2/', 'delete 3/', 'insert /2', 'insert /3', 'insert /4', 'skip /', 'delete 20/']);
  assert.equal(sideBySide(ROWS).length, ROWS.length);
});

void test('runs of changes, finds, and steps around the end', () => {
  const drawn = sideBySide(ROWS);
  assert.deepEqual(changeStarts(drawn), [1, 5]);
  assert.deepEqual(found(drawn, 'LINE 3'), [2, 3]);
  assert.deepEqual(found(drawn, ''), []);
  assert.equal(next([1, 5], 1, 1), 5);
  assert.equal(next([1, 5], 5, 1), 1);
  assert.equal(next([1, 5], 1, -1), 5);
  assert.equal(next([], 1, 1), undefined);
});

void test('marks count code points, not code units', () => {
  assert.deepEqual(parts('a😀bc', [[2, 4]]), [
    { text: 'a', marked: false },
    { text: '😀b', marked: true },
    { text: 'c', marked: false },
  ]);
  assert.deepEqual(parts('ab', [[1, 9]]), [{ text: 'ab', marked: true }]);
  assert.deepEqual(parts('', []), []);
});

void test('tokens lie in order inside the line', () => {
  const text = 'for k in range(0x10): # T.copy("a")';
  const made = tokens(text);
  assert.deepEqual(made.map(({ start, end }) => text.slice(start, end)), ['for', 'in', '0x10', '# T.copy("a")']);
});

void test('passes are listed by words of name and summary; a failed one is always there', () => {
  const pass = (name: string, summary: string, more: Partial<PassEntry> = {}): PassEntry => ({
    index: 0, name, phase: null, module: 'both', depth: 0, parent: null, changed: summary !== '', insertions: 0, deletions: 0, duration_ms: 1,
    status: 'ok', error: null, summary, ...more,
  });
  const passes = [pass('tl.A', ''), pass('tl.LowerTileOp', '2 TMA copies'), pass('tl.B', '', { status: 'failed' })];
  const names = (text: string, changedOnly: boolean): string[] => listed(passes, { text, changedOnly }).map(({ name }) => name);
  assert.deepEqual(names('', true), ['tl.LowerTileOp', 'tl.B']);
  assert.deepEqual(names('', false).length, 3);
  assert.deepEqual(names('tma lower', true), ['tl.LowerTileOp']);
});

void test('origins: the cursor’s line first, else the most particular', () => {
  const cursor = { files: ['gemm.py'], line: 23 };
  const source = [{ file: 'gemm.py', line: 11 }, { file: 'gemm.py', line: 23 }, { file: 'lib.py', line: 5 }];
  assert.ok(isOf(source, cursor));
  assert.ok(!isOf(source, { files: ['lib.py'], line: 23 }));
  assert.deepEqual(bestOrigin(source, cursor), source[1]);
  assert.deepEqual(bestOrigin(source, { files: [], line: 1 }), source[2]);
  assert.equal(bestOrigin([], cursor), undefined);
  const rows = [source, source.slice(1, 2), [], source.slice(0, 1)];
  assert.deepEqual(mostParticular([0, 1, 3], (row) => rows[row] ?? []), [1, 3]);
});

const buffer = (name: string, size: number, offset: number | null): MemoryBuffer => ({
  name, line: 1, column: 1, scope: 'shared.dyn', dtype: 'float16', shape: [1], stages: 1, bytes: size, first_use: null, last_use: null,
  offset, merged_into: null, registers: null,
});
const space = (...buffers: MemoryBuffer[]): MemorySpace => ({ name: 'shared', unit: 'bytes', used: 100, declared: 100, capacity: 200, buffers });

void test('buffers lie where they are known to lie; those that share a place in lanes', () => {
  const placed = segmentsOf(space(buffer('B', 20, 40), buffer('A', 40, 0), buffer('C', 30, 10)));
  assert.deepEqual(placed.map(({ buffer: { name }, start, lane }) => `${name}@${start}/${lane}`), ['A@0/0', 'C@10/1', 'B@40/0']);
  const unknown = segmentsOf(space(buffer('A', 40, null), buffer('B', 20, null)));
  assert.deepEqual(unknown.map(({ start }) => start), [0, 40]);
});

void test('the part of a layout stays inside it', () => {
  const extents = { rows: 100, columns: 64 };
  let part = windowOf();
  part = step(part, 1, 1, extents);
  assert.deepEqual([part.rows, part.columns], [[32, 64], [0, 64]]);
  part = step(step(step(part, 1, 0, extents), 1, 0, extents), 1, 0, extents);
  assert.deepEqual(part.rows, [96, 128]);
  assert.deepEqual(step(part, -9, -9, extents).rows, [0, 32]);
});

void test('words', () => {
  assert.equal(bytes(24576), '24 KiB');
  assert.equal(bytes(50176), '49 KiB');
  assert.equal(bytes(1000), '1000 B');
  assert.equal(percent(50, 1000), '5.0 %');
  assert.equal(textOf([0, 0, 2]), '0, 0, 2');
  assert.equal(textOf(null), 'none');
  assert.equal(textOf({ a: [1], b: false }), 'a: 1, b: false');
});
