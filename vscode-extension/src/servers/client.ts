/** The language client of one server process. */
import * as vscode from 'vscode';
import {
  CloseAction,
  type DynamicFeature,
  ErrorAction,
  LanguageClient,
  type LanguageClientOptions,
  type StaticFeature,
} from 'vscode-languageclient/node';
import type { ServerProcess } from './process';
import type { Root } from './roots';

export interface Channels {
  output: vscode.LogOutputChannel;
  trace: vscode.LogOutputChannel;
}

/** Leaves to us the server's commands, which two servers would both register, and what is said of broken connections. */
class Client extends LanguageClient {
  override error(message: string, data?: unknown): void {
    super.error(message, data, false);
  }

  override registerFeature(feature: StaticFeature | DynamicFeature<never>): void {
    if ('registrationType' in feature && feature.registrationType.method === 'workspace/executeCommand') {
      return;
    }
    super.registerFeature(feature);
  }
}

/**
 * A client that talks to `server`. `isOurs` says which documents belong to it, `options` are the current settings.
 */
export function makeClient(
  root: Root,
  server: () => ServerProcess,
  channels: Channels,
  isOurs: (uri: vscode.Uri) => boolean,
  options: () => Record<string, unknown>,
): LanguageClient {
  const pattern = { baseUri: vscode.Uri.file(root.folder).toString(), pattern: '**/*' };
  const never = Promise.resolve();
  const clientOptions: LanguageClientOptions = {
    documentSelector: [
      { language: 'python', scheme: 'file', pattern },
      { language: 'python', scheme: 'vscode-notebook-cell', pattern },
      { language: 'python', scheme: 'untitled' },
    ],
    workspaceFolder: { uri: vscode.Uri.file(root.folder), name: root.name, index: 0 },
    initializationOptions: options,
    outputChannel: channels.output,
    traceOutputChannel: channels.trace,
    markdown: { isTrusted: { enabledCommands: ['tilescope.perform'] }, supportHtml: false },
    // The session restarts it, which knows why it ended.
    errorHandler: {
      error: () => ({ action: ErrorAction.Continue, handled: true }),
      closed: () => ({ action: CloseAction.DoNotRestart, handled: true }),
    },
    initializationFailedHandler: () => false,
    middleware: {
      didOpen: (document, next) => (isOurs(document.uri) ? next(document) : never),
      didChange: (event, next) => (isOurs(event.document.uri) ? next(event) : never),
      didSave: (document, next) => (isOurs(document.uri) ? next(document) : never),
      didClose: (document, next) => (isOurs(document.uri) ? next(document) : never),
      notebooks: {
        didOpen: (notebook, cells, next) => (isOurs(notebook.uri) ? next(notebook, cells) : never),
        didChange: (event, next) => (isOurs(event.notebook.uri) ? next(event) : never),
        didSave: (notebook, next) => (isOurs(notebook.uri) ? next(notebook) : never),
        didClose: (notebook, cells, next) => (isOurs(notebook.uri) ? next(notebook, cells) : never),
      },
      workspace: {
        // The session tells of changes, and of the server's own settings only.
        didChangeConfiguration: () => never,
        configuration: ({ items }) => items.map(({ section }) => (section === 'tilescope' ? options() : null)),
      },
    },
  };
  return new Client('tilescope', 'tilescope', () => Promise.resolve(server().child), clientOptions);
}
