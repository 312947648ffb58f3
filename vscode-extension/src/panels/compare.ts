/** The panel Compare: two specializations or targets of a kernel. */
import type * as vscode from 'vscode';
import type { KernelPlace } from '../commands/table';
import type { KnownSpecialization } from '../protocol';
import { Controller } from './controller';
import type { FromPanel, VariantChoice } from './messages';

export class ComparePanel extends Controller {
  protected readonly kind = 'compare';
  protected readonly name = 'Compare';
  private specializations: KnownSpecialization[] = [];

  protected async load(place: KernelPlace, token: vscode.CancellationToken): Promise<void> {
    const of = { kernel: place.kernel ?? null, line: place.line ?? null };
    const variants = await this.ask('tilescope/variants', of, token);
    this.specializations = variants.specializations;
    const current = variants.specializations.find((one) => one.current) ?? variants.specializations[0];
    const other = variants.specializations.find((one) => !one.current);
    const target = variants.targets.find((one) => one.current)?.name ?? null;
    const otherTarget = variants.targets.find((one) => !one.current)?.name ?? null;
    const a = { specialization: current?.id ?? null, target };
    this.names.clear();
    this.about(variants.of);
    this.drop('compare');
    this.post({
      type: 'variants',
      kernel: variants.of.kernel,
      specializations: variants.specializations.map((one) => ({ value: one.id, label: labelOf(one) })),
      targets: variants.targets.map(({ name, architecture }) => ({
        value: name,
        label: architecture === null ? name : `${name} (${architecture})`,
      })),
      a,
      // Another specialization where there is one: that is what people have two of.
      b: other ? { specialization: other.id, target } : { specialization: a.specialization, target: otherTarget },
    });
  }

  protected async receive(message: FromPanel): Promise<void> {
    if (message.type === 'compare' && this.place !== undefined) {
      this.post({ type: 'busy', text: 'Recording both' });
      const { kernel, line } = this.place;
      const comparison = await this.ask('tilescope/compare', {
        kernel: kernel ?? null,
        line: line ?? null,
        a: this.variant(message.a),
        b: this.variant(message.b),
      });
      this.drop('busy');
      this.post({ type: 'compare', comparison });
    }
  }

  /** By its arguments: an id alone is known only where the file itself names the specialization. */
  private variant({ specialization, target }: VariantChoice): { target: string | null; arguments: Record<string, string> } {
    return { target, arguments: this.specializations.find(({ id }) => id === specialization)?.arguments ?? {} };
  }
}

/** The arguments in a line, those first that a person would look for. */
export function labelOf({ arguments: values, origin, file, line }: KnownSpecialization): string {
  const told = Object.entries(values).map(([name, value]) => `${name}=${value}`);
  const where = file !== null && line !== null ? `, ${file.split(/[\\/]/).pop() ?? file}:${line}` : '';
  return `${told.join(' ') || 'no arguments'} (${origin ?? 'unknown'}${where})`;
}
