/** Files as origins name them: relative to the folder that the server is for, or to the kernel's own folder. */
import * as path from 'node:path';

export type Exists = (file: string) => boolean;

/** The file that an origin means; undefined where there is none such. */
export function resolveOrigin(name: string, document: string, root: string, exists: Exists): string | undefined {
  const places = path.isAbsolute(name) ? [name] : [path.join(root, name), path.join(path.dirname(document), name)];
  // The document itself may never have been saved.
  return places.find((place) => place === document || exists(place));
}

/** Which of these names mean `file`. */
export function namesOf(
  file: string,
  names: Iterable<string>,
  document: string,
  root: string,
  exists: Exists,
): string[] {
  return [...names].filter((name) => resolveOrigin(name, document, root, exists) === file);
}
