// Processes of the servers under test, as /proc has them.
import { readFileSync, readdirSync, readlinkSync } from 'node:fs';

function pids() {
  return readdirSync('/proc').filter((name) => /^\d+$/.test(name));
}

/** Servers that serve a folder: their working folder is it. */
export function servers(folder) {
  return pids().filter((pid) => {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('tilescope\0lsp') && readlinkSync(`/proc/${pid}/cwd`) === folder;
    } catch {
      return false; // It has just ended.
    }
  });
}

/** Processes that a process has started. */
export function children(parent) {
  return pids().filter((pid) => {
    try {
      return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ')[1] === parent;
    } catch {
      return false;
    }
  });
}
