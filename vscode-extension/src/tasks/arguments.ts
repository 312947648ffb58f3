/** The command line of a lint task. */

/** Arguments for `tilescope`, given a task's definition; the form is the one that the problem matcher reads. */
export function lintArguments({ paths, args }: { paths?: string[]; args?: string[] }): string[] {
  return ['lint', '--output-format', 'concise', ...(args ?? []), '--', ...(paths ?? ['.'])];
}
