/** Lets the user choose the specialization or target that a kernel is shown for. */
import * as vscode from 'vscode';
import type { Panels } from '../panels/panels';
import { labelOf } from '../panels/compare';
import type { Methods } from '../protocol';
import type { Session } from '../servers/session';
import type { Sessions } from '../servers/sessions';
import { parseArguments } from './arguments';
import type { KernelPlace } from './table';

type Variants = Methods['tilescope/variants']['answer'];

interface Item extends vscode.QuickPickItem {
  act?: () => Promise<unknown>;
}

export async function switchSpecialization(sessions: Sessions, panels: Panels, of?: KernelPlace): Promise<void> {
  await choose(sessions, panels, of, 'Specialization', (session, place, variants) => {
    const take = (args: Record<string, string> | null): Promise<unknown> =>
      perform(session, 'tilescope.chooseSpecialization', { ...place, arguments: args });
    const items = variants.specializations.map((one): Item => {
      const [label = '', detail] = labelOf(one).split(/ (?=\([^(]*\)$)/);
      return {
        label: `${one.current ? '$(check)' : '$(blank)'} ${label}`,
        description: (detail ?? '').slice(1, -1),
        ...(!one.current && { act: () => take(one.arguments) }),
      };
    });
    const current = variants.specializations.find((one) => one.current);
    return [
      ...items,
      separator(),
      { label: '$(edit) Enter values…', act: () => enter(current?.arguments ?? {}, take) },
      ...(variants.chosen ? [{ label: '$(discard) As the file says', act: () => take(null) }] : []),
    ];
  });
}

export async function switchTarget(sessions: Sessions, panels: Panels, of?: KernelPlace): Promise<void> {
  await choose(sessions, panels, of, 'Target', (session, place, variants) => {
    const take = (target: string | null): Promise<unknown> =>
      perform(session, 'tilescope.chooseTarget', { ...place, target });
    const items = variants.targets.map(({ name, architecture, origin, current }): Item => ({
      label: `${current ? '$(check)' : '$(blank)'} ${name}`,
      description: [architecture, origin].filter((one) => one !== null).join(', '),
      ...(!current && { act: () => take(name) }),
    }));
    return [
      ...items,
      separator(),
      { label: '$(edit) Enter another target…', act: () => enterTarget(take) },
      ...(variants.chosen ? [{ label: '$(discard) As the file says', act: () => take(null) }] : []),
    ];
  });
}

async function choose(
  sessions: Sessions,
  panels: Panels,
  of: KernelPlace | undefined,
  what: string,
  itemsOf: (session: Session, place: KernelPlace, variants: Variants) => Item[],
): Promise<void> {
  const place = await panels.placeOf(of);
  if (place === undefined) {
    return;
  }
  const session = sessions.need(vscode.Uri.parse(place.uri));
  try {
    const variants = await session.ask('tilescope/variants', place);
    const items = itemsOf(session, place, variants);
    const chosen = await vscode.window.showQuickPick(items, {
      title: `${what} of ${variants.of.kernel}`,
      placeHolder: 'What hints and panels are shown for, until this window is closed',
      matchOnDescription: true,
    });
    if (chosen?.act !== undefined) {
      await chosen.act();
      panels.reload();
    }
  } catch (error) {
    void vscode.window.showWarningMessage(error instanceof Error ? error.message : String(error));
  }
}

/** A command of the server; rejects with its message where it cannot. */
async function perform(session: Session, command: string, argument: unknown): Promise<void> {
  const answer = await session.request<{ message?: string } | null>('workspace/executeCommand', {
    command,
    arguments: [argument],
  });
  if (answer?.message !== undefined) {
    throw new Error(answer.message);
  }
}

async function enter(
  current: Record<string, string>,
  take: (args: Record<string, string>) => Promise<unknown>,
): Promise<void> {
  const text = await vscode.window.showInputBox({
    title: 'Values of the parameters',
    prompt: 'NAME=VALUE, separated by blanks: Python literals or names of data types',
    value: Object.entries(current)
      .map(([name, value]) => `${name}=${value}`)
      .join(' '),
    validateInput: (value) => (parseArguments(value) === undefined ? 'Write each one as NAME=VALUE.' : undefined),
  });
  const args = text === undefined ? undefined : parseArguments(text);
  if (args !== undefined) {
    await take(args);
  }
}

async function enterTarget(take: (target: string) => Promise<unknown>): Promise<void> {
  const target = await vscode.window.showInputBox({ title: 'Target', placeHolder: 'cuda:sm_90a, hip:gfx942, ascend …' });
  if (target !== undefined && target.trim() !== '') {
    await take(target.trim());
  }
}

function separator(): Item {
  return { label: '', kind: vscode.QuickPickItemKind.Separator };
}
