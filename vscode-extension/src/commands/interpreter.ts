/** Lets the user choose the Python that has TileLang. */
import * as vscode from 'vscode';

/** With the Python extension's own picker where there is one, else with a file dialog that sets our setting. */
export async function selectInterpreter(): Promise<void> {
  if ((await vscode.commands.getCommands()).includes('python.setInterpreter')) {
    await vscode.commands.executeCommand('python.setInterpreter');
    return;
  }
  const folder = vscode.window.activeTextEditor
    ? vscode.workspace.getWorkspaceFolder(vscode.window.activeTextEditor.document.uri)
    : vscode.workspace.workspaceFolders?.[0];
  const chosen = await vscode.window.showInputBox({
    title: 'Interpreter that has TileLang',
    prompt: 'A Python, or the folder of its environment. Empty: tilescope looks for one.',
    value: vscode.workspace.getConfiguration('tilescope', folder).get<string>('interpreter') ?? '',
    placeHolder: '/path/to/.venv/bin/python',
  });
  if (chosen !== undefined) {
    const target = folder ? vscode.ConfigurationTarget.WorkspaceFolder : vscode.ConfigurationTarget.Global;
    const settings = vscode.workspace.getConfiguration('tilescope', folder);
    await settings.update('interpreter', chosen.trim() === '' ? undefined : chosen.trim(), target);
  }
}
