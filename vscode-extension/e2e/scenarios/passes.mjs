// The panel Passes: in step with the cursor both ways; and the other panels, in a dark theme.
import { expect } from '../expect.mjs';

export const settings = { 'workbench.colorTheme': 'Default Dark Modern', 'window.autoDetectColorScheme': false };

export default async function ({ editor, page, workspaces, step, picture }) {
  await editor.open(workspaces.kernels('gemm.py'));
  await editor.command('View: Toggle Primary Side Bar Visibility');
  await editor.file('gemm.py');
  await editor.status('full', 120_000);
  await editor.line(23, 30);
  await page.locator('.codelens-decoration a', { hasText: 'Passes' }).first().click();
  const passes = await editor.panel('Passes: main');
  await expect('the list of passes', async () => (await passes.locator('.list .row').count()) > 5, 120_000);
  const selected = passes.locator('.list .row[aria-selected=true]');
  await expect('LayoutInference is shown first', async () => /LayoutInference/.test(await selected.innerText()));
  await expect('words that changed are marked', async () => (await passes.locator('.diff mark').count()) > 0);
  step('list and diff');

  const lit = (where) => passes.locator(`.${where} .row.lit`);
  await editor.line(25, 20);
  await expect('lines of the gemm are lit in the diff', async () => /gemm/i.test((await lit('diff').allInnerTexts()).join()), 20_000);
  await expect('and in the generated source', async () => /wgmma|gemm/i.test((await lit('generated').allInnerTexts()).join()), 20_000);
  await expect('passes that changed the line are marked', async () => /●/.test((await passes.locator('.list').innerText())), 30_000);
  await picture('passes-dark');
  step('source → IR, generated source');

  // Lines of the copy come into view; then the cursor goes where nothing comes of.
  await editor.line(23, 30);
  await expect('lines of the copy are lit', async () => /prefetch_tma_descriptor\(A_desc\)/.test((await lit('generated').allInnerTexts()).join()), 20_000);
  await editor.line(3);
  await expect('nothing is lit', async () => (await lit('generated').count()) === 0, 20_000);
  const copies = passes.locator('.generated .row', { hasText: 'prefetch_tma_descriptor(A_desc)' });
  await expect('a generated line of the copy is in view', async () => (await copies.count()) > 0, 20_000);
  await copies.first().click();
  await expect('the editor went to the copy', async () => (await editor.cursorLine()) === 23, 20_000, () => editor.cursorLine().then(String));
  step('generated source → source');
  await editor.line(25, 20);
  await expect('lines of the gemm are lit again', async () => (await lit('diff').count()) > 0, 20_000);
  await editor.line(3);
  await passes.locator('.diff .row', { hasText: 'T.gemm' }).first().click();
  await expect('the editor went to what the IR line comes from', async () => (await editor.cursorLine()) === 25, 20_000, () => editor.cursorLine().then(String));
  step('IR → source');

  await passes.locator('input[type=search]').first().fill('lower tile');
  await expect('the list is filtered', async () => (await passes.locator('.list .row').count()) === 1);
  await passes.locator('.list .row').click();
  await expect('the diff is that of LowerTileOp', async () => /LowerTileOp/.test(await passes.locator('.heading').innerText()), 20_000);
  await passes.locator('input[type=search]').first().fill('');
  await passes.getByLabel('Changed only').uncheck();
  await expect('all passes are listed', async () => /^(\d+) of \1$/m.test(await passes.locator('.tools').innerText()), 10_000, () => passes.locator('.tools').innerText());
  await passes.locator('.list').focus();
  const before = await passes.locator('.heading h2').innerText();
  await page.keyboard.press('ArrowDown');
  await expect('the arrow keys walk through the passes', async () => (await passes.locator('.heading h2').innerText()) !== before, 20_000);
  await passes.locator('input[type=search]').nth(1).fill('tma_load');
  await expect('finds are counted', async () => /\d+ \+ [1-9]/.test(await passes.locator('.hits').innerText()));
  step('filter, all passes, keys, find');

  await editor.line(17);
  await editor.command('tilescope: Show Layouts');
  const layout = await editor.panel('Layout: main');
  await expect('a picture with cells', async () => (await layout.locator('.picture rect').count()) > 100, 60_000);
  await layout.locator('.picture g').nth(5).hover();
  await expect('a cell tells its banks', async () => /banks? \d/.test(await layout.locator('.told').innerText()));
  await picture('layout-dark');
  await layout.locator('select').selectOption({ index: 2 });
  await expect('a fragment tells thread and register', async () => {
    await layout.locator('.picture g').nth(40).hover();
    return /thread \d+.*register/.test(await layout.locator('.told').innerText());
  }, 30_000, () => layout.locator('.told').innerText());
  await layout.locator('.picture').focus();
  const told = await layout.locator('.told').innerText();
  await page.keyboard.press('ArrowRight');
  await expect('the arrow keys walk over cells', async () => (await layout.locator('.told').innerText()) !== told);
  await picture('fragment-dark');
  await layout.getByText('Copy as SVG').click();
  await expect('the SVG is on the clipboard', async () => (await page.evaluate(() => navigator.clipboard.readText())).startsWith('<svg'), 10_000);
  step('layout');

  await editor.line(18);
  await editor.command('tilescope: Show Memory');
  const memory = await editor.panel('Memory: main');
  await expect('bytes against capacity', async () => /49 KiB of 227 KiB/.test(await memory.locator('body').innerText()), 60_000, () => memory.locator('body').innerText());
  await picture('memory-dark');
  step('memory');

  await editor.line(18);
  await editor.command('tilescope: Compare Specializations or Targets');
  const compare = await editor.panel('Compare: main');
  await compare.locator('button.main').click({ timeout: 60_000 });
  await expect('what differs first', async () => /They differ from tl\.ProducerConsumerWarpSpecialized/.test(await compare.locator('body').innerText()), 120_000, () => compare.locator('body').innerText());
  await picture('compare-dark');
  step('compare');

  await editor.line(18);
  await editor.command('tilescope: Show Timeline');
  const timeline = await editor.panel('Timeline: main');
  await expect('no profile is attached, and it says so', async () => /No profile is attached/.test(await timeline.locator('body').innerText()), 30_000);
  step('timeline');
}
