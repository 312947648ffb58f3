/** What all panels have in common: a kernel, a view that may be closed and reopened, one load at a time. */
import * as fs from 'node:fs';
import * as path from 'node:path';
import * as vscode from 'vscode';
import type { KernelPlace } from '../commands/table';
import type { About, Methods } from '../protocol';
import type { Session } from '../servers/session';
import type { Sessions } from '../servers/sessions';
import type { Status } from '../servers/status';
import { subjectOf } from '../subject';
import type { FromPanel, PanelKind, ToPanel } from './messages';
import { namesOf, resolveOrigin } from './origins';
import { View } from './view';

/** Messages that say what happens, not what is; a page that comes back does not get them. */
const PASSING = new Set<ToPanel['type']>(['step', 'cursor']);

export abstract class Controller implements vscode.Disposable {
  protected abstract readonly kind: PanelKind;
  protected abstract readonly name: string;
  protected place: KernelPlace | undefined;
  /** Names of files in what is shown. */
  protected readonly names = new Set<string>();
  private view: View | undefined;
  private loading: vscode.CancellationTokenSource | undefined;
  private readonly kept = new Map<ToPanel['type'], ToPanel>();
  private shownVersion: number | null = null;

  constructor(
    private readonly context: vscode.ExtensionContext,
    protected readonly sessions: Sessions,
    private readonly opened: () => void,
  ) {}

  /** Fetch and post what is shown of `place`. */
  protected abstract load(place: KernelPlace, token: vscode.CancellationToken): Promise<void>;

  /** A message that not all panels understand. */
  protected abstract receive(message: FromPanel): void | Promise<void>;

  get isOpen(): boolean {
    return this.view !== undefined;
  }

  /** Show a kernel; in the panel that is open, in one that a reload of the window left, or in a new one. */
  async open(place: KernelPlace, restored?: vscode.WebviewPanel): Promise<void> {
    const another = place.uri !== this.place?.uri || place.kernel !== this.place.kernel;
    this.place = place;
    if (another) {
      this.kept.clear();
    }
    if (this.view === undefined) {
      this.view = new View(this.context, this.kind, this.name, {
        ready: () => {
          this.kept.forEach((message) => this.view?.post(message));
          this.cursor(vscode.window.activeTextEditor);
        },
        message: (message) => { this.handle(message); },
        closed: () => {
          this.view = undefined;
          this.loading?.cancel();
          this.kept.clear();
          this.opened();
        },
      }, restored);
      this.opened();
    } else {
      restored?.dispose();
      this.view.reveal();
    }
    const kernel = place.kernel?.split('.').pop() ?? path.basename(vscode.Uri.parse(place.uri).fsPath);
    this.view.title = `${this.name}: ${kernel}`;
    this.post({ type: 'place', place });
    await this.reload();
  }

  /** The document was saved, or a variant was chosen: show what holds now. */
  async reload(): Promise<void> {
    const { place } = this;
    if (place === undefined || this.view === undefined) {
      return;
    }
    this.loading?.cancel();
    const source = new vscode.CancellationTokenSource();
    this.loading = source;
    this.post({ type: 'busy', text: 'Asking the compiler' });
    try {
      await this.load(place, source.token);
      this.drop('problem');
      this.drop('busy');
      this.cursor(vscode.window.activeTextEditor);
    } catch (error) {
      if (!source.token.isCancellationRequested) {
        this.fail(error);
      }
    }
  }

  /** The cursor has moved, or another editor is active. */
  cursor(editor: vscode.TextEditor | undefined): void {
    if (editor?.document.languageId !== 'python' || this.view?.visible !== true) {
      return;
    }
    const { line, uri, whole } = subjectOf(editor);
    // Lines of what is shown of a notebook are counted over all its cells.
    if (uri === whole) {
      const files = namesOf(editor.document.uri.fsPath, this.names, this.file(), this.root(), fs.existsSync);
      const lineText = editor.document.lineAt(line - 1).text.trim();
      this.post({ type: 'cursor', files, line, lineText });
      this.moved(files, line);
    }
  }

  /** A document was edited: what is shown may be of an older text. */
  edited(document: vscode.TextDocument): void {
    if (document.uri.toString() === this.place?.uri) {
      this.post({ type: 'stale', stale: this.shownVersion !== null && document.version !== this.shownVersion });
    }
  }

  /** The server has got further with a document. */
  analysed(_status: Status): void {
    // Recordings are made again when a file is saved, not at each edit.
  }

  dispose(): void {
    this.view?.dispose();
  }

  protected moved(_files: string[], _line: number): void {
    // Most panels only mark the line.
  }

  protected session(): Session {
    if (this.place === undefined) {
      throw new Error('There is no kernel to show.');
    }
    return this.sessions.need(vscode.Uri.parse(this.place.uri));
  }

  protected ask<M extends keyof Methods>(
    method: M,
    params: Omit<Methods[M]['params'], 'uri'>,
    token?: vscode.CancellationToken,
  ): Promise<Methods[M]['answer']> {
    const uri = this.place?.uri;
    return this.session().ask(method, { ...params, uri } as Methods[M]['params'], token);
  }

  protected post(message: ToPanel): void {
    if (!PASSING.has(message.type)) {
      this.kept.set(message.type, message);
    }
    this.view?.post(message);
  }

  protected drop(type: ToPanel['type']): void {
    this.kept.delete(type);
  }

  /** Note which text an answer is about. */
  protected about({ version }: About): void {
    this.shownVersion = version;
    const open = vscode.workspace.textDocuments.find(({ uri }) => uri.toString() === this.place?.uri);
    this.post({ type: 'stale', stale: open !== undefined && version !== null && open.version !== version });
  }

  protected fail(error: unknown): void {
    this.drop('busy');
    const text = error instanceof Error ? error.message : String(error);
    const actions = vscode.workspace.isTrusted
      ? [{ label: 'Show output', command: 'tilescope.showOutput' }]
      : [{ label: 'Manage trust', command: 'workbench.trust.manage' }];
    this.post({ type: 'problem', text, actions });
  }

  private file(): string {
    return vscode.Uri.parse(this.place?.uri ?? '').fsPath;
  }

  private root(): string {
    return this.session().root.folder;
  }

  private handle(message: FromPanel): void {
    switch (message.type) {
      case 'ready':
        return;
      case 'refresh':
        return void this.reload();
      case 'reveal':
        return void this.reveal(message.file, message.line);
      case 'copy':
        void vscode.env.clipboard.writeText(message.text);
        return void vscode.window.setStatusBarMessage(`$(clippy) ${message.what} copied`, 3000);
      case 'save':
        return void this.save(message.text, message.name);
      case 'command':
        return void vscode.commands.executeCommand(message.command);
      default:
        Promise.resolve(this.receive(message)).catch((error: unknown) => { this.fail(error); });
    }
  }

  /** Put the editor's cursor on a line, without taking the focus from the panel. */
  private async reveal(name: string, line: number): Promise<void> {
    const file = name === '' ? this.file() : resolveOrigin(name, this.file(), this.root(), fs.existsSync);
    if (file === undefined) {
      void vscode.window.showInformationMessage(`${name} is not in this workspace.`);
      return;
    }
    const uri = vscode.Uri.file(file);
    const there = vscode.window.visibleTextEditors.find((editor) => editor.document.uri.toString() === uri.toString());
    const at = new vscode.Range(line - 1, 0, line - 1, 0);
    const editor = await vscode.window.showTextDocument(uri, {
      viewColumn: there?.viewColumn ?? vscode.ViewColumn.One,
      preserveFocus: true,
      selection: at,
    });
    editor.revealRange(at, vscode.TextEditorRevealType.InCenterIfOutsideViewport);
  }

  private async save(text: string, name: string): Promise<void> {
    const folder = vscode.Uri.file(path.join(this.root(), name));
    const chosen = await vscode.window.showSaveDialog({ defaultUri: folder, filters: { SVG: ['svg'] } });
    if (chosen !== undefined) {
      await vscode.workspace.fs.writeFile(chosen, new TextEncoder().encode(text));
    }
  }
}
