import assert from 'node:assert/strict';
import { test } from 'node:test';
import { INSTALL, SETTINGS, TRUST, UPDATE, guidance } from '../src/discovery/advice';
import { type Situation, candidates } from '../src/discovery/candidates';
import { type Probe, find } from '../src/discovery/find';
import { isAtLeast, parseVersion } from '../src/discovery/version';

const LINUX: Situation = {
  platform: 'linux',
  trusted: true,
  root: '/home/me/kernels',
  folders: ['/home/me/kernels'],
  command: undefined,
  selected: undefined,
  interpreter: undefined,
  home: '/home/me',
  searchPath: '/usr/local/bin:relative:/usr/bin',
  own: '/home/me/.vscode/storage/server',
};

const commands = (situation: Partial<Situation>): string[] =>
  candidates({ ...LINUX, ...situation }).map(({ command }) => command);

void test('places are tried from the most to the least particular', () => {
  const found = candidates({ ...LINUX, command: '~/bin/tilescope', selected: '/opt/a/bin/python3.12', interpreter: '/opt/b' });
  assert.deepEqual(
    found.map(({ origin, command }) => `${origin}: ${command}`),
    [
      'setting: /home/me/bin/tilescope',
      'python extension: /opt/a/bin/tilescope',
      'interpreter setting: /opt/b/bin/tilescope',
      'virtual environment: /home/me/kernels/.venv/bin/tilescope',
      'virtual environment: /home/me/kernels/venv/bin/tilescope',
      'PATH: /usr/local/bin/tilescope',
      'PATH: /usr/bin/tilescope',
      'own copy: /home/me/.vscode/storage/server/bin/tilescope',
    ],
  );
});

void test('a relative setting is one of the folder, a bare name one of PATH', () => {
  assert.equal(commands({ command: './tools/tilescope' })[0], '/home/me/kernels/tools/tilescope');
  assert.equal(commands({ command: '${workspaceFolder}/x/tilescope' })[0], '/home/me/kernels/x/tilescope');
  assert.equal(commands({ command: 'tilescope-dev' })[0], '/usr/local/bin/tilescope-dev');
});

void test('without trust nothing inside the workspace is started, whoever names it', () => {
  const inside = commands({
    trusted: false,
    command: '/home/me/kernels/evil',
    selected: '/home/me/kernels/.venv/bin/python',
    interpreter: '/home/me/kernels/env',
    searchPath: '/home/me/kernels/bin:/usr/bin',
  });
  assert.deepEqual(inside, ['/usr/bin/tilescope', '/home/me/.vscode/storage/server/bin/tilescope']);
});

void test('a sibling folder with the same beginning is not inside', () => {
  assert.ok(commands({ trusted: false, searchPath: '/home/me/kernels-tools' }).includes('/home/me/kernels-tools/tilescope'));
});

void test('Windows has scripts of its own', () => {
  const found = commands({
    platform: 'win32',
    root: 'C:\\k',
    folders: ['C:\\k'],
    selected: 'C:\\py\\python.exe',
    searchPath: 'C:\\bin;.',
    home: 'C:\\me',
    own: 'C:\\own',
  });
  assert.deepEqual(found, [
    'C:\\py\\tilescope.exe',
    'C:\\py\\Scripts\\tilescope.exe',
    'C:\\k\\.venv\\Scripts\\tilescope.exe',
    'C:\\k\\venv\\Scripts\\tilescope.exe',
    'C:\\bin\\tilescope.exe',
    'C:\\own\\Scripts\\tilescope.exe',
  ]);
});

void test('versions', () => {
  const read = (text: string): string | undefined => parseVersion(text)?.text;
  assert.equal(read('tilescope 0.1.0.dev0\n'), '0.1.0.dev0');
  assert.equal(read('tilescope, version 1.2'), '1.2');
  assert.equal(read('Python 3.12.1'), undefined);
  const atLeast = (text: string, minimum: string): boolean => {
    const version = parseVersion(`tilescope ${text}`);
    return version !== undefined && isAtLeast(version, minimum);
  };
  assert.ok(atLeast('0.1.0.dev0', '0.1'));
  assert.ok(atLeast('0.10', '0.9.5'));
  assert.ok(atLeast('1.0.0+local', '1'));
  assert.ok(!atLeast('0.1.9', '0.2'));
});

const probing =
  (answers: Record<string, Awaited<ReturnType<Probe>>>): Probe =>
  (command) =>
    Promise.resolve(answers[command] ?? { failure: 'not expected' });

void test('the first that works is taken; those passed over are told with the reason', async () => {
  const exists = (file: string): boolean => file !== '/home/me/kernels/venv/bin/tilescope';
  const found = await find(
    candidates(LINUX),
    '0.1',
    exists,
    probing({
      '/home/me/kernels/.venv/bin/tilescope': { failure: "exit code 1: No module named 'tilescope'" },
      '/usr/local/bin/tilescope': { printed: 'tilescope 0.0.9' },
      '/usr/bin/tilescope': { printed: 'tilescope 0.2.0' },
    }),
  );
  assert.equal(found.kind, 'found');
  assert.equal(found.command, '/usr/bin/tilescope');
  assert.deepEqual(
    found.rejected.map(({ kind }) => kind),
    ['broken', 'too old'],
  );
});

void test('what the user named is taken or nothing', async () => {
  const named = candidates({ ...LINUX, command: '/opt/tilescope' });
  const other = probing({ '/usr/bin/tilescope': { printed: 'tilescope 0.2.0' }, '/opt/tilescope': { printed: 'Python 3.9' } });
  for (const exists of [() => true, (file: string) => file !== '/opt/tilescope']) {
    const result = await find(named, '0.1', exists, other);
    assert.equal(result.kind, 'not found');
    assert.equal(result.rejected[0]?.origin, 'setting');
  }
  const bare = await find(candidates({ ...LINUX, command: 'nothing-like-it' }), '0.1', () => false, other);
  assert.match(bare.rejected[0]?.reason ?? '', /on PATH/);
});

void test('guidance says what is wrong and offers what helps', () => {
  const missing = (...rejected: NonNullable<Parameters<typeof rejection>[0]>[]): ReturnType<typeof guidance> =>
    guidance({ kind: 'missing', search: { kind: 'not found', looked: [], rejected: rejected.map(rejection) } }, true, 'kernels');
  assert.deepEqual(missing()?.buttons, [INSTALL, SETTINGS]);
  assert.ok(missing({ kind: 'too old' })?.buttons.includes(UPDATE));
  assert.match(missing({ origin: 'setting' })?.message ?? '', /tilescope\.path/);
  const untrusted = guidance({ kind: 'missing', search: { kind: 'not found', looked: [], rejected: [] } }, false, 'kernels');
  assert.deepEqual(untrusted?.buttons, [TRUST, INSTALL]);
  assert.equal(guidance({ kind: 'starting' }, true, 'kernels'), undefined);
});

function rejection(of: { kind?: 'too old'; origin?: 'setting' }): {
  command: string;
  origin: 'PATH' | 'setting';
  kind: 'broken' | 'too old';
  reason: string;
} {
  return { command: '/usr/bin/tilescope', origin: of.origin ?? 'PATH', kind: of.kind ?? 'broken', reason: 'because' };
}
