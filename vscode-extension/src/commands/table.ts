/** What each command does. */
import * as vscode from 'vscode';
import type { Place } from '../panels/messages';
import type { Panels } from '../panels/panels';
import type { Channels } from '../servers/client';
import type { Sessions } from '../servers/sessions';
import { runLint } from '../tasks/lint';
import { chooseAction } from './actions';
import { selectInterpreter } from './interpreter';
import { openInTerminalBrowser } from './terminal';
import { switchSpecialization, switchTarget } from './variants';

export interface Parts {
  context: vscode.ExtensionContext;
  sessions: Sessions;
  panels: Panels;
  channels: Channels;
  install: () => Promise<void>;
  restartAll: (why: string) => Promise<void>;
}

export function commandTable(parts: Parts): Record<string, (...args: never[]) => unknown> {
  const { context, sessions, panels, channels, install, restartAll } = parts;
  return {
    'tilescope.showPasses': (of?: KernelPlace) => panels.open('passes', of),
    'tilescope.showLayouts': (of?: KernelPlace) => panels.open('layout', of),
    'tilescope.showMemory': (of?: KernelPlace) => panels.open('memory', of),
    'tilescope.compare': (of?: KernelPlace) => panels.open('compare', of),
    'tilescope.showTimeline': (of?: KernelPlace) => panels.open('timeline', of),
    'tilescope.attachProfile': () => panels.attachProfile(),
    'tilescope.nextPass': () => { panels.stepPass(1); },
    'tilescope.previousPass': () => { panels.stepPass(-1); },
    'tilescope.switchSpecialization': (of?: KernelPlace) => switchSpecialization(sessions, panels, of),
    'tilescope.switchTarget': (of?: KernelPlace) => switchTarget(sessions, panels, of),
    'tilescope.openInTerminalBrowser': (file?: vscode.Uri) => openInTerminalBrowser(sessions, panels, file),
    'tilescope.lintFile': (file?: vscode.Uri) => lintFile(sessions, file ?? vscode.window.activeTextEditor?.document.uri),
    'tilescope.lintWorkspace': () => lintWorkspace(sessions),
    'tilescope.actions': () => chooseAction(sessions),
    'tilescope.restart': () => restartAll('asked for'),
    'tilescope.showOutput': () => { channels.output.show(); },
    'tilescope.showTrace': () => { channels.trace.show(); },
    'tilescope.install': install,
    'tilescope.selectInterpreter': () => selectInterpreter(),
    'tilescope.openSettings': () =>
      vscode.commands.executeCommand('workbench.action.openSettings', `@ext:${context.extension.id}`),
    'tilescope.openWalkthrough': () =>
      vscode.commands.executeCommand('workbench.action.openWalkthrough', `${context.extension.id}#start`),
  };
}

/** The argument of a code lens. */
export type KernelPlace = Place;

async function lintFile(sessions: Sessions, file: vscode.Uri | undefined): Promise<void> {
  const folder = file && vscode.workspace.getWorkspaceFolder(file);
  if (file === undefined || folder === undefined) {
    void vscode.window.showInformationMessage('Open a file of the workspace to lint it.');
    return;
  }
  await vscode.workspace.textDocuments.find(({ uri }) => uri.toString() === file.toString())?.save();
  await runLint(sessions, folder, [vscode.workspace.asRelativePath(file, false)]);
}

async function lintWorkspace(sessions: Sessions): Promise<void> {
  const folders = vscode.workspace.workspaceFolders ?? [];
  const folder = folders.length > 1 ? await vscode.window.showWorkspaceFolderPick() : folders[0];
  if (folder === undefined) {
    void vscode.window.showInformationMessage('Open a folder to lint it.');
    return;
  }
  await runLint(sessions, folder);
}
