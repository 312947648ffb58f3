// Makes the .vsix; with --bundled also one for this platform that carries the server as wheels.
//
//   node scripts/package.mjs [--bundled [--python 3.10 3.11 ...]]
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';

const require = createRequire(import.meta.url);
const manifest = JSON.parse(readFileSync('package.json', 'utf8'));
const bundled = process.argv.includes('--bundled');
const at = process.argv.indexOf('--python');
const pythons = at < 0 ? ['3.10', '3.11', '3.12', '3.13', '3.14'] : process.argv.slice(at + 1);
const MOST_BYTES = 1_000_000;

const run = (command, ...args) => execFileSync(command, args, { stdio: 'inherit', shell: process.platform === 'win32' });

/** Wheels of the server and of all that it needs, for each version of Python. */
function collectWheels() {
  const python = process.env.PYTHON ?? path.join('..', '.venv', 'bin', 'python');
  rmSync('wheels', { recursive: true, force: true });
  mkdirSync('wheels');
  run(python, '-m', 'pip', 'wheel', '--quiet', '--no-deps', '--wheel-dir', 'wheels', '..');
  const [ours] = readdirSync('wheels');
  for (const version of pythons) {
    // pip reads conditions on the version as those of its own Python: what only older ones need is named.
    const further = Number(version.split('.')[1]) < 11 ? ['tomli>=2', 'exceptiongroup'] : [];
    run(python, '-m', 'pip', 'download', '--quiet', '--dest', 'wheels', '--only-binary', ':all:', '--python-version', version, path.join('wheels', ours), ...further);
  }
}

if (!existsSync('packaging/node_modules/@vscode/vsce')) {
  run('npm', 'ci', '--prefix', 'packaging', '--no-audit', '--no-fund');
}
const { createVSIX } = require('../packaging/node_modules/@vscode/vsce');
const target = `${process.platform}-${process.arch}`;
const file = `tilescope-${manifest.version}${bundled ? `-${target}` : ''}.vsix`;
rmSync('wheels', { recursive: true, force: true });
if (bundled) {
  collectWheels();
}
await createVSIX({
  packagePath: file,
  dependencies: false,
  allowMissingRepository: true,
  rewriteRelativeLinks: false,
  skipLicense: false,
  ...(bundled && { target }),
});
rmSync('wheels', { recursive: true, force: true });
const { size } = statSync(file);
if (!bundled && size > MOST_BYTES) {
  console.error(`${file} has ${size} bytes; at most ${MOST_BYTES} are wanted`);
  process.exit(1);
}
console.log(`${file}: ${(size / 1000).toFixed(0)} KB`);
