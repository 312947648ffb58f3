// A trusted folder: activation, hints, lens, hover, a finding and its fix, another specialization and target.
import { expect, patience } from '../expect.mjs';
import { SWAPPED } from '../workspaces.mjs';

export const settings = {};

export default async function ({ editor, page, workspaces, step, picture }) {
  const folder = workspaces.kernels('gemm.py');
  const { writeFileSync } = await import('node:fs');
  writeFileSync(`${folder}/swapped.py`, SWAPPED);
  await editor.open(folder);
  await editor.file('gemm.py');
  await editor.status('full · sm_90a', 120_000);
  for (const hint of ['⟨swz64⟩ 24 KiB', '→ TMA load', '→ wgmma', '128→256 threads']) await editor.shows(hint);
  step('hints');
  for (const lens of ['M=1024', 'cuda:sm_90a (default)', 'Passes', 'Layouts', 'Compare']) {
    await page.locator('.codelens-decoration a', { hasText: lens }).first().waitFor();
  }
  step('lenses');
  await picture('hints-light');

  const word = page.locator('.view-line span', { hasText: 'A_shared' }).last();
  await word.hover();
  await expect('the hover tells the layout', async () => /swizzle/.test(await page.locator('.monaco-hover:not(.hidden)').first().innerText()), 20_000);
  step('hover');
  await page.keyboard.press('Escape');

  await page.locator('.codelens-decoration a', { hasText: 'cuda:sm_90a' }).first().click();
  await editor.pick('cuda:sm_80');
  await editor.status('sm_80', 120_000);
  await editor.shows('→ cp.async');
  await page.locator('.codelens-decoration a', { hasText: 'cuda:sm_80 (editor)' }).first().waitFor();
  step('another target');

  await page.locator('.codelens-decoration a', { hasText: 'M=1024' }).first().click();
  await editor.pick('Enter values');
  const box = page.locator('.quick-input-box input');
  await expect('the values are there', async () => (await box.inputValue()).includes('block_K=32'), 10_000);
  await box.fill((await box.inputValue()).replace('block_K=32', 'block_K=64'));
  await page.keyboard.press('Enter');
  await editor.shows('[128,64] f16 shared', 120_000);
  await page.locator('.codelens-decoration a', { hasText: '(editor)' }).first().waitFor();
  step('another specialization');

  await editor.file('swapped.py');
  await page.locator('.squiggly-warning').first().waitFor({ timeout: 120_000 });
  step('squiggle');
  await editor.line(9, 20);
  await page.keyboard.press('Control+.');
  const fix = page.locator('.action-widget .monaco-list-row', { hasText: 'Swap the extents of the grid' }).first();
  await fix.waitFor();
  await picture('fix');
  await fix.click();
  await editor.shows('T.Kernel(T.ceildiv(N, tile), T.ceildiv(M, tile)');
  await expect('the finding is gone', async () => (await page.locator('.squiggly-warning').count()) === 0, 60_000);
  step('code action applied');

  await editor.command('Developer: Show Running Extensions');
  const row = page.locator('.runtime-extensions-editor .monaco-list-row', { hasText: 'tilescope' }).first();
  await page.locator('.runtime-extensions-editor .monaco-list-row').first().hover();
  await expect('the activation time is shown', async () => {
    await page.mouse.wheel(0, 300); // They are sorted by time, and ours is not among the first.
    return (await row.count()) > 0 && /Activation:? \d+ms/.test(await row.innerText());
  }, 20_000);
  const time = Number(/Activation:? (\d+)ms/.exec(await row.innerText())[1]);
  step(`activated in ${time} ms`);
  if (time >= 100 * patience) throw new Error(`activation took ${time} ms; less than 100 are wanted`);
}
