/** The panel Timeline: profiles beside the kernel they are of. */
import * as path from 'node:path';
import * as vscode from 'vscode';
import type { KernelPlace } from '../commands/table';
import { Controller } from './controller';

export class TimelinePanel extends Controller {
  protected readonly kind = 'timeline';
  protected readonly name = 'Timeline';

  /** Lets the user choose files or folders of profiles, and keeps them in the settings of the folder. */
  async attach(place: KernelPlace): Promise<void> {
    const folder = vscode.workspace.getWorkspaceFolder(vscode.Uri.parse(place.uri));
    const chosen = await vscode.window.showOpenDialog({
      title: 'Profiles to show',
      canSelectMany: true,
      canSelectFolders: false,
      canSelectFiles: true,
      ...(folder && { defaultUri: folder.uri }),
    });
    if (chosen === undefined || chosen.length === 0) {
      return;
    }
    const names = chosen.map(({ fsPath }) => {
      const relative = folder && path.relative(folder.uri.fsPath, fsPath);
      return relative === undefined || relative.startsWith('..') ? fsPath : relative;
    });
    const target = folder ? vscode.ConfigurationTarget.WorkspaceFolder : vscode.ConfigurationTarget.Global;
    await vscode.workspace.getConfiguration('tilescope', folder).update('profiles', names, target);
    await this.open(place);
  }

  protected async load(place: KernelPlace, token: vscode.CancellationToken): Promise<void> {
    const uri = vscode.Uri.parse(place.uri);
    const { folder } = this.session().root;
    const named = vscode.workspace.getConfiguration('tilescope', uri).get<string[]>('profiles') ?? [];
    if (named.length === 0) {
      this.drop('timeline');
      throw new Error('No profile is attached.');
    }
    const profiles = named.map((name) => path.resolve(folder, name));
    const of = { kernel: place.kernel ?? null, line: place.line ?? null };
    const timeline = await this.ask('tilescope/timeline', { ...of, profiles }, token);
    this.names.clear();
    timeline.files.forEach(({ samples }) => { samples.forEach(({ file }) => this.names.add(file)); });
    if (timeline.of !== null) {
      this.about(timeline.of);
    }
    this.post({ type: 'timeline', timeline });
  }

  protected receive(): void {
    // Nothing but what all panels understand.
  }

  /** Whatever is wrong with a profile, another one may be right. */
  protected override fail(error: unknown): void {
    this.drop('busy');
    const text = error instanceof Error ? error.message : String(error);
    this.post({ type: 'problem', text, actions: [{ label: 'Attach a profile', command: 'tilescope.attachProfile' }] });
  }
}
