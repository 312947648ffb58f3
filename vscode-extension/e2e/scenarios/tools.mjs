// Lint as a task with findings among the problems, the terminal browser, a profile attached, the actions.
import { writeFileSync } from 'node:fs';
import { expect } from '../expect.mjs';
import { SWAPPED } from '../workspaces.mjs';

export const settings = { 'workbench.colorTheme': 'Default High Contrast', 'window.autoDetectColorScheme': false };

/** A trace of torch.profiler's form with two launches of the bundled kernel. */
const TRACE = {
  schemaVersion: 1,
  deviceProperties: [{ id: 0, name: 'NVIDIA H200', computeMajor: 9, computeMinor: 0, numSms: 132 }],
  traceEvents: [100, 400].map((ts) => ({
    ph: 'X', cat: 'kernel', name: 'main_kernel', pid: 0, tid: 7, ts, dur: 120,
    args: { device: 0, stream: 7, grid: [8, 8, 1], block: [256, 1, 1], 'registers per thread': 168, 'shared memory': 50176 },
  })),
};

export default async function ({ editor, page, workspaces, step, picture }) {
  const folder = workspaces.kernels('gemm.py');
  writeFileSync(`${folder}/swapped.py`, SWAPPED);
  writeFileSync(`${folder}/trace.json`, JSON.stringify(TRACE));
  await editor.open(folder);
  await editor.file('gemm.py');
  await editor.status('full', 120_000);
  await editor.command('tilescope: Lint Workspace');
  // The terminal of the task takes the panel when it starts, however late that is.
  await page.locator('.terminal-tab, .single-terminal-tab, .tabs-container', { hasText: 'lint' }).first().waitFor({ timeout: 120_000 });
  await expect('a problem is counted', async () => /[1-9]/.test(await page.locator('.statusbar-item[id="status.problems"]').innerText()), 120_000);
  await editor.command('Problems: Focus on Problems View');
  await page.locator('.markers-panel .monaco-list-row', { hasText: 'TS307' }).first().waitFor({ timeout: 120_000 });
  await picture('lint-contrast');
  step('lint: a finding of a file that is not open');
  await editor.command('View: Hide Panel');

  await editor.file('gemm.py');
  await page.locator('.statusbar-item[id="tilescope.tilescope.tilescope.status"] a').click();
  await page.locator('.quick-input-list .monaco-list-row', { hasText: 'Restart server' }).first().waitFor();
  await page.keyboard.press('Escape');
  step('actions');

  await editor.line(23);
  await page.keyboard.press('Control+Alt+T');
  await page.keyboard.press('p');
  const passes = await editor.panel('Passes: main');
  await expect('the diff', async () => (await passes.locator('.diff .row').count()) > 5, 120_000);
  await picture('passes-contrast');
  step('shortcut; panel in high contrast');

  workspaces.set(folder, { 'tilescope.profiles': ['trace.json'] });
  await page.waitForTimeout(1500);
  await editor.line(23);
  await editor.command('tilescope: Show Timeline');
  const timeline = await editor.panel('Timeline: main');
  await expect('launches of the profile', async () => /main_kernel[^]*240 µs/.test(await timeline.locator('body').innerText()), 120_000, () => timeline.locator('body').innerText());
  await picture('timeline-contrast');
  step('timeline of a profile');

  await editor.file('gemm.py');
  await editor.command('tilescope: Open in Terminal Browser');
  await page.locator('.tab', { hasText: 'tilescope gemm.py' }).first().waitFor({ timeout: 60_000 });
  await page.waitForTimeout(12_000);
  await picture('terminal');
  step('terminal browser');
}
