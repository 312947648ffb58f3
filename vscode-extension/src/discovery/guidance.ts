/** Tells the user that there is no server or that it does not stay, and does what they choose. */
import * as vscode from 'vscode';
import type { State } from '../servers/session';
import { INSTALL, OUTPUT, RETRY, SETTINGS, TRUST, UPDATE, guidance } from './advice';

export interface Remedies {
  install: () => Promise<void>;
  retry: () => Promise<void>;
}

/** Show the message, and do what the user chooses. */
export async function guide(state: State, folder: string, remedies: Remedies): Promise<void> {
  const said = guidance(state, vscode.workspace.isTrusted, folder);
  if (said === undefined) {
    return;
  }
  const show = state.kind === 'failed' ? vscode.window.showErrorMessage : vscode.window.showWarningMessage;
  switch (await show(said.message, ...said.buttons)) {
    case INSTALL:
    case UPDATE:
      return remedies.install();
    case RETRY:
      return remedies.retry();
    case SETTINGS:
      return void vscode.commands.executeCommand('workbench.action.openSettings', 'tilescope.path');
    case OUTPUT:
      return void vscode.commands.executeCommand('tilescope.showOutput');
    case TRUST:
      return void vscode.commands.executeCommand('workbench.trust.manage');
  }
}
