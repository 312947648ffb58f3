/** What is known about where a server may be, from settings, workspace and system. */
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as vscode from 'vscode';
import type { Root } from '../servers/roots';
import { type Situation, candidates } from './candidates';
import { type Found, type NotFound, find } from './find';
import { probe } from './probe';
import type { SelectedPython } from './python';

interface Manifest {
  tilescope: { minimumServer: string };
}

export function situationOf(root: Root, python: SelectedPython, own: string): Situation {
  const folder = vscode.Uri.file(root.folder);
  const settings = vscode.workspace.getConfiguration('tilescope', folder);
  return {
    platform: process.platform,
    trusted: vscode.workspace.isTrusted,
    root: root.folder,
    folders: [root.folder, ...(vscode.workspace.workspaceFolders ?? []).map(({ uri }) => uri.fsPath)],
    command: text(settings.get('path')),
    selected: python.of(root.ofWorkspace ? folder : undefined),
    interpreter: text(settings.get('interpreter')),
    home: os.homedir(),
    searchPath: process.env.PATH ?? '',
    own,
  };
}

export function findServer(root: Root, python: SelectedPython, own: string, extension: vscode.Extension<unknown>): Promise<Found | NotFound> {
  return find(candidates(situationOf(root, python, own)), minimumServer(extension), isFile, probe);
}

/** The oldest server that this extension works with. */
export function minimumServer(extension: vscode.Extension<unknown>): string {
  return (extension.packageJSON as Manifest).tilescope.minimumServer;
}

function isFile(file: string): boolean {
  try {
    return fs.statSync(file).isFile();
  } catch {
    return false;
  }
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value : undefined;
}
