// Restricted Mode: nothing of the folder runs; then trust is granted, and the facts follow in place.
import { existsSync, writeFileSync } from 'node:fs';
import { expect } from '../expect.mjs';
import { children, servers } from '../processes.mjs';

export const settings = {
  'security.workspace.trust.enabled': true,
  'security.workspace.trust.startupPrompt': 'never',
  'security.workspace.trust.banner': 'always',
  'tilescope.path': `${import.meta.dirname}/../../../.venv/bin/tilescope`,
};

export default async function ({ editor, page, workspaces, step, picture }) {
  const folder = workspaces.make({ '.vscode/settings.json': '{}' });
  const kernel = `import tilelang
import tilelang.language as T


@tilelang.jit
def scaled(N=1024):
    @T.prim_func
    def main(A: T.Tensor((N,), "float32")):
        with T.Kernel(N // 128, threads=128) as bx:
            s = T.alloc_shared((128,), "float32")
            T.copy(A[bx * 128], s)
            T.copy(s, A[bx * 128])

    return main
`;
  writeFileSync(`${folder}/scaled.py`, kernel);
  // A program that the folder's own settings name: it must not be started.
  writeFileSync(`${folder}/evil.sh`, `#!/bin/sh\ntouch ${folder}/evil-ran\n`, { mode: 0o755 });
  writeFileSync(`${folder}/.vscode/settings.json`, JSON.stringify({ 'tilescope.path': `${folder}/evil.sh`, 'tilescope.interpreter': `${folder}/evil.sh` }));
  await editor.open(folder);
  await editor.file('scaled.py');
  await editor.status('untrusted', 60_000);
  await editor.shows('[128] f32 shared');
  await page.waitForTimeout(3000);
  if (existsSync(`${folder}/evil-ran`)) throw new Error('a program of an untrusted folder was started');
  const [server] = servers(folder);
  if (!server || children(server).length > 0) throw new Error('the server of an untrusted folder has processes that could execute it');
  await picture('restricted');
  step('static facts only');

  writeFileSync(`${folder}/.vscode/settings.json`, '{}');
  await editor.command('Workspaces: Manage Workspace Trust');
  await page.locator('.workspace-trust-editor .monaco-button', { hasText: 'Trust' }).first().click();
  await editor.file('scaled.py');
  await editor.status('full', 120_000);
  await editor.shows('→', 30_000);
  const [after] = servers(folder);
  if (after !== server) throw new Error('the server was replaced; it should have gone on');
  await expect('there are processes that compile', async () => children(server).length > 0, 10_000);
  step('trusted: compiled');
}
