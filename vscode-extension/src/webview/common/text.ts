/** Lines of code with some of their parts marked. */
import { h } from './dom';
import { type Token, tokens } from './syntax';

/** The parts of a line between columns (1-based, in code points, ends exclusive) that are marked and that are not. */
export function parts(text: string, marked: readonly (readonly [number, number])[]): { text: string; marked: boolean }[] {
  const points = Array.from(text);
  const found: { text: string; marked: boolean }[] = [];
  let at = 0;
  const add = (end: number, isMarked: boolean): void => {
    if (end > at) {
      found.push({ text: points.slice(at, end).join(''), marked: isMarked });
      at = end;
    }
  };
  for (const [start, end] of marked) {
    add(Math.min(start - 1, points.length), false);
    add(Math.min(end - 1, points.length), true);
  }
  add(points.length, false);
  return found;
}

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
