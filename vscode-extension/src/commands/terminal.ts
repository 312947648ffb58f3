/** Opens the terminal browser on a kernel file or a recording. */
import * as path from 'node:path';
import * as vscode from 'vscode';
import type { Panels } from '../panels/panels';
import type { Sessions } from '../servers/sessions';

export async function openInTerminalBrowser(sessions: Sessions, panels: Panels, file?: vscode.Uri): Promise<void> {
  const uri = file ?? panels.subject()?.uri;
  if (uri?.scheme !== 'file') {
    void vscode.window.showInformationMessage('Open a kernel file to browse its passes.');
    return;
  }
  if (!vscode.workspace.isTrusted && !uri.fsPath.endsWith('.tscope')) {
    void vscode.window.showInformationMessage('Recording a kernel executes its file: trust the workspace first.');
    return;
  }
  const command = await sessions.commandFor(uri);
  if (command === undefined) {
    void vscode.window.showWarningMessage('There is no tilescope to browse with.');
    return;
  }
  // It reads the file from disk.
  await vscode.workspace.textDocuments.find((document) => document.uri.toString() === uri.toString())?.save();
  const terminal = vscode.window.createTerminal({
    name: `tilescope ${path.basename(uri.fsPath)}`,
    shellPath: command,
    shellArgs: ['view', uri.fsPath],
    cwd: path.dirname(uri.fsPath),
    location: vscode.TerminalLocation.Editor,
    iconPath: new vscode.ThemeIcon('layers'),
    isTransient: true,
  });
  terminal.show();
}
