/**
 * The gate: all that runs for every Python file. It loads the rest when one of them imports tilelang, or when the user
 * asks for something.
 */
import * as vscode from 'vscode';
import { importsTilelang } from './gate';
import type { Main } from './main.js';
import { PANEL_KINDS } from './panels/messages';

interface Manifest {
  contributes: { commands: { command: string }[] };
}

/** Commands of code lenses and of links in hovers, which no palette lists. */
const UNLISTED = ['tilescope.perform'];

let main: Promise<Main> | undefined;

export function activate(context: vscode.ExtensionContext): void {
  // A bundle of its own, so that Python files without kernels do not pay for it.
  const load = (): Promise<Main> => (main ??= import('./main.js').then(({ start }) => start(context)));

  const manifest = context.extension.packageJSON as Manifest;
  for (const id of [...manifest.contributes.commands.map(({ command }) => command), ...UNLISTED]) {
    context.subscriptions.push(
      vscode.commands.registerCommand(id, async (...args: unknown[]) => (await load()).perform(id, args)),
    );
  }
  context.subscriptions.push(
    vscode.tasks.registerTaskProvider('tilescope', {
      provideTasks: async () => (await load()).tasks(),
      resolveTask: async (task) => (await load()).resolveTask(task),
    }),
    ...PANEL_KINDS.map((kind) =>
      vscode.window.registerWebviewPanelSerializer(`tilescope.${kind}`, {
        deserializeWebviewPanel: async (panel, state) => (await load()).restore(kind, panel, state),
      }),
    ),
    ...watch(() => setImmediate(() => void load())),
  );
}

/** Waits for the servers to leave. */
export async function deactivate(): Promise<void> {
  await (await main)?.stop();
}

/** Calls `found` once, when a Python document imports tilelang. */
function watch(found: () => void): vscode.Disposable[] {
  const isKernel = (document: vscode.TextDocument): boolean =>
    document.languageId === 'python' && importsTilelang(document.getText());
  if (vscode.workspace.textDocuments.some(isKernel)) {
    found();
    return [];
  }
  const listeners: vscode.Disposable[] = [];
  const look = (kernel: boolean): void => {
    if (kernel) {
      for (const listener of listeners.splice(0)) {
        listener.dispose();
      }
      found();
    }
  };
  listeners.push(
    vscode.workspace.onDidOpenTextDocument((document) => { look(isKernel(document)); }),
    vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
      look(
        document.languageId === 'python' &&
          contentChanges.some(
            ({ range, text }) =>
              importsTilelang(text) ||
              (range.start.line < document.lineCount && importsTilelang(document.lineAt(range.start.line).text)),
          ),
      );
    }),
  );
  return listeners;
}
