/** The panels of a window: opened for the kernel under the cursor, kept in step with the editor. */
import * as vscode from 'vscode';
import type { KernelPlace } from '../commands/table';
import type { Session } from '../servers/session';
import type { Sessions } from '../servers/sessions';
import { type Subject, currentSubject, isKernelDocument } from '../subject';
import { ComparePanel } from './compare';
import type { Controller } from './controller';
import { kernelsOf } from './facts';
import { LayoutPanel } from './layout';
import { MemoryPanel } from './memory';
import { type PanelKind, rememberedPlace } from './messages';
import { PassesPanel } from './passes';
import { TimelinePanel } from './timeline';

export class Panels implements vscode.Disposable {
  private readonly passes: PassesPanel;
  private readonly timeline: TimelinePanel;
  private readonly all: Record<PanelKind, Controller>;
  private readonly subscriptions: vscode.Disposable[];
  private readonly followed = new WeakSet<Session>();
  /** The Python editor that was active last: a focused panel is no editor. */
  private lastEditor = vscode.window.activeTextEditor;

  constructor(
    context: vscode.ExtensionContext,
    private readonly sessions: Sessions,
  ) {
    const opened = (): void => {
      void vscode.commands.executeCommand('setContext', 'tilescope.passesOpen', this.passes.isOpen);
    };
    this.passes = new PassesPanel(context, sessions, opened);
    this.timeline = new TimelinePanel(context, sessions, opened);
    this.all = {
      passes: this.passes,
      layout: new LayoutPanel(context, sessions, opened),
      memory: new MemoryPanel(context, sessions, opened),
      compare: new ComparePanel(context, sessions, opened),
      timeline: this.timeline,
    };
    this.subscriptions = [
      vscode.window.onDidChangeActiveTextEditor((editor) => {
        if (editor?.document.languageId === 'python') {
          this.lastEditor = editor;
          this.each((panel) => { panel.cursor(editor); });
        }
      }),
      vscode.window.onDidChangeTextEditorSelection(({ textEditor }) => { this.each((panel) => { panel.cursor(textEditor); }); }),
      vscode.workspace.onDidChangeTextDocument(({ document }) => { this.each((panel) => { panel.edited(document); }); }),
      vscode.workspace.onDidSaveTextDocument((document) => {
        if (document.languageId === 'python') {
          this.each((panel) => void panel.reload());
        }
      }),
      vscode.workspace.onDidChangeConfiguration((change) => {
        if (change.affectsConfiguration('tilescope.profiles')) {
          void this.timeline.reload();
        }
      }),
      sessions.onDidChange((session) => {
        if (!this.followed.has(session)) {
          this.followed.add(session);
          session.onStatus((status) => { this.each((panel) => { panel.analysed(status); }); });
        }
      }),
    ];
  }

  /** The kernel file in view. */
  subject(): Subject | undefined {
    return currentSubject(this.lastEditor);
  }

  /** Show a panel for the named kernel, else for the one under the cursor. */
  async open(kind: PanelKind, of?: Partial<KernelPlace>): Promise<void> {
    const place = await this.placeOf(of);
    if (place !== undefined) {
      await this.all[kind].open(place);
    }
  }

  /** Take over a panel that a reload of the window left, if its page remembers a kernel. */
  async restore(kind: PanelKind, panel: vscode.WebviewPanel, state: unknown): Promise<void> {
    const place = rememberedPlace(state);
    if (place === undefined) {
      panel.dispose();
    } else {
      await this.all[kind].open(place, panel);
    }
  }

  async attachProfile(): Promise<void> {
    const place = await this.placeOf();
    if (place !== undefined) {
      await this.timeline.attach(place);
    }
  }

  stepPass(by: 1 | -1): void {
    this.passes.step(by);
  }

  /** A variant was chosen: what is shown is of another one. */
  reload(): void {
    this.each((panel) => void panel.reload());
  }

  /** The kernel named, under the cursor, or the only one; the user is asked where that does not tell. */
  async placeOf(of?: Partial<KernelPlace>): Promise<KernelPlace | undefined> {
    if (of?.uri !== undefined && of.kernel !== undefined) {
      return of as KernelPlace;
    }
    const subject = this.subject();
    if (subject === undefined || !isKernelDocument(subject.editor.document)) {
      void vscode.window.showInformationMessage('Open a Python file with TileLang kernels first.');
      return undefined;
    }
    const uri = subject.uri.toString();
    const session = this.sessions.need(subject.uri);
    try {
      return await kernelAt(session, uri, subject.line);
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      void vscode.window.showWarningMessage(why);
      return undefined;
    }
  }

  dispose(): void {
    this.subscriptions.forEach((one) => void one.dispose());
    Object.values(this.all).forEach((panel) => { panel.dispose(); });
  }

  private each(act: (panel: Controller) => void): void {
    Object.values(this.all)
      .filter((panel) => panel.isOpen)
      .forEach(act);
  }
}

async function kernelAt(session: Session, uri: string, line: number): Promise<KernelPlace | undefined> {
  const at = await namedByLine(session, uri, line);
  if (at !== undefined) {
    return at;
  }
  const { kernels } = await kernelsOf(session, uri);
  const places = [...new Map(kernels.map((one) => [one.qualname, one])).values()];
  if (places.length === 0) {
    throw new Error('There are no kernels in this file.');
  }
  const [only] = places;
  if (places.length === 1 && only !== undefined) {
    return { uri, kernel: only.qualname, line: only.line };
  }
  const items = places.map((one) => ({ label: one.qualname, description: `line ${one.line}`, one }));
  const chosen = await vscode.window.showQuickPick(items, { title: 'tilescope', placeHolder: 'Which kernel?' });
  return chosen && { uri, kernel: chosen.one.qualname, line: chosen.one.line };
}

async function namedByLine(session: Session, uri: string, line: number): Promise<KernelPlace | undefined> {
  try {
    const { of } = await session.ask('tilescope/variants', { uri, line });
    return { uri: of.uri, kernel: of.kernel, line: of.line };
  } catch {
    return undefined; // The line is in no kernel.
  }
}
