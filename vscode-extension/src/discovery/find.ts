/** Picks the first candidate that works, and tells what was wrong with the others. */
import type { Candidate, Origin } from './candidates';
import { isAtLeast, parseVersion } from './version';

/** What came of running a command: what it printed, or why there is nothing. */
export type Probe = (command: string) => Promise<{ printed: string } | { failure: string }>;
export type Exists = (file: string) => boolean;

export interface Found {
  kind: 'found';
  command: string;
  origin: Origin;
  version: string;
  /** Candidates that came before and were not taken. */
  rejected: readonly Rejected[];
}

export interface Rejected {
  command: string;
  origin: Origin;
  kind: 'missing' | 'broken' | 'too old';
  reason: string;
}

export interface NotFound {
  kind: 'not found';
  rejected: readonly Rejected[];
  /** All places where one could have been. */
  looked: readonly string[];
}

/**
 * The server to start. Files that do not exist are passed over without a word, except what the user named; a named
 * command that does not work ends the search.
 */
export async function find(
  candidates: readonly Candidate[],
  minimum: string,
  exists: Exists,
  probe: Probe,
): Promise<Found | NotFound> {
  const rejected: Rejected[] = [];
  const looked = candidates.map(({ command }) => command);
  const named = candidates.filter((candidate) => candidate.named);
  const present = candidates.filter(({ command }) => exists(command));
  if (named.length > 0 && !present.some((candidate) => candidate.named)) {
    const [first] = named;
    return {
      kind: 'not found',
      rejected: named.length === 1 && first ? [reject(first, 'missing', 'there is no such file')] : missing(named),
      looked,
    };
  }
  for (const candidate of present) {
    const result = await examine(candidate, minimum, probe);
    if ('version' in result) {
      return { kind: 'found', command: candidate.command, origin: candidate.origin, version: result.version, rejected };
    }
    rejected.push(result);
    if (candidate.named) {
      break;
    }
  }
  return { kind: 'not found', rejected, looked };
}

async function examine(candidate: Candidate, minimum: string, probe: Probe): Promise<{ version: string } | Rejected> {
  const result = await probe(candidate.command);
  if ('failure' in result) {
    return reject(candidate, 'broken', result.failure);
  }
  const version = parseVersion(result.printed);
  if (version === undefined) {
    return reject(candidate, 'broken', `it is not tilescope: --version printed "${firstLine(result.printed)}"`);
  }
  if (!isAtLeast(version, minimum)) {
    return reject(candidate, 'too old', `its version is ${version.text}, at least ${minimum} is needed`);
  }
  return { version: version.text };
}

function missing(named: readonly Candidate[]): Rejected[] {
  const name = named[0]?.command.split(/[\\/]/).pop() ?? '';
  return [{ command: name, origin: 'setting', kind: 'missing', reason: 'there is no such command on PATH' }];
}

function reject({ command, origin }: Candidate, kind: Rejected['kind'], reason: string): Rejected {
  return { command, origin, kind, reason };
}

function firstLine(text: string): string {
  return text.trim().split('\n', 1)[0]?.slice(0, 120) ?? '';
}
