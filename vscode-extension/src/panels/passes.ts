/** The panel Passes: what each lowering pass changed, in step with the editor's cursor. */
import * as vscode from 'vscode';
import type { KernelPlace } from '../commands/table';
import type { Origin, ShownLine, SideRow } from '../protocol';
import { Controller } from './controller';
import type { FromPanel } from './messages';

/** How long the cursor rests before its line's history is asked for, in ms. */
const REST_MS = 250;

/** The pass that most people come for. */
const FIRST_LOOK = 'LayoutInference';

export class PassesPanel extends Controller {
  protected readonly kind = 'passes';
  protected readonly name = 'Passes';
  private passName: string | undefined;
  private rest: NodeJS.Timeout | undefined;

  step(by: 1 | -1): void {
    this.post({ type: 'step', by });
  }

  protected async load(place: KernelPlace, token: vscode.CancellationToken): Promise<void> {
    const of = { kernel: place.kernel ?? null, line: place.line ?? null };
    const passes = await this.ask('tilescope/passes', of, token);
    const [generated, language] = await this.ask('tilescope/generated', of, token).then(
      (answer): [ShownLine[], string | null] => [answer.lines, answer.language],
      // The compiler did not come so far; the list of passes says where it stopped.
      (): [ShownLine[], string | null] => [[], null],
    );
    if (token.isCancellationRequested) {
      return;
    }
    this.names.clear();
    this.note(generated);
    const changed = passes.passes.filter((one) => one.changed || one.status === 'failed');
    const selected =
      passes.passes.find((one) => one.name === this.passName) ??
      changed.find((one) => one.status === 'failed') ??
      changed.find((one) => one.name.endsWith(FIRST_LOOK)) ??
      changed[0] ??
      passes.passes[0];
    this.drop('diff');
    this.about(passes.of);
    this.post({ type: 'passes', passes, generated, language, selected: selected?.index ?? 0 });
  }

  protected async receive(message: FromPanel): Promise<void> {
    if (message.type === 'pass' && this.place !== undefined) {
      const diff = await this.ask('tilescope/diff', {
        kernel: this.place.kernel ?? null,
        line: this.place.line ?? null,
        pass: message.index,
        context: message.context,
        hide_renumbering: message.hideRenumbering,
      });
      this.passName = diff.pass.name;
      this.note(diff.rows.flatMap(({ before, after }: SideRow) => [before, after]));
      this.post({ type: 'diff', diff });
      this.cursor(vscode.window.activeTextEditor);
    }
  }

  protected override moved(files: string[], line: number): void {
    clearTimeout(this.rest);
    const [file] = files;
    if (file !== undefined) {
      this.rest = setTimeout(() => void this.touched(file, line), REST_MS);
    }
  }

  /** Mark the passes that changed what came of a line. */
  private async touched(file: string, line: number): Promise<void> {
    try {
      const kernel = this.place?.kernel ?? null;
      const { steps } = await this.ask('tilescope/history', { kernel, file, line });
      this.post({ type: 'touched', passes: steps.map((step) => step.pass.index) });
    } catch {
      // A line that nothing came of, such as a comment: nothing is marked.
      this.post({ type: 'touched', passes: [] });
    }
  }

  private note(lines: readonly ({ source: Origin[] } | null)[]): void {
    for (const line of lines) {
      line?.source.forEach(({ file }) => this.names.add(file));
    }
  }
}
