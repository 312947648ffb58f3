/** The kernel file that the user is looking at. */
import * as vscode from 'vscode';
import { importsTilelang } from './gate';

export interface Subject {
  editor: vscode.TextEditor;
  /** The document of the editor, a notebook's cell among them. */
  uri: vscode.Uri;
  /** What the server reports of: the document, of a cell its notebook. */
  whole: vscode.Uri;
  /** The cursor's line in the document, 1-based. */
  line: number;
}

/** The active Python editor, else the visible one that the user left last for a panel. */
export function currentSubject(last: vscode.TextEditor | undefined): Subject | undefined {
  const active = vscode.window.activeTextEditor;
  const editor = [active, last, ...vscode.window.visibleTextEditors].find(
    (one) => one?.document.languageId === 'python' && !one.document.isClosed,
  );
  return editor && subjectOf(editor);
}

export function subjectOf(editor: vscode.TextEditor): Subject {
  const { document } = editor;
  const whole = notebookOf(document)?.uri ?? document.uri;
  return { editor, uri: document.uri, whole, line: editor.selection.active.line + 1 };
}

/** Does the document, or its notebook, hold kernels as far as its text tells? */
export function isKernelDocument(document: vscode.TextDocument): boolean {
  if (document.languageId !== 'python') {
    return false;
  }
  const cells = notebookOf(document)?.getCells().map((cell) => cell.document) ?? [document];
  return cells.some((cell) => cell.languageId === 'python' && importsTilelang(cell.getText()));
}

function notebookOf(document: vscode.TextDocument): vscode.NotebookDocument | undefined {
  return document.uri.scheme === 'vscode-notebook-cell'
    ? vscode.workspace.notebookDocuments.find((notebook) => notebook.getCells().some((cell) => cell.document === document))
    : undefined;
}
