/** Which folder's server a document belongs to: each folder of a workspace has one of its own. */
import * as path from 'node:path';
import { isInside } from '../discovery/candidates';

export interface Root {
  folder: string;
  name: string;
  /** Whether the folder is one of the workspace's, not just the one that a loose file lies in. */
  ofWorkspace: boolean;
}

/** The outermost folder that the file is in: nested ones would have two servers see the same files. */
export function rootOf(file: string, folders: readonly { folder: string; name: string }[]): Root {
  const around = folders
    .filter(({ folder }) => isInside(file, folder))
    .sort((one, other) => one.folder.length - other.folder.length);
  const [outermost] = around;
  if (outermost !== undefined) {
    return { ...outermost, ofWorkspace: true };
  }
  const folder = path.dirname(file);
  return { folder, name: path.basename(folder) || folder, ofWorkspace: false };
}
