import assert from 'node:assert/strict';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { probe } from '../src/discovery/probe';
import { Backoff } from '../src/servers/backoff';
import { startProcess } from '../src/servers/process';

const folder = mkdtempSync(path.join(tmpdir(), 'tilescope-test-'));
after(() => { rmSync(folder, { recursive: true }); });
const skip = process.platform === 'win32' ? 'needs a POSIX shell' : false;

function script(name: string, text: string): string {
  const file = path.join(folder, name);
  writeFileSync(file, `#!/bin/sh\n${text}\n`);
  chmodSync(file, 0o755);
  return file;
}

void test('what a command prints, or why it printed nothing', { skip }, async () => {
  assert.deepEqual(await probe(script('good', 'echo tilescope 0.1.0')), { printed: 'tilescope 0.1.0\n' });
  assert.match(JSON.stringify(await probe(script('bad', 'echo ModuleNotFoundError >&2; exit 1'))), /exit code 1: ModuleNotFoundError/);
  assert.match(JSON.stringify(await probe(path.join(folder, 'missing'))), /cannot be started \(ENOENT\)/);
});

void test('a server that ends at once is told with its last words', { skip }, async () => {
  const server = startProcess(script('dying', 'echo first >&2; echo "no module named msgspec" >&2; exit 3'), folder);
  assert.equal(await server.ended, 'it ended with exit code 3');
  assert.match(server.lastWords(), /no module named msgspec$/);
});

void test('a server that ignores its end is killed', { skip }, async () => {
  const server = startProcess(script('deaf', 'trap "" TERM; while :; do sleep 0.1; done'), folder);
  server.kill(50);
  assert.equal(await server.ended, 'it was ended by SIGKILL');
});

void test('restarts wait longer and longer, and end', () => {
  const backoff = new Backoff();
  const waits = [0, 10, 20, 30, 40].map((at) => backoff.ended(at));
  assert.deepEqual(waits, [0, 1000, 4000, 10_000, undefined]);
  assert.equal(backoff.ended(1_000_000), 0, 'old ends do not count');
});
