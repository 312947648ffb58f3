/** Colours for printed IR (which reads like Python) and for generated source (CUDA C++ and its like). */

export interface Token {
  start: number;
  end: number;
  kind: 'comment' | 'string' | 'number' | 'keyword' | 'name';
}

const TOKEN =
  /(?<comment>#(?!include|define|undef|if|else|endif|ifdef|ifndef|pragma).*$|\/\/.*$|\/\*.*?\*\/)|(?<string>"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*')|(?<number>\b(?:0x[\da-fA-F]+|\d+(?:\.\d+)?(?:e[+-]?\d+)?)[uUlLfF]*\b)|(?<keyword>\b(?:def|with|for|in|if|else|elif|while|return|and|or|not|True|False|None|as|class|import|from|void|int|float|half_t|bool|char|const|extern|struct|auto|using|template|static|__global__|__shared__|__device__|__restrict__|__syncthreads|uint|half|unsigned|long|short|double)\b|#\w+)|(?<name>\b(?:T|tl|tilelang)(?:\.|::)[\w.:]+)/g;

export function tokens(text: string): Token[] {
  return [...text.matchAll(TOKEN)].map((match) => {
    const [kind = 'name'] = Object.entries<string | undefined>(match.groups ?? {}).find(([, value]) => value !== undefined) ?? [];
    return { start: match.index, end: match.index + match[0].length, kind: kind as Token['kind'] };
  });
}
