/** All servers of the window, one for each folder that has a kernel open. */
import * as vscode from 'vscode';
import { importsTilelang } from '../gate';
import { Session, type Surroundings } from './session';
import { type Root, rootOf } from './roots';

export class Sessions implements vscode.Disposable {
  private readonly all = new Map<string, Session>();
  private readonly changed = new vscode.EventEmitter<Session>();
  private readonly subscriptions: { dispose(): unknown }[] = [this.changed];

  /** Fires when the state of a session, or what it says of a document, has changed. */
  readonly onDidChange = this.changed.event;

  constructor(private readonly surroundings: Omit<Surroundings, 'isOurs'>) {
    this.subscriptions.push(
      vscode.workspace.onDidOpenTextDocument((document) => { this.serve(document); }),
      vscode.workspace.onDidChangeTextDocument(({ document }) => { this.serve(document); }),
      vscode.workspace.onDidChangeWorkspaceFolders(({ removed }) => {
        for (const { uri } of removed) {
          this.all.get(uri.fsPath)?.dispose();
          this.all.delete(uri.fsPath);
        }
        vscode.workspace.textDocuments.forEach((document) => { this.serve(document); });
      }),
    );
    vscode.workspace.textDocuments.forEach((document) => { this.serve(document); });
  }

  get list(): Session[] {
    return [...this.all.values()];
  }

  /** The session that a document or file belongs to, where there is one. */
  of(uri: vscode.Uri): Session | undefined {
    return this.all.get(this.rootFor(uri).folder);
  }

  /** The same, made and started where there is none. */
  need(uri: vscode.Uri): Session {
    const root = this.rootFor(uri);
    let session = this.all.get(root.folder);
    if (session === undefined) {
      session = new Session(root, { ...this.surroundings, isOurs: (of, one) => this.rootFor(one).folder === of.folder });
      const made = session;
      this.all.set(root.folder, made);
      made.onDidChange(() => { this.changed.fire(made); });
      void made.start();
    }
    return session;
  }

  /** The `tilescope` command for a file or folder, without a server being started for it. */
  async commandFor(uri: vscode.Uri): Promise<string | undefined> {
    const session = this.of(uri);
    if (session !== undefined) {
      return session.command();
    }
    const found = await this.surroundings.find(this.rootFor(uri));
    return found.kind === 'found' ? found.command : undefined;
  }

  async stop(): Promise<void> {
    await Promise.all(this.list.map((session) => session.stop()));
  }

  dispose(): void {
    this.subscriptions.forEach((one) => void one.dispose());
    this.list.forEach((session) => { session.dispose(); });
  }

  private serve(document: vscode.TextDocument): void {
    const here = ['file', 'vscode-notebook-cell', 'untitled'].includes(document.uri.scheme);
    if (document.languageId === 'python' && here && this.of(document.uri) === undefined) {
      if (importsTilelang(document.getText())) {
        this.need(document.uri);
      }
    }
  }

  private rootFor(uri: vscode.Uri): Root {
    const folders = (vscode.workspace.workspaceFolders ?? []).filter((folder) => folder.uri.scheme === 'file');
    const [first] = folders;
    if (uri.scheme === 'untitled' && first !== undefined) {
      return { folder: first.uri.fsPath, name: first.name, ofWorkspace: true };
    }
    return rootOf(uri.fsPath, folders.map((folder) => ({ folder: folder.uri.fsPath, name: folder.name })));
  }
}
