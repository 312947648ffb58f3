// A code-server of one's own: VS Code in a browser, with an extension installed and nothing else.
import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { homedir, tmpdir } from 'node:os';
import path from 'node:path';

export const tools = process.env.TILESCOPE_VSCODE ?? path.join(homedir(), '.cache', 'tilescope-vscode');

const QUIET = {
  'telemetry.telemetryLevel': 'off',
  'workbench.startupEditor': 'none',
  'workbench.enableExperiments': false,
  'workbench.tips.enabled': false,
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
  'chat.disableAIFeatures': true,
  'window.commandCenter': false,
  'editor.minimap.enabled': false,
  'git.enabled': false,
  'update.mode': 'none',
  'extensions.autoUpdate': false,
  'extensions.autoCheckUpdates': false,
  'extensions.ignoreRecommendations': true,
  'security.workspace.trust.enabled': false,
  'editor.fontFamily': 'DejaVu Sans Mono, monospace',
};

function freePort() {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address();
      probe.close(() => resolve(port));
    });
  });
}

/** Starts one with a .vsix; `settings` are the user's. `path` is the PATH of everything inside. */
export async function startServer(vsix, { settings = {}, searchPath = process.env.PATH } = {}) {
  const data = mkdtempSync(path.join(tmpdir(), 'tilescope-vscode-'));
  mkdirSync(path.join(data, 'User'), { recursive: true });
  writeFileSync(path.join(data, 'User', 'settings.json'), JSON.stringify({ ...QUIET, ...settings }, null, 2));
  // Settings that name programs count for the machine only.
  mkdirSync(path.join(data, 'Machine'), { recursive: true });
  writeFileSync(path.join(data, 'Machine', 'settings.json'), JSON.stringify(settings));
  writeFileSync(path.join(data, 'config.yaml'), '');
  const command = path.join(tools, 'node_modules', '.bin', 'code-server');
  const node = path.join(tools, 'node_modules', 'node', 'bin');
  const env = { ...process.env, PATH: `${node}:${searchPath}` };
  const common = ['--user-data-dir', data, '--extensions-dir', path.join(data, 'extensions'), '--config', path.join(data, 'config.yaml')];
  execFileSync(command, [...common, '--install-extension', vsix, '--force'], { env, stdio: ['ignore', 'ignore', 'inherit'] });
  const port = await freePort();
  const child = spawn(
    command,
    [
      '--bind-addr', `127.0.0.1:${port}`, '--auth', 'none', '--disable-telemetry', '--disable-update-check',
      '--disable-getting-started-override', ...(settings['security.workspace.trust.enabled'] ? [] : ['--disable-workspace-trust']), ...common,
    ],
    { env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] },
  );
  let log = '';
  child.stdout.on('data', (text) => (log += text));
  child.stderr.on('data', (text) => (log += text));
  const url = `http://127.0.0.1:${port}`;
  for (let tries = 0; ; tries++) {
    try {
      if ((await fetch(`${url}/healthz`)).ok) break;
    } catch {
      // It is not there yet.
    }
    if (tries > 150 || child.exitCode !== null) throw new Error(`code-server does not start:\n${log}`);
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  return {
    url,
    data,
    stop: () => {
      try {
        process.kill(-child.pid, 'SIGTERM');
      } catch {
        // It has ended already.
      }
      setTimeout(() => rmSync(data, { recursive: true, force: true }), 500).unref();
    },
  };
}
