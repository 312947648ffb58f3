/** What runs once a kernel is there: servers, status, commands, panels, tasks; put together here. */
import * as path from 'node:path';
import * as vscode from 'vscode';
import { commandTable } from './commands/table';
import { guide } from './discovery/guidance';
import { offerInstall } from './discovery/install';
import { selectedPython } from './discovery/python';
import { findServer, minimumServer } from './discovery/situation';
import type { PanelKind } from './panels/messages';
import { Panels } from './panels/panels';
import { serverOptions, serverSettings } from './servers/options';
import type { Session } from './servers/session';
import { Sessions } from './servers/sessions';
import { StatusItem } from './status/item';
import { lintTasks, resolveLintTask } from './tasks/lint';

export interface Main {
  perform: (command: string, args: unknown[]) => unknown;
  tasks: () => Promise<vscode.Task[]>;
  resolveTask: (task: vscode.Task) => Promise<vscode.Task | undefined>;
  restore: (kind: PanelKind, panel: vscode.WebviewPanel, state: unknown) => Promise<void>;
  stop: () => Promise<void>;
}

export async function start(context: vscode.ExtensionContext): Promise<Main> {
  const { extension } = context;
  const channels = {
    output: vscode.window.createOutputChannel('tilescope', { log: true }),
    trace: vscode.window.createOutputChannel('tilescope: protocol', { log: true }),
  };
  const python = await selectedPython((line) => { channels.output.warn(line); });
  const own = {
    environment: path.join(context.globalStorageUri.fsPath, 'server'),
    wheels: context.asAbsolutePath('wheels'),
    minimum: minimumServer(extension),
  };
  const names = serverSettings(Object.keys(settingsOf(extension)));
  const sessions = new Sessions({
    channels,
    find: (root) => findServer(root, python, own.environment, extension),
    options: (root) => {
      const folder = vscode.Uri.file(root.folder);
      const settings = vscode.workspace.getConfiguration('tilescope', folder);
      const selected = python.of(root.ofWorkspace ? folder : undefined);
      return serverOptions(names, (name) => settings.get(name), { trusted: vscode.workspace.isTrusted, selected });
    },
  });
  const restartAll = async (why: string): Promise<void> => {
    await Promise.all(sessions.list.map((session) => session.restart(why)));
  };
  const install = (): Promise<void> => offerInstall(own, python, restartAll);
  const panels = new Panels(context, sessions);
  const table = commandTable({ context, sessions, panels, channels, install, restartAll });
  const told = new WeakMap<Session, string>();

  context.subscriptions.push(
    channels.output,
    channels.trace,
    sessions,
    panels,
    new StatusItem(sessions),
    python.onDidChange(() => void restartAll('another Python environment was selected')),
    vscode.workspace.onDidGrantWorkspaceTrust(() => { sessions.list.forEach((session) => void session.trust()); }),
    vscode.workspace.onDidChangeConfiguration((event) => {
      for (const session of sessions.list) {
        const folder = vscode.Uri.file(session.root.folder);
        if (event.affectsConfiguration('tilescope.path', folder) || event.affectsConfiguration('tilescope.interpreter', folder)) {
          void session.restart('its setting has changed');
        } else if (event.affectsConfiguration('tilescope', folder)) {
          void session.configure();
        }
      }
    }),
    sessions.onDidChange((session) => {
      // Once for each state: a user who closed the message knows.
      const { kind } = session.current;
      if (kind !== told.get(session) && kind !== 'starting' && kind !== 'stopped') {
        told.set(session, kind);
        const retry = (): Promise<void> => session.restart('asked for');
        void guide(session.current, session.root.name, { install, retry });
      }
    }),
    ...environmentWatchers(sessions),
  );
  await vscode.commands.executeCommand('setContext', 'tilescope.active', true);
  return {
    perform: (command, args) => table[command]?.(...(args as never[])),
    tasks: () => lintTasks(sessions),
    resolveTask: (task) => resolveLintTask(task, sessions),
    restore: (kind, panel, state) => panels.restore(kind, panel, state),
    stop: () => sessions.stop(),
  };
}

/** A server that appears in a folder's environment is taken where there was none. */
function environmentWatchers(sessions: Sessions): vscode.Disposable[] {
  const watcher = vscode.workspace.createFileSystemWatcher('**/{.venv,venv}/{bin/tilescope,Scripts/tilescope.exe}');
  const look = (uri: vscode.Uri): void => {
    const session = sessions.of(uri);
    if (session?.current.kind === 'missing') {
      void session.restart(`${uri.fsPath} has appeared`);
    }
  };
  return [watcher, watcher.onDidCreate(look), watcher.onDidChange(look)];
}

function settingsOf(extension: vscode.Extension<unknown>): Record<string, unknown> {
  const { contributes } = extension.packageJSON as {
    contributes: { configuration: { properties: Record<string, unknown> } };
  };
  return contributes.configuration.properties;
}
