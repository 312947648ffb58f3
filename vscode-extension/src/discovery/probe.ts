/** Runs a candidate with `--version`. */
import { execFile } from 'node:child_process';
import * as os from 'node:os';
import type { Probe } from './find';

/** A Python on a slow disk takes a while the first time. */
const PATIENCE_MS = 20_000;

export const probe: Probe = (command) =>
  new Promise((resolve) => {
    // Not in the workspace: the working folder must not decide what gets imported.
    execFile(command, ['--version'], { timeout: PATIENCE_MS, cwd: os.homedir() }, (error, stdout, stderr) => {
      if (error === null) {
        resolve({ printed: stdout });
      } else if (error.killed === true) {
        resolve({ failure: `--version did not answer within ${PATIENCE_MS / 1000} s` });
      } else {
        const last = stderr.trim().split('\n').pop() ?? '';
        const how = typeof error.code === 'number' ? `--version ended with exit code ${error.code}` : `it cannot be started (${String(error.code)})`;
        resolve({ failure: last === '' ? how : `${how}: ${last.slice(0, 300)}` });
      }
    });
  });
