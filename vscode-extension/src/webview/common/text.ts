/** Lines of code with some of their parts marked. */
import { h } from './dom';
import { parts } from './parts';
import { type Token, tokens } from './syntax';

/** A line as an element: syntax in colours, marked parts in `mark` elements. */
export function codeOf(text: string, marked: readonly (readonly [number, number])[] = []): HTMLElement {
  const line = h('code');
  const kinds = tokens(text);
  let offset = 0;
  for (const part of parts(text, marked)) {
    const inside = colored(part.text, offset, kinds);
    line.append(...(part.marked ? [h('mark', {}, ...inside)] : inside));
    offset += part.text.length;
  }
  return line;
}

function colored(text: string, offset: number, kinds: readonly Token[]): (Node | string)[] {
  const found: (Node | string)[] = [];
  let at = 0;
  for (const { start, end, kind } of kinds) {
    const from = Math.max(start - offset, at);
    const to = Math.min(end - offset, text.length);
    if (to > from) {
      found.push(text.slice(at, from), h('span', { class: `t-${kind}` }, text.slice(from, to)));
      at = to;
    }
  }
  found.push(text.slice(at));
  return found.filter((one) => one !== '');
}
