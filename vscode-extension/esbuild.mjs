// Bundles: dist/extension.js is all that activation reads, dist/main.js is loaded when a kernel is there, each of
// dist/webview/ runs in one panel.
//
//   node esbuild.mjs [--production | --tests]
import { build } from 'esbuild';
import { readdirSync, rmSync } from 'node:fs';

const tests = process.argv.includes('--tests');
rmSync(tests ? 'dist/test' : 'dist', { recursive: true, force: true });
const production = process.argv.includes('--production');
const node = { bundle: true, platform: 'node', target: 'node20', format: 'cjs', logLevel: 'warning' };

if (tests) {
  const files = readdirSync('test').filter((name) => name.endsWith('.test.ts'));
  await build({
    ...node,
    entryPoints: files.map((name) => `test/${name}`),
    outdir: 'dist/test',
    external: ['vscode'],
    sourcemap: 'inline',
  });
} else {
  await build({
    ...node,
    entryPoints: ['src/extension.ts', 'src/main.ts'],
    outdir: 'dist',
    external: ['vscode', './main.js'],
    minify: production,
    sourcemap: !production,
  });
  await build({
    bundle: true,
    platform: 'browser',
    target: 'es2022',
    format: 'iife',
    logLevel: 'warning',
    entryPoints: readdirSync('src/webview/panels').map((name) => `src/webview/panels/${name}`),
    outdir: 'dist/webview',
    minify: production,
    sourcemap: production ? false : 'inline',
  });
}
