/** The status bar item, shown beside kernels. */
import * as vscode from 'vscode';
import type { Sessions } from '../servers/sessions';
import { isKernelDocument, subjectOf } from '../subject';
import { shown } from './model';

export class StatusItem implements vscode.Disposable {
  private readonly item = vscode.window.createStatusBarItem('tilescope.status', vscode.StatusBarAlignment.Right, 90);
  private readonly subscriptions: { dispose(): unknown }[];

  constructor(private readonly sessions: Sessions) {
    this.item.name = 'tilescope';
    this.item.command = 'tilescope.actions';
    this.subscriptions = [
      this.item,
      sessions.onDidChange(() => { this.update(); }),
      vscode.window.onDidChangeActiveTextEditor(() => { this.update(); }),
    ];
    this.update();
  }

  dispose(): void {
    this.subscriptions.forEach((one) => void one.dispose());
  }

  private update(): void {
    const editor = vscode.window.activeTextEditor;
    const kernel = editor !== undefined && isKernelDocument(editor.document);
    void vscode.commands.executeCommand('setContext', 'tilescope.kernelOpen', kernel);
    void vscode.commands.executeCommand(
      'setContext',
      'tilescope.running',
      this.sessions.list.some(({ current }) => current.kind === 'running'),
    );
    if (editor !== undefined && !kernel) {
      this.item.hide();
      return;
    }
    if (editor === undefined) {
      return; // A panel or nothing is active: what was said last still holds.
    }
    const session = this.sessions.of(editor.document.uri);
    const status = session?.statusOf(subjectOf(editor).whole.toString());
    const { text, details, severity } = shown(session?.current, status);
    this.item.text = text;
    this.item.tooltip = new vscode.MarkdownString(details.join('\n\n'), true);
    this.item.backgroundColor =
      severity === 'none' ? undefined : new vscode.ThemeColor(`statusBarItem.${severity}Background`);
    this.item.accessibilityInformation = { label: `tilescope ${details.join(' ')}`, role: 'button' };
    this.item.show();
  }
}
