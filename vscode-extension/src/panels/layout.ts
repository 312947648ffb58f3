/** The panel Layout: where a buffer's elements lie, and who holds them. */
import type * as vscode from 'vscode';
import type { KernelPlace } from '../commands/table';
import type { Buffer } from '../protocol';
import type { Status } from '../servers/status';
import { Controller } from './controller';
import { kernelsOf } from './facts';
import type { BufferChoice, FromPanel } from './messages';

export class LayoutPanel extends Controller {
  protected readonly kind = 'layout';
  protected readonly name = 'Layout';
  private buffers: Buffer[] = [];
  private chosen: string | undefined;
  private waits = false;

  override analysed(status: Status): void {
    if (status.uri === this.place?.uri && status.worker === 'idle' && this.waits) {
      void this.reload();
    }
  }

  protected async load(place: KernelPlace, token: vscode.CancellationToken): Promise<void> {
    const { kernels, complete } = await kernelsOf(this.session(), place.uri, token);
    const kernel = kernels.find(({ qualname }) => place.kernel === undefined || qualname === place.kernel);
    this.buffers = (kernel?.buffers ?? []).filter((buffer) => buffer.layout != null);
    this.waits = !complete;
    if (kernel === undefined || this.buffers.length === 0) {
      if (!complete) {
        this.post({ type: 'busy', text: 'Compiling' });
        return;
      }
      throw new Error(`No layout is known of ${kernel?.qualname ?? 'any kernel here'}: the compiler did not infer one.`);
    }
    const near = this.buffers.findIndex(({ line }) => line !== null && line === place.line);
    const same = this.buffers.findIndex(({ name }) => name === this.chosen);
    const selected = Math.max(near >= 0 ? near : same, 0);
    this.names.clear();
    this.post({
      type: 'buffers',
      about: `${kernel.qualname} for ${kernel.target}`,
      buffers: this.buffers.map(choiceOf),
      selected,
    });
  }

  protected async receive(message: FromPanel): Promise<void> {
    const buffer = message.type === 'buffer' ? this.buffers[message.index] : undefined;
    if (message.type !== 'buffer' || buffer === undefined) {
      return;
    }
    this.chosen = buffer.name;
    const { cells: _, text: __, ...layout } = await this.ask('tilescope/layout', {
      kernel: this.place?.kernel ?? null,
      buffer: buffer.name,
      buffer_line: buffer.line,
      rows: message.rows,
      columns: message.columns,
      index: message.leading,
    });
    this.about(layout.of);
    this.post({ type: 'layout', layout });
  }
}

function choiceOf({ name, line, scope, dtype, shape, layout }: Buffer): BufferChoice {
  const by = layout?.decided_by;
  const where = by?.line == null ? '' : ` at line ${by.line}`;
  const decided = by ? `Decided by ${by.pass}${where}: ${by.reason}` : null;
  return { name, line, scope, dtype, shape, summary: layout?.summary ?? null, decided };
}
