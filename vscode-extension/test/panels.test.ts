import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pageOf } from '../src/panels/html';
import { PANEL_COMMANDS, readMessage, rememberedPlace } from '../src/panels/messages';
import { namesOf, resolveOrigin } from '../src/panels/origins';

void test('messages of a panel are taken only in the agreed form', () => {
  const good = [
    { type: 'ready' },
    { type: 'reveal', file: 'a.py', line: 3 },
    { type: 'pass', index: 0, context: null, hideRenumbering: true },
    { type: 'buffer', index: 1, rows: [0, 32], columns: [0, 64], leading: [2] },
    { type: 'compare', a: { specialization: null, target: 'metal' }, b: { specialization: 'x', target: null } },
    { type: 'command', command: 'tilescope.showOutput' },
  ];
  good.forEach((message) => { assert.deepEqual(readMessage(message), message); });
  const bad = [
    null,
    'ready',
    {},
    { type: 'toString' },
    { type: 'reveal', file: 'a.py', line: '3' },
    { type: 'reveal', file: 'a.py', line: -1 },
    { type: 'buffer', index: 1, rows: [0], columns: [0, 64], leading: [] },
    { type: 'command', command: 'workbench.action.terminal.sendSequence' },
    { type: 'save', text: '<svg/>', name: '../../.bashrc' },
    { type: 'compare', a: {}, b: null },
  ];
  bad.forEach((message) => { assert.equal(readMessage(message), undefined, JSON.stringify(message)); });
  assert.ok(PANEL_COMMANDS.every((command) => command.startsWith('tilescope.') || command === 'workbench.trust.manage'));
});

void test('a page that comes back tells its kernel, or nothing that is taken for one', () => {
  const place = { uri: 'file:///w/gemm.py', kernel: 'matmul.main', line: 11 };
  assert.deepEqual(rememberedPlace({ filter: 'x', place }), place);
  assert.deepEqual(rememberedPlace({ place: { uri: place.uri } }), { uri: place.uri });
  [undefined, null, 'x', {}, { place: null }, { place: { uri: 3 } }, { place: { ...place, line: '11' } }].forEach((state) => {
    assert.equal(rememberedPlace(state), undefined, JSON.stringify(state));
  });
});

void test('a page loads its own script and styles and nothing else', () => {
  const page = pageOf({ title: 'A<b>', nonce: 'abc', source: 'vscode-resource:', script: 's.js', styles: ['a.css'] });
  const policy = /Content-Security-Policy" content="([^"]*)"/.exec(page)?.[1] ?? '';
  assert.match(policy, /default-src 'none'/);
  assert.match(policy, /script-src 'nonce-abc'/);
  assert.match(policy, /connect-src 'none'/);
  assert.ok(!/unsafe|https?:|\*/.test(policy), policy);
  assert.equal(page.match(/<script/g)?.length, 1);
  assert.ok(page.includes('<script nonce="abc"'));
  assert.ok(!page.includes('<b>'));
  assert.ok(!/style="|onclick=/.test(page));
});

void test('origins are files of the folder, of the kernel’s own folder, or absolute', () => {
  const there = new Set(['/w/k/gemm.py', '/w/lib.py', '/x/abs.py']);
  const exists = (file: string): boolean => there.has(file);
  const resolve = (name: string): string | undefined => resolveOrigin(name, '/w/k/gemm.py', '/w', exists);
  assert.equal(resolve('lib.py'), '/w/lib.py');
  assert.equal(resolve('gemm.py'), '/w/k/gemm.py');
  assert.equal(resolve('k/gemm.py'), '/w/k/gemm.py');
  assert.equal(resolve('/x/abs.py'), '/x/abs.py');
  assert.equal(resolve('gone.py'), undefined);
  assert.deepEqual(namesOf('/w/k/gemm.py', ['gemm.py', 'lib.py'], '/w/k/gemm.py', '/w', exists), ['gemm.py']);
});
