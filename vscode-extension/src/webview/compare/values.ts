/** Values of facts in words. */

/** JSON as a person would write it; what is not known is said. */
export function textOf(value: unknown): string {
  if (value === null || value === undefined) {
    return 'none';
  }
  if (typeof value === 'string') {
    return value === '' ? 'none' : value;
  }
  if (typeof value === 'number' || typeof value === 'boolean') {
    return String(value);
  }
  if (Array.isArray(value)) {
    return value.length === 0 ? 'none' : value.map(textOf).join(', ');
  }
  const entries = Object.entries(value as Record<string, unknown>);
  return entries.length === 0 ? 'none' : entries.map(([name, one]) => `${name}: ${textOf(one)}`).join(', ');
}
