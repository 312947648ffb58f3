/** What the user is told, and which buttons there are, where there is no server or it does not stay. */
import type { State } from '../servers/session';

export const INSTALL = 'Install';
export const UPDATE = 'Update';
export const SETTINGS = 'Choose Path';
export const RETRY = 'Try Again';
export const OUTPUT = 'Show Output';
export const TRUST = 'Manage Trust';

/** The message and its buttons; undefined for states that need none. */
export function guidance(state: State, trusted: boolean, folder: string): { message: string; buttons: string[] } | undefined {
  if (state.kind === 'failed') {
    return {
      message: `The tilescope server for ${folder} keeps stopping: ${state.reason}. (${state.server.command})`,
      buttons: [RETRY, OUTPUT, SETTINGS],
    };
  }
  if (state.kind !== 'missing') {
    return undefined;
  }
  const named = state.search.rejected.find(({ origin }) => origin === 'setting');
  if (named !== undefined) {
    return {
      message: `The setting tilescope.path names ${named.command}, but ${named.reason}.`,
      buttons: [SETTINGS, OUTPUT],
    };
  }
  const old = state.search.rejected.find(({ kind }) => kind === 'too old');
  if (old !== undefined) {
    return { message: `${old.command} is too old: ${old.reason}.`, buttons: [UPDATE, SETTINGS] };
  }
  const broken = state.search.rejected[0];
  if (broken !== undefined) {
    return { message: `${broken.command} does not work: ${broken.reason}.`, buttons: [INSTALL, SETTINGS, OUTPUT] };
  }
  return trusted
    ? { message: 'The tilescope server is not installed. Without it kernels get no hints.', buttons: [INSTALL, SETTINGS] }
    : {
        message:
          'No tilescope server was found outside this workspace. One inside it is used only when the workspace is trusted.',
        buttons: [TRUST, INSTALL],
      };
}
