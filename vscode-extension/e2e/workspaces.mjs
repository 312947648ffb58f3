// Folders for the tests, each with the environment that has tilescope and TileLang.
import { chmodSync, cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const KERNELS = path.resolve(import.meta.dirname, '..', '..', 'cli', 'tilescope', 'kernels');

export class Workspaces {
  #made = [];

  constructor(venv) {
    this.venv = venv;
  }

  /** A folder with these files; `venv: false` leaves the environment out. */
  make(files, { venv = true, name = 'kernels' } = {}) {
    const parent = mkdtempSync(path.join(tmpdir(), 'tilescope-e2e-'));
    this.#made.push(parent);
    const folder = path.join(parent, name);
    mkdirSync(folder);
    if (venv) symlinkSync(this.venv, path.join(folder, '.venv'));
    for (const [file, text] of Object.entries(files)) {
      const to = path.join(folder, file);
      mkdirSync(path.dirname(to), { recursive: true });
      writeFileSync(to, text);
      if (text.startsWith('#!')) chmodSync(to, 0o755);
    }
    return folder;
  }

  /** A folder with bundled kernels. */
  kernels(...names) {
    const folder = this.make({});
    names.forEach((name) => cpSync(path.join(KERNELS, name), path.join(folder, name)));
    return folder;
  }

  /** Settings of a folder. */
  set(folder, settings) {
    mkdirSync(path.join(folder, '.vscode'), { recursive: true });
    writeFileSync(path.join(folder, '.vscode', 'settings.json'), JSON.stringify(settings));
  }

  remove() {
    this.#made.forEach((folder) => rmSync(folder, { recursive: true, force: true }));
  }
}

/** A kernel whose grid leaves tiles out: a finding with a sure fix. */
export const SWAPPED = `import tilelang
import tilelang.language as T


@tilelang.jit
def swapped(M=512, N=256, tile=64):
    @T.prim_func
    def main(A: T.Tensor((M, N), "float16"), C: T.Tensor((M, N), "float16")):
        with T.Kernel(T.ceildiv(M, tile), T.ceildiv(N, tile), threads=128) as (bx, by):
            s = T.alloc_shared((tile, tile), "float16")
            T.copy(A[by * tile, bx * tile], s)
            T.copy(s, C[by * tile, bx * tile])

    return main
`;
