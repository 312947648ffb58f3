/** What the Python extension has selected, where it is installed. */
import { PVSC_EXTENSION_ID, PythonExtension } from '@vscode/python-extension';
import * as vscode from 'vscode';

export interface SelectedPython {
  /** The interpreter (or the folder of its environment) for files of a folder; undefined where none is known. */
  of(folder: vscode.Uri | undefined): string | undefined;
  onDidChange(listener: () => void): vscode.Disposable;
}

const NONE: SelectedPython = { of: () => undefined, onDidChange: () => new vscode.Disposable(() => undefined) };

export async function selectedPython(log: (line: string) => void): Promise<SelectedPython> {
  if (vscode.extensions.getExtension(PVSC_EXTENSION_ID) === undefined) {
    return NONE;
  }
  try {
    const { environments } = await PythonExtension.api();
    return {
      of: (folder) => {
        const { path } = environments.getActiveEnvironmentPath(folder);
        return path === '' || path === 'python' ? undefined : path;
      },
      onDidChange: (listener) => environments.onDidChangeActiveEnvironmentPath(listener),
    };
  } catch (error) {
    log(`the Python extension does not answer: ${String(error)}`);
    return NONE;
  }
}
