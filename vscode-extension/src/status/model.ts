/** What the status bar says, from a server's state and what it reports. */
import type { State } from '../servers/session';
import type { Status } from '../servers/status';

export interface Shown {
  text: string;
  /** Lines of Markdown. */
  details: string[];
  severity: 'none' | 'warning' | 'error';
}

const MODES = {
  full: { icon: 'symbol-structure', means: 'compiled facts for every kernel' },
  partial: { icon: 'symbol-structure', means: 'compiled facts for some kernels, source facts for the others' },
  static: { icon: 'circle-outline', means: 'source facts only' },
  untrusted: { icon: 'shield', means: 'source facts only: nothing of an untrusted workspace is executed' },
} as const;

export function shown(state: State | undefined, status: Status | undefined): Shown {
  switch (state?.kind) {
    case undefined:
    case 'stopped':
      return { text: '$(circle-slash) tilescope', details: ['The server is not running.'], severity: 'none' };
    case 'starting':
      return { text: '$(sync~spin) tilescope', details: ['Starting the server.'], severity: 'none' };
    case 'waiting':
      return {
        text: '$(sync~spin) tilescope: restarting',
        details: ['The server stopped and is being restarted.', code(state.reason)],
        severity: 'warning',
      };
    case 'missing': {
      const tooOld = state.search.rejected.some(({ kind }) => kind === 'too old');
      return {
        text: tooOld ? '$(warning) tilescope: server too old' : '$(warning) tilescope: no server',
        details: [
          tooOld ? 'The server found is too old.' : 'No server was found.',
          ...state.search.rejected.map(({ command, reason }) => `${code(command)}: ${plain(reason)}`),
          'Click to install one.',
        ],
        severity: 'warning',
      };
    }
    case 'failed':
      return {
        text: '$(error) tilescope: server failed',
        details: [`${code(state.server.command)} keeps stopping.`, code(state.reason), 'Click for what can be done.'],
        severity: 'error',
      };
    case 'running':
      return running(status, `Server ${state.server.version}: ${code(state.server.command)} (${state.server.origin})`);
  }
}

function running(status: Status | undefined, server: string): Shown {
  if (status === undefined) {
    return { text: '$(sync~spin) tilescope', details: [server], severity: 'none' };
  }
  const { icon, means } = MODES[status.mode];
  const busy = ['busy', 'starting', 'restarting'].includes(status.worker);
  const target = status.target === null ? '' : ` · ${shortTarget(status.target)}`;
  const details = [`**${status.mode}**: ${means}`, plain(status.message)];
  if (status.target !== null) {
    details.push(`Target ${code(status.target)}`);
  }
  if (status.mode !== 'untrusted') {
    details.push(`Compiler process: ${status.worker}${memoryOf(status)}${restartsOf(status)}`);
  }
  if (status.interpreter !== null) {
    const why = status.interpreter_why === null ? '' : ` (${plain(status.interpreter_why)})`;
    details.push(`Interpreter ${code(status.interpreter)}${why}`);
  }
  details.push(server);
  if (status.log != null) {
    details.push(`Log ${code(status.log)}`);
  }
  return {
    text: `$(${busy ? 'sync~spin' : icon}) tilescope: ${status.mode}${target}`,
    details,
    severity: status.worker === 'failed' ? 'warning' : 'none',
  };
}

/** `cuda:sm_90a` as `sm_90a`: there is little room. */
export function shortTarget(target: string): string {
  return target.slice(target.indexOf(':') + 1);
}

function memoryOf({ memory_bytes: used, memory_limit_bytes: limit }: Status): string {
  if (used == null) {
    return '';
  }
  return `, ${mebibytes(used)}${limit == null ? '' : ` of ${mebibytes(limit)}`}`;
}

function restartsOf({ restarts }: Status): string {
  return restarts === undefined || restarts === 0 ? '' : `, restarted ${restarts === 1 ? 'once' : `${restarts} times`}`;
}

function mebibytes(bytes: number): string {
  return `${Math.round(bytes / 1024 / 1024)} MiB`;
}

/** Text of others inside Markdown. */
function plain(text: string): string {
  return text.replace(/[\\`*_{}[\]<>()#+!|~]/g, (sign) => `\\${sign}`).replaceAll('\n', ' ');
}

function code(text: string): string {
  return `\`${text.replaceAll('`', "'").replaceAll('\n', ' ')}\``;
}
