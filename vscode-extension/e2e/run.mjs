// Tests in a real VS Code: code-server, its own extension host, and Chromium.
//
//   node e2e/run.mjs [--vsix FILE] [--pictures DIR] [--venv DIR] [SCENARIO...]
//
// Each scenario gets a page and folders of its own. Exit code 1 where one fails; its last picture is kept.
import { existsSync, mkdirSync, readFileSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { Editor } from './editor.mjs';
import { patience } from './expect.mjs';
import { startServer, tools } from './server.mjs';
import { Workspaces } from './workspaces.mjs';

const root = path.resolve(import.meta.dirname, '..');
const { version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    vsix: { type: 'string', default: path.join(root, `tilescope-${version}.vsix`) },
    pictures: { type: 'string', default: path.join(root, 'dist', 'pictures') },
    venv: { type: 'string', default: path.resolve(root, '..', '.venv') },
  },
});
const chromium = ['chromium', 'chromium-browser', 'google-chrome'].map((name) => `/usr/bin/${name}`).find(existsSync);
if (!chromium || !existsSync(path.join(tools, 'node_modules', '.bin', 'code-server'))) {
  console.error('Chromium or code-server is missing: see e2e/prepare.sh');
  process.exit(2);
}
const { chromium: browserType } = createRequire(path.join(tools, 'package.json'))('playwright-core');
mkdirSync(options.pictures, { recursive: true });

const names = readdirSync(path.join(import.meta.dirname, 'scenarios')).map((file) => path.basename(file, '.mjs'));
const chosen = positionals.length > 0 ? positionals : names;
const browser = await browserType.launch({
  executablePath: chromium,
  args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-component-update', '--disable-sync'],
});
const workspaces = new Workspaces(options.venv);
const failures = [];
try {
  for (const name of chosen) {
    const scenario = await import(`./scenarios/${name}.mjs`);
    const server = await startServer(options.vsix, { settings: scenario.settings });
    const context = await browser.newContext({ viewport: { width: 1600, height: 950 }, permissions: ['clipboard-read', 'clipboard-write'] });
    const page = await context.newPage();
    page.setDefaultTimeout(30_000 * patience);
    const editor = new Editor(page, server.url);
    const started = Date.now();
    const seconds = () => ((Date.now() - started) / 1000).toFixed(1);
    const step = (what) => console.log(`  ${name} ${seconds()} s: ${what}`);
    try {
      await scenario.default({ editor, page, server, workspaces, step, picture: (file) => editor.shot(path.join(options.pictures, `${file}.png`)) });
      console.log(`ok ${name} (${seconds()} s)`);
    } catch (error) {
      failures.push(name);
      console.log(`FAILED ${name} (${seconds()} s)\n${error.stack ?? error}`);
      await editor.shot(path.join(options.pictures, `failed-${name}.png`)).catch(() => undefined);
    } finally {
      await context.close();
      server.stop();
    }
  }
} finally {
  await browser.close();
  workspaces.remove();
}
console.log(failures.length === 0 ? `all ${chosen.length} scenarios passed` : `failed: ${failures.join(', ')}`);
process.exit(failures.length === 0 ? 0 : 1);
