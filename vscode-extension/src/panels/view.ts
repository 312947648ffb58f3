/** A webview panel with typed, checked messages: a new one, or one that a reload of the window left empty. */
import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';
import { pageOf } from './html';
import { type FromPanel, type PanelKind, type ToPanel, readMessage } from './messages';

export class View implements vscode.Disposable {
  private readonly panel: vscode.WebviewPanel;
  private isReady = false;

  /** `ready` is called whenever the page has (again) been loaded and knows nothing. */
  constructor(
    context: vscode.ExtensionContext,
    kind: PanelKind,
    title: string,
    private readonly handlers: {
      ready: () => void;
      message: (message: FromPanel) => void;
      closed: () => void;
    },
    restored?: vscode.WebviewPanel,
  ) {
    const media = vscode.Uri.joinPath(context.extensionUri, 'media', 'panels');
    const scripts = vscode.Uri.joinPath(context.extensionUri, 'dist', 'webview');
    const options = { enableScripts: true, localResourceRoots: [media, scripts] };
    this.panel =
      restored ??
      vscode.window.createWebviewPanel(
        `tilescope.${kind}`,
        title,
        { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true },
        { ...options, enableFindWidget: true },
      );
    const { webview } = this.panel;
    webview.options = options;
    const resource = (folder: vscode.Uri, name: string): string =>
      webview.asWebviewUri(vscode.Uri.joinPath(folder, name)).toString();
    webview.onDidReceiveMessage((value: unknown) => { this.receive(value); });
    this.panel.onDidDispose(this.handlers.closed);
    this.panel.onDidChangeViewState(() => {
      if (!this.panel.visible) {
        this.isReady = false; // Its page is gone until it is shown again.
      }
    });
    webview.html = pageOf({
      title,
      nonce: randomBytes(16).toString('base64'),
      source: webview.cspSource,
      script: resource(scripts, `${kind}.js`),
      styles: [resource(media, 'base.css'), resource(media, `${kind}.css`)],
    });
  }

  set title(title: string) {
    this.panel.title = title;
  }

  get visible(): boolean {
    return this.panel.visible;
  }

  reveal(): void {
    this.panel.reveal(undefined, true);
  }

  /** A page that is not loaded gets nothing: `ready` tells when it has to be told everything. */
  post(message: ToPanel): void {
    if (this.isReady) {
      void this.panel.webview.postMessage(message);
    }
  }

  dispose(): void {
    this.panel.dispose();
  }

  private receive(value: unknown): void {
    const message = readMessage(value);
    if (message?.type === 'ready') {
      this.isReady = true;
      this.handlers.ready();
    } else if (message !== undefined) {
      this.handlers.message(message);
    }
  }
}
