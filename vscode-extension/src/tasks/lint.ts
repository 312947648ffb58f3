/** Tasks of type `tilescope`: lint, with its findings among the problems. */
import * as vscode from 'vscode';
import type { Sessions } from '../servers/sessions';
import { lintArguments } from './arguments';

interface Definition extends vscode.TaskDefinition {
  command: 'lint';
  paths?: string[];
  args?: string[];
}

/** One task for each folder of the workspace. */
export async function lintTasks(sessions: Sessions): Promise<vscode.Task[]> {
  const made = (vscode.workspace.workspaceFolders ?? []).map((folder) =>
    lintTask({ type: 'tilescope', command: 'lint' }, folder, sessions),
  );
  return (await Promise.all(made)).filter((task) => task !== undefined);
}

export async function resolveLintTask(task: vscode.Task, sessions: Sessions): Promise<vscode.Task | undefined> {
  const definition = task.definition as Definition;
  const scope = typeof task.scope === 'object' ? task.scope : vscode.workspace.workspaceFolders?.[0];
  // The definition must stay the same object: VS Code compares it.
  return scope && lintTask(definition, scope, sessions, definition);
}

/** Runs the task `lint` over some paths. */
export async function runLint(sessions: Sessions, folder: vscode.WorkspaceFolder, paths?: string[]): Promise<void> {
  const task = await lintTask({ type: 'tilescope', command: 'lint', ...(paths && { paths }) }, folder, sessions);
  if (task === undefined) {
    void vscode.window.showWarningMessage('There is no tilescope server to lint with.');
    return;
  }
  await vscode.tasks.executeTask(task);
}

async function lintTask(
  definition: Definition,
  folder: vscode.WorkspaceFolder,
  sessions: Sessions,
  identity: vscode.TaskDefinition = definition,
): Promise<vscode.Task | undefined> {
  const command = await sessions.commandFor(folder.uri);
  if (command === undefined) {
    return undefined;
  }
  const execution = new vscode.ProcessExecution(command, lintArguments(definition), { cwd: folder.uri.fsPath });
  const name = definition.paths === undefined ? 'lint' : `lint ${definition.paths.join(' ')}`;
  const task = new vscode.Task(identity, folder, name, 'tilescope', execution, '$tilescope');
  task.group = vscode.TaskGroup.Test;
  task.presentationOptions = { reveal: vscode.TaskRevealKind.Always, clear: true, showReuseMessage: false };
  return task;
}
