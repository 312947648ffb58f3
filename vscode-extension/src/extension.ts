/**
 * The gate: all that runs for every Python file. It loads the rest when one of them imports tilelang, or when the user
 * asks for something.
 */
import { performance } from 'node:perf_hooks';
import * as vscode from 'vscode';
import { importsTilelang } from './gate';
import type { Main } from './main';

interface Manifest {
  contributes: { commands: { command: string }[] };
}

/** Commands of code lenses and of links in hovers, which no palette lists. */
const UNLISTED = ['tilescope.perform'];

export function activate(context: vscode.ExtensionContext): { activationMs: number; loaded: () => boolean } {
  const began = performance.now();
  let main: Promise<Main> | undefined;
  const load = (): Promise<Main> => (main ??= import('./main').then(({ start }) => start(context)));

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
    ...watch(() => void load()),
  );
  return { activationMs: performance.now() - began, loaded: () => main !== undefined };
}

export function deactivate(): Promise<void> | undefined {
  return stopping?.();
}

let stopping: (() => Promise<void>) | undefined;

/** Lets `deactivate` wait for the servers to leave. */
export function onStop(stop: () => Promise<void>): void {
  stopping = stop;
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
