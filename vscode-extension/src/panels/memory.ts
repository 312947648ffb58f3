/** The panel Memory: bytes and registers of each buffer against what there is. */
import type * as vscode from 'vscode';
import type { KernelPlace } from '../commands/table';
import type { Status } from '../servers/status';
import { Controller } from './controller';
import type { FromPanel } from './messages';

export class MemoryPanel extends Controller {
  protected readonly kind = 'memory';
  protected readonly name = 'Memory';
  private record = false;

  override analysed(status: Status): void {
    if (status.uri === this.place?.uri && status.worker === 'idle' && !this.record) {
      void this.reload();
    }
  }

  protected async load(place: KernelPlace, token: vscode.CancellationToken): Promise<void> {
    const of = { kernel: place.kernel ?? null, line: place.line ?? null, record: this.record };
    const answer = await this.ask('tilescope/memory', of, token);
    this.about(answer.of);
    const { spaces, notes } = answer;
    this.post({ type: 'memory', spaces, notes, of: answer.of, recorded: answer.of.recording !== null });
  }

  protected async receive(message: FromPanel): Promise<void> {
    if (message.type === 'record') {
      this.record = true;
      await this.reload();
    }
  }
}
