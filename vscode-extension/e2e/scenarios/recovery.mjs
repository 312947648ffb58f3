// The server is killed and comes back; servers that do not work are told, with what can be done.
import { readFileSync, writeFileSync } from 'node:fs';
import { expect } from '../expect.mjs';
import { servers } from '../processes.mjs';

export const settings = {};

export default async function ({ editor, page, workspaces, step, picture }) {
  const folder = workspaces.kernels('gemm.py');
  await editor.open(folder);
  await editor.file('gemm.py');
  await editor.status('full', 120_000);
  const [first] = servers(folder);
  process.kill(Number(first), 'SIGKILL');
  await editor.status(/restarting|^\W*tilescope\W*$/, 20_000).catch(() => undefined);
  await editor.status('full', 120_000);
  await editor.shows('⟨swz64⟩');
  const [second] = servers(folder);
  if (!second || second === first) throw new Error(`the server is ${second}, as before`);
  step('killed, and back');

  await editor.line(23);
  await editor.command('tilescope: Show Passes');
  const passes = await editor.panel('Passes: main');
  await expect('the list of passes', async () => (await passes.locator('.list .row').count()) > 5, 120_000);
  const loaded = page.waitForEvent('domcontentloaded', { timeout: 60_000 });
  await editor.command('Developer: Reload Window');
  await loaded;
  const again = await editor.panel('Passes: main');
  await expect('the list of passes after a reload', async () => (await again.locator('.list .row').count()) > 5, 120_000);
  await picture('reloaded');
  await editor.command('View: Close All Editors');
  step('the panel is back after a reload of the window');

  const missing = workspaces.make({ 'gemm.py': readFileSync(`${folder}/gemm.py`, 'utf8') }, { venv: false });
  await editor.open(missing);
  await editor.file('gemm.py');
  await editor.status('no server', 60_000);
  await editor.notification('The tilescope server is not installed').waitFor({ timeout: 30_000 });
  await editor.notification('Install').waitFor();
  await picture('missing');
  step('missing server');

  const exits = workspaces.make({
    'gemm.py': readFileSync(`${folder}/gemm.py`, 'utf8'),
    'bin/tilescope': '#!/bin/sh\n[ "$1" = --version ] && { echo tilescope 0.1.0; exit; }\necho "ImportError: no module named msgspec" >&2\nexit 3\n',
    '.vscode/settings.json': '{"tilescope.path": "bin/tilescope"}',
  }, { venv: false });
  await editor.open(exits);
  await editor.file('gemm.py');
  await editor.status('server failed', 90_000);
  await editor.notification('ImportError: no module named msgspec').waitFor({ timeout: 30_000 });
  await picture('exits');
  step('server that exits at once');

  writeFileSync(`${exits}/bin/tilescope`, '#!/bin/sh\necho Python 3.8.1\n');
  await editor.command('tilescope: Restart Server');
  await editor.notification('it is not tilescope').waitFor({ timeout: 60_000 });
  step('a program that is not tilescope');

  const python = '/usr/bin/python3';
  const wrong = workspaces.make({
    'gemm.py': readFileSync(`${folder}/gemm.py`, 'utf8'),
    '.vscode/settings.json': JSON.stringify({ 'tilescope.interpreter': python }),
  });
  await editor.open(wrong);
  await editor.file('gemm.py');
  await editor.status(/static/, 60_000);
  const item = page.locator('.statusbar-item[id="tilescope.tilescope.tilescope.status"]');
  await item.hover();
  await page.locator('.monaco-hover', { hasText: /tilelang/i }).first().waitFor({ timeout: 20_000 });
  await picture('wrong-interpreter');
  step('interpreter without TileLang');
}
