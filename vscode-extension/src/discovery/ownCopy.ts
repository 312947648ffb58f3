/**
 * The copy of the server that the extension keeps for itself: an environment in its own storage, from the wheels that a
 * bundled package carries, else from the package index.
 */
import { execFile } from 'node:child_process';
import * as fs from 'node:fs';
import * as path from 'node:path';

export interface OwnCopy {
  /** Folder of the environment. */
  environment: string;
  /** Folder of wheels inside the extension; it need not exist. */
  wheels: string;
  minimum: string;
}

const PYTHONS = process.platform === 'win32' ? ['py', 'python', 'python3'] : ['python3', 'python'];

/** Folder of this installation's bin directory as virtual environments have it. */
function pythonOf(environment: string): string {
  return process.platform === 'win32'
    ? path.join(environment, 'Scripts', 'python.exe')
    : path.join(environment, 'bin', 'python');
}

export function hasWheels({ wheels }: OwnCopy): boolean {
  return fs.existsSync(wheels) && fs.readdirSync(wheels).some((name) => name.endsWith('.whl'));
}

/** The commands that make the copy. */
export function installArguments(copy: OwnCopy, bundled: boolean): string[] {
  const from = bundled ? ['--no-index', '--find-links', copy.wheels] : [];
  return ['-m', 'pip', 'install', '--disable-pip-version-check', '--upgrade', ...from, `tilescope>=${copy.minimum}.dev0`];
}

/**
 * Make the copy anew. `python` is tried first, then those on PATH; `tell` gets a few words about each step. Rejects
 * with a message for people.
 */
export async function makeOwnCopy(
  copy: OwnCopy,
  python: string | undefined,
  tell: (step: string) => void,
  signal: AbortSignal,
): Promise<void> {
  const base = await suitablePython(python === undefined ? PYTHONS : [python, ...PYTHONS]);
  const bundled = hasWheels(copy);
  tell('making an environment');
  await fs.promises.rm(copy.environment, { recursive: true, force: true });
  await run(base, ['-m', 'venv', copy.environment], signal);
  tell(bundled ? 'unpacking the bundled server' : 'installing tilescope');
  try {
    await run(pythonOf(copy.environment), installArguments(copy, bundled), signal);
  } catch (error) {
    await fs.promises.rm(copy.environment, { recursive: true, force: true });
    throw error;
  }
}

/** The first Python that is new enough (3.10) and can make environments. */
async function suitablePython(commands: readonly string[]): Promise<string> {
  const check = 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 10))';
  for (const command of commands) {
    try {
      await run(command, ['-c', check]);
      return command;
    } catch {
      // Missing, too old, or without venv: another may do.
    }
  }
  throw new Error('There is no Python 3.10 or newer with venv on PATH. Install one, then try again.');
}

function run(command: string, args: readonly string[], signal?: AbortSignal): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile(command, args, { maxBuffer: 16 * 1024 * 1024, ...(signal && { signal }) }, (error, stdout, stderr) => {
      if (error === null) {
        resolve(stdout);
      } else {
        const last = stderr.trim().split('\n').pop() ?? '';
        reject(new Error(last === '' ? error.message : last));
      }
    });
  });
}
