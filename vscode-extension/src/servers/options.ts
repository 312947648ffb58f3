/** Settings as the server reads them. */

/** Settings of the extension, which the server does not know. */
const OWN = new Set(['path', 'profiles', 'trace.server']);

const PREFIX = 'tilescope.';

/** Names, without prefix, of the settings that the server reads, given all that the manifest lists. */
export function serverSettings(listed: Iterable<string>): string[] {
  return [...listed].map((name) => name.slice(PREFIX.length)).filter((name) => !OWN.has(name));
}

/**
 * What is sent as `initializationOptions` and after changes. An interpreter that no setting names is the one selected
 * in the Python extension. Without trust there is none at all.
 */
export function serverOptions(
  names: readonly string[],
  read: (name: string) => unknown,
  session: { trusted: boolean; selected: string | undefined },
): Record<string, unknown> {
  const options: Record<string, unknown> = {};
  for (const name of names) {
    const value = read(name);
    if (value !== undefined && value !== null && value !== '') {
      options[name] = value;
    }
  }
  if (!session.trusted) {
    delete options.interpreter;
  } else if (options.interpreter === undefined && session.selected !== undefined) {
    options.interpreter = session.selected;
  }
  options.trusted = session.trusted;
  return options;
}
