import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { parseArguments } from '../src/commands/arguments';
import { lintArguments } from '../src/tasks/arguments';

interface Manifest {
  contributes: {
    commands: { command: string; title: string }[];
    keybindings: { command: string; key: string; mac?: string; when?: string }[];
    menus: Record<string, { command?: string }[]>;
    configuration: { properties: Record<string, { description?: string; markdownDescription?: string; scope: string }> };
    problemMatchers: { pattern: { regexp: string } }[];
  };
  capabilities: { untrustedWorkspaces: { restrictedConfigurations: string[] } };
}
const manifest = JSON.parse(readFileSync('package.json', 'utf8')) as Manifest;
const { contributes } = manifest;
const commands = contributes.commands.map(({ command }) => command);

void test('every command of the manifest is in the table, and every one of the table in the manifest', () => {
  const table = [...readFileSync('src/commands/table.ts', 'utf8').matchAll(/^ {4}'(tilescope\.\w+)':/gm)].map(([, id]) => id);
  assert.deepEqual([...table].sort(), [...commands].sort());
});

void test('shortcuts and menus name commands that exist, and no shortcut twice', () => {
  const named = [...contributes.keybindings, ...Object.values(contributes.menus).flat()];
  for (const { command } of named) {
    assert.ok(command === undefined || commands.includes(command), command);
  }
  const keys = contributes.keybindings.map(({ key }) => key);
  assert.equal(new Set(keys).size, keys.length);
  assert.ok(contributes.keybindings.every(({ when }) => when?.includes('tilescope') ?? false));
});

void test('settings are described, scoped, and restricted where they name programs or files', () => {
  for (const [name, { scope, ...one }] of Object.entries(contributes.configuration.properties)) {
    assert.ok((one.description ?? one.markdownDescription ?? '').length > 10, name);
    assert.ok(['resource', 'window', 'machine-overridable'].includes(scope), name);
  }
  const { restrictedConfigurations: restricted } = manifest.capabilities.untrustedWorkspaces;
  for (const name of ['tilescope.path', 'tilescope.interpreter', 'tilescope.profiles']) {
    assert.ok(restricted.includes(name), name);
    assert.ok(name in contributes.configuration.properties, name);
  }
});

void test('the problem matcher reads what lint prints', () => {
  const [matcher] = contributes.problemMatchers;
  const pattern = new RegExp(matcher?.pattern.regexp ?? '');
  const read = pattern.exec('sub dir/k.py:14:51: warning TS211: a warp’s read: 32-way, of S')?.slice(1);
  assert.deepEqual(read, ['sub dir/k.py', '14', '51', 'warning', 'TS211', 'a warp’s read: 32-way, of S']);
  assert.equal(pattern.exec('tilescope: 9 findings (4 errors) in 4 files'), null);
});

void test('paths of a lint task are never options', () => {
  assert.deepEqual(lintArguments({}), ['lint', '--output-format', 'concise', '--', '.']);
  assert.deepEqual(lintArguments({ paths: ['--fix'], args: ['--static'] }).slice(3), ['--static', '--', '--fix']);
});

void test('arguments as a person types them', () => {
  assert.deepEqual(parseArguments('M=1024  N = 64, shape=(1, 2) dtype="a b"'), { M: '1024', N: '64', shape: '(1, 2)', dtype: '"a b"' });
  assert.deepEqual(parseArguments('  '), {});
  for (const bad of ['M', 'M=', '=3', 'M=1 M=2', '3=4']) {
    assert.equal(parseArguments(bad), undefined, bad);
  }
});
