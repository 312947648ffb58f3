/** Where a `tilescope` command may be, in the order in which the places are tried. */
import * as path from 'node:path';

export type Origin = 'setting' | 'python extension' | 'interpreter setting' | 'virtual environment' | 'PATH' | 'own copy';

export interface Situation {
  platform: NodeJS.Platform;
  trusted: boolean;
  /** The folder that the server is for; undefined for a file outside every folder. */
  root: string | undefined;
  /** All folders of the workspace: nothing in them is started without trust. */
  folders: readonly string[];
  /** Setting `tilescope.path`. */
  command: string | undefined;
  /** Interpreter that the Python extension has selected. */
  selected: string | undefined;
  /** Setting `tilescope.interpreter`: a Python, or the folder of its environment. */
  interpreter: string | undefined;
  home: string;
  searchPath: string;
  /** Folder of the environment that this extension keeps for itself. */
  own: string;
}

export interface Candidate {
  command: string;
  origin: Origin;
  /** What the user named: where it fails nothing else is tried in its place. */
  named: boolean;
}

/** Virtual environments looked for in the folder. */
const ENVIRONMENTS = ['.venv', 'venv'];

/**
 * Candidates, best first; whether they exist is not looked at. Untrusted, those inside the workspace are left out:
 * starting one would execute the workspace's code.
 */
export function candidates(situation: Situation): Candidate[] {
  const { platform, root } = situation;
  const windows = platform === 'win32';
  const paths = windows ? path.win32 : path.posix;
  const found: Candidate[] = [];
  const add = (origin: Origin, commands: readonly string[], named = false): void => {
    found.push(...commands.map((command) => ({ command, origin, named })));
  };
  if (situation.command !== undefined) {
    const expanded = expand(situation.command, situation, paths);
    add('setting', paths.isAbsolute(expanded) ? [expanded] : onPath(expanded, situation, paths), true);
  }
  if (situation.selected !== undefined) {
    add('python extension', scriptsOf(situation.selected, windows, paths));
  }
  if (situation.interpreter !== undefined) {
    add('interpreter setting', scriptsOf(expand(situation.interpreter, situation, paths), windows, paths));
  }
  if (root !== undefined) {
    add('virtual environment', ENVIRONMENTS.flatMap((name) => scriptsOf(paths.join(root, name), windows, paths)));
  }
  add('PATH', onPath('tilescope', situation, paths));
  add('own copy', scriptsOf(situation.own, windows, paths));
  const seen = new Set<string>();
  return found.filter(({ command }) => {
    const allowed = situation.trusted || !situation.folders.some((folder) => isInside(command, folder, paths));
    const again = seen.has(command);
    seen.add(command);
    return allowed && !again;
  });
}

/** Is `file` the folder or in it? */
export function isInside(file: string, folder: string, paths: path.PlatformPath = path): boolean {
  const way = paths.relative(folder, file);
  return way === '' || (way !== '..' && !way.startsWith(`..${paths.sep}`) && !paths.isAbsolute(way));
}

/** `~`, `${workspaceFolder}` and `${env:NAME}` as settings have them; relative paths are those of the folder. */
function expand(text: string, { home, root }: Situation, paths: path.PlatformPath): string {
  const expanded = text
    .trim()
    .replace(/^~(?=$|[\\/])/, () => home)
    .replace(/\$\{workspaceFolder\}/g, () => root ?? '')
    .replace(/\$\{env:(\w+)\}/g, (_, name: string) => process.env[name] ?? '');
  const bare = !/[\\/]/.test(expanded);
  return bare || paths.isAbsolute(expanded) || root === undefined ? expanded : paths.join(root, expanded);
}

/** The `tilescope` scripts that belong to a Python or to the folder of an environment. */
function scriptsOf(python: string, windows: boolean, paths: path.PlatformPath): string[] {
  const isInterpreter = /^(python|pypy)[\d.]*(\.exe)?$/i.test(paths.basename(python));
  if (windows) {
    const folders = isInterpreter
      ? [paths.dirname(python), paths.join(paths.dirname(python), 'Scripts')]
      : [paths.join(python, 'Scripts')];
    return folders.map((folder) => paths.join(folder, 'tilescope.exe'));
  }
  return [paths.join(isInterpreter ? paths.dirname(python) : paths.join(python, 'bin'), 'tilescope')];
}

function onPath(name: string, { platform, searchPath }: Situation, paths: path.PlatformPath): string[] {
  const file = platform === 'win32' && !/\.\w+$/.test(name) ? `${name}.exe` : name;
  // A relative entry would mean the working folder, whoever wrote what is in there.
  return searchPath
    .split(paths.delimiter)
    .filter((folder) => paths.isAbsolute(folder))
    .map((folder) => paths.join(folder, file));
}
