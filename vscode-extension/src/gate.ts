/** Whether a text is worth starting a server for. */

const IMPORT = /^[ \t]*(?:from|import)[ \t][^#\n]*\btilelang\b/m;

/** Does Python text import tilelang, anywhere? The one question asked of every Python file. */
export function importsTilelang(text: string): boolean {
  return text.includes('tilelang') && IMPORT.test(text);
}
