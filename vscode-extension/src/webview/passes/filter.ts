/** Which passes are listed. */
import type { PassEntry } from '../../protocol';

export interface Filter {
  text: string;
  changedOnly: boolean;
}

/** Passes that are listed: by name or by what they did. A failed one is never hidden by `changedOnly`. */
export function listed(passes: readonly PassEntry[], { text, changedOnly }: Filter): PassEntry[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  return passes.filter(({ name, summary, phase, changed, status }) => {
    const told = `${name} ${summary} ${phase ?? ''}`.toLowerCase();
    return (!changedOnly || changed || status === 'failed') && words.every((word) => told.includes(word));
  });
}
