import assert from 'node:assert/strict';
import { test } from 'node:test';
import { importsTilelang } from '../src/gate';
import { serverOptions, serverSettings } from '../src/servers/options';
import { rootOf } from '../src/servers/roots';
import { type Shown, shown } from '../src/status/model';
import type { Status } from '../src/servers/status';

void test('files that import tilelang, and files that do not', () => {
  for (const text of [
    'import tilelang',
    'from tilelang import language as T',
    'import torch, tilelang\n',
    'def f():\n    import tilelang.language as T',
  ]) {
    assert.ok(importsTilelang(text), text);
  }
  for (const text of ['', '# import tilelang', 'import torch  # not tilelang', 'x = "tilelang"', 'import tilelanguage']) {
    assert.ok(!importsTilelang(text), text);
  }
});

void test('each folder has a server, nested ones the outer one’s, loose files their folder’s', () => {
  const folders = [
    { folder: '/w/a/nested', name: 'nested' },
    { folder: '/w/a', name: 'a' },
    { folder: '/w/ab', name: 'ab' },
  ];
  assert.deepEqual(rootOf('/w/a/nested/k.py', folders), { folder: '/w/a', name: 'a', ofWorkspace: true });
  assert.deepEqual(rootOf('/w/ab/k.py', folders), { folder: '/w/ab', name: 'ab', ofWorkspace: true });
  assert.deepEqual(rootOf('/tmp/x/k.py', folders), { folder: '/tmp/x', name: 'x', ofWorkspace: false });
});

const NAMES = serverSettings(['tilescope.path', 'tilescope.trace.server', 'tilescope.interpreter', 'tilescope.hints.enabled', 'tilescope.target']);

void test('the server gets its own settings only, and no empty ones', () => {
  assert.deepEqual(NAMES, ['interpreter', 'hints.enabled', 'target']);
  const values: Record<string, unknown> = { 'hints.enabled': false, target: null, interpreter: '' };
  assert.deepEqual(serverOptions(NAMES, (name) => values[name], { trusted: true, selected: undefined }), {
    'hints.enabled': false,
    trusted: true,
  });
});

void test('the interpreter is the setting’s, else the selected one, and without trust none', () => {
  const options = (interpreter: unknown, session: { trusted: boolean; selected: string | undefined }): unknown =>
    serverOptions(['interpreter'], () => interpreter, session).interpreter;
  assert.equal(options('/set', { trusted: true, selected: '/selected' }), '/set');
  assert.equal(options(null, { trusted: true, selected: '/selected' }), '/selected');
  assert.equal(options('/set', { trusted: false, selected: '/selected' }), undefined);
});

const STATUS: Status = {
  mode: 'full',
  stage: 'lowered',
  target: 'cuda:sm_90a',
  worker: 'idle',
  interpreter: '/v/bin/python',
  interpreter_why: 'it is active',
  message: 'compiled',
};
const RUNNING = {
  kind: 'running',
  server: { kind: 'found', command: '/v/bin/tilescope', origin: 'PATH', version: '0.1', rejected: [] },
} as const;
const said = ({ text, details }: Shown): string => `${text}\n${details.join('\n')}`;

void test('the status bar tells mode, target, worker and memory', () => {
  const text = said(shown(RUNNING, { ...STATUS, memory_bytes: 600 * 1024 * 1024 }));
  for (const part of ['tilescope: full · sm_90a', 'idle, 600 MiB', '/v/bin/python', 'cuda:sm_90a']) {
    assert.ok(text.includes(part), part);
  }
  assert.match(shown(RUNNING, { ...STATUS, mode: 'untrusted', worker: 'none' }).text, /shield.*untrusted/);
  assert.match(shown(RUNNING, { ...STATUS, worker: 'busy' }).text, /spin/);
  assert.equal(shown(RUNNING, { ...STATUS, worker: 'failed' }).severity, 'warning');
});

void test('the status bar tells what is wrong with the server', () => {
  assert.match(said(shown({ kind: 'failed', server: RUNNING.server, reason: 'it ended with exit code 3' }, undefined)), /failed[^]*exit code 3/);
  const search = { kind: 'not found', looked: [], rejected: [{ command: 'x', origin: 'PATH', kind: 'too old', reason: '0.0.1' }] } as const;
  assert.match(shown({ kind: 'missing', search: { ...search, rejected: [...search.rejected] } }, undefined).text, /too old/);
});

void test('what others say is shown as text, not as markup', () => {
  const text = said(shown(RUNNING, { ...STATUS, message: '[click](command:evil) <b>' }));
  assert.ok(!text.includes('[click](command'));
  assert.ok(!text.includes('<b>') || text.includes('\\<b'));
});
