/** The server's process: started apart from the client library, so that we know how it ended and what it said. */
import { type ChildProcess, spawn } from 'node:child_process';

export interface ServerProcess {
  child: ChildProcess;
  /** Resolves when it has ended, with how. Never rejects. */
  ended: Promise<string>;
  /** The last lines that it wrote to its standard error. */
  lastWords: () => string;
  /** End it, after a grace in ms. */
  kill: (grace?: number) => void;
}

const KEPT_LINES = 12;
/** How long a server that was told to leave may take before it is killed. */
const GRACE_MS = 3000;

export function startProcess(command: string, cwd: string): ServerProcess {
  const env = { ...process.env };
  // The editor's own; a Python would pass it on to everything that a kernel's file starts.
  delete env.ELECTRON_RUN_AS_NODE;
  const child = spawn(command, ['lsp', '--stdio'], { cwd, env, stdio: ['pipe', 'pipe', 'pipe'] });
  let tail: string[] = [];
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    tail = [...tail, ...text.split('\n').filter((line) => line.trim() !== '')].slice(-KEPT_LINES);
  });
  const ended = new Promise<string>((resolve) => {
    child.once('error', (error) => { resolve(`it cannot be started: ${error.message}`); });
    // `close` comes after `exit`, when its last words have been read.
    child.once('close', (code, signal) => {
      resolve(signal === null ? `it ended with exit code ${String(code)}` : `it was ended by ${signal}`);
    });
  });
  return {
    child,
    ended,
    lastWords: () => tail.join('\n'),
    kill: (grace = GRACE_MS) => {
      if (child.exitCode === null && child.signalCode === null) {
        const timer = setTimeout(() => child.kill('SIGKILL'), grace);
        child.once('close', () => { clearTimeout(timer); });
      }
    },
  };
}
