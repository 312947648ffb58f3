// Notebooks, a long file, a folder without kernels, two folders in one window.
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from '../expect.mjs';

export const settings = {};

const cell = (source) => ({ cell_type: 'code', execution_count: null, metadata: {}, outputs: [], source });

export default async function ({ editor, page, workspaces, step, picture }) {
  const folder = workspaces.kernels('gemm.py');
  const gemm = readFileSync(`${folder}/gemm.py`, 'utf8');
  const [head, kernel] = gemm.split(/(?=@tilelang\.jit)/);
  const notebook = { cells: [cell(head), cell(kernel)], metadata: { language_info: { name: 'python' } }, nbformat: 4, nbformat_minor: 5 };
  writeFileSync(`${folder}/book.ipynb`, JSON.stringify(notebook));
  await editor.open(folder);
  await editor.file('book.ipynb');
  await editor.shows('⟨swz64⟩', 180_000);
  await picture('notebook');
  step('notebook cell');

  const plain = workspaces.make({ 'plain.py': 'def f(x):\n    return x\n', 'kernel.txt': 'import tilelang\n' });
  await editor.open(plain);
  await editor.file('plain.py');
  await page.waitForTimeout(4000);
  const item = page.locator('.statusbar-item[id="tilescope.tilescope.tilescope.status"]');
  if (await item.count()) throw new Error('the status bar item is there without a kernel');
  await editor.command('tilescope: Show Output');
  step('no kernels: nothing runs');
  await editor.file('plain.py');
  await editor.command('tilescope: Actions');
  await editor.pick('Open walkthrough');
  await page.locator('.getting-started-category, .gettingStartedContainer', { hasText: 'tilescope' }).first().waitFor({ timeout: 30_000 });
  await picture('walkthrough');
  step('walkthrough');

  const lines = Array.from({ length: 20_000 }, (_, at) => `value_${at} = ${at}`).join('\n');
  const long = workspaces.make({ 'long.py': `${head}\n${lines}\n\n\n${kernel}` });
  await editor.open(long);
  const began = Date.now();
  await editor.file('long.py');
  await editor.status('full', 180_000);
  await editor.line(gemm.split('\n').length + 20_000 - 10);
  await editor.shows('⟨swz64⟩', 60_000);
  step(`20,000 lines: hints after ${((Date.now() - began) / 1000).toFixed(1)} s`);

  const one = workspaces.make({ 'one.py': gemm }, { name: 'one' });
  const two = workspaces.make({ 'two.py': gemm, '.vscode/settings.json': '{"tilescope.target": "cuda:sm_80"}' }, { name: 'two' });
  const file = path.join(path.dirname(one), 'both.code-workspace');
  writeFileSync(file, JSON.stringify({ folders: [{ path: one }, { path: two }] }));
  await editor.open(file, 'workspace');
  await editor.file('one.py');
  await editor.status('sm_90a', 180_000);
  await editor.shows('→ TMA load');
  await editor.file('two.py');
  await editor.status('sm_80', 180_000);
  await editor.shows('→ cp.async');
  await editor.file('one.py');
  await editor.status('sm_90a', 30_000);
  await expect('no error was shown', async () => (await page.locator('.notification-toast .codicon-error').count()) === 0, 1000);
  step('two folders, each with its own server and settings');
}
