/** What a click on the status bar item offers. */
import * as vscode from 'vscode';
import type { Sessions } from '../servers/sessions';

interface Action extends vscode.QuickPickItem {
  command?: string;
}

export async function chooseAction(sessions: Sessions): Promise<void> {
  const uri = vscode.window.activeTextEditor?.document.uri;
  const kind = uri && sessions.of(uri)?.current.kind;
  const separator = (label: string): Action => ({ label, kind: vscode.QuickPickItemKind.Separator });
  const trust: Action = { label: '$(shield) Manage workspace trust', command: 'workbench.trust.manage' };
  const panels: Action[] = [
    { label: '$(layers) Show passes', command: 'tilescope.showPasses' },
    { label: '$(table) Show layouts', command: 'tilescope.showLayouts' },
    { label: '$(dashboard) Show memory', command: 'tilescope.showMemory' },
    { label: '$(diff) Compare specializations or targets', command: 'tilescope.compare' },
    { label: '$(graph-line) Show timeline', command: 'tilescope.showTimeline' },
    { label: '$(terminal) Open in terminal browser', command: 'tilescope.openInTerminalBrowser' },
    separator('kernel'),
    { label: '$(list-selection) Switch specialization', command: 'tilescope.switchSpecialization' },
    { label: '$(circuit-board) Switch target', command: 'tilescope.switchTarget' },
    { label: '$(checklist) Lint file', command: 'tilescope.lintFile' },
  ];
  const server: Action[] = [
    separator('server'),
    { label: '$(snake) Select interpreter with TileLang', command: 'tilescope.selectInterpreter' },
    { label: '$(refresh) Restart server', command: 'tilescope.restart' },
    { label: '$(output) Show output', command: 'tilescope.showOutput' },
    { label: '$(cloud-download) Install or update server', command: 'tilescope.install' },
    { label: '$(gear) Open settings', command: 'tilescope.openSettings' },
    { label: '$(book) Open walkthrough', command: 'tilescope.openWalkthrough' },
  ];
  const items = [
    ...(vscode.workspace.isTrusted ? [] : [trust]),
    ...(kind === 'running' ? panels : []),
    ...server,
  ];
  const chosen = await vscode.window.showQuickPick(items, { title: 'tilescope', placeHolder: 'What to do' });
  if (chosen?.command !== undefined) {
    await vscode.commands.executeCommand(chosen.command);
  }
}
