/** Installs or updates the server, where the user wants it. */
import * as vscode from 'vscode';
import { type OwnCopy, hasWheels, makeOwnCopy } from './ownCopy';
import type { SelectedPython } from './python';

export async function offerInstall(
  copy: OwnCopy,
  python: SelectedPython,
  installed: (why: string) => Promise<void>,
): Promise<void> {
  const from = hasWheels(copy) ? 'from the wheels in this extension' : 'from the package index';
  const selected = vscode.workspace.isTrusted ? python.of(vscode.workspace.workspaceFolders?.[0]?.uri) : undefined;
  const choices = [
    { label: 'A copy for this extension', description: from, detail: copy.environment, own: true },
    ...(selected === undefined
      ? []
      : [{ label: 'The selected Python environment', description: 'pip install tilescope', detail: selected, own: false }]),
  ];
  const choice = await vscode.window.showQuickPick(choices, {
    title: 'Install the tilescope server',
    placeHolder: 'Where it goes; TileLang itself stays where it is',
  });
  if (choice === undefined) {
    return;
  }
  if (!choice.own && selected !== undefined) {
    await inTerminal(selected, copy.minimum, installed);
    return;
  }
  await vscode.window.withProgress(
    { location: vscode.ProgressLocation.Notification, title: 'tilescope', cancellable: true },
    async (progress, token) => {
      const abort = new AbortController();
      token.onCancellationRequested(() => { abort.abort(); });
      try {
        await makeOwnCopy(copy, selected, (message) => { progress.report({ message }); }, abort.signal);
        await installed('a copy of the server was installed');
      } catch (error) {
        if (!token.isCancellationRequested) {
          const why = error instanceof Error ? error.message : String(error);
          void vscode.window.showErrorMessage(`The tilescope server could not be installed: ${why}`);
        }
      }
    },
  );
}

/** With pip in a terminal, where the user sees what it does. */
async function inTerminal(python: string, minimum: string, installed: (why: string) => Promise<void>): Promise<void> {
  const task = new vscode.Task(
    { type: 'tilescope', command: 'install' },
    vscode.TaskScope.Workspace,
    'install tilescope',
    'tilescope',
    new vscode.ProcessExecution(python, ['-m', 'pip', 'install', '--upgrade', `tilescope>=${minimum}.dev0`]),
  );
  const running = await vscode.tasks.executeTask(task);
  const watch = vscode.tasks.onDidEndTaskProcess(({ execution, exitCode }) => {
    if (execution === running) {
      watch.dispose();
      if (exitCode === 0) {
        void installed('tilescope was installed');
      }
    }
  });
}
