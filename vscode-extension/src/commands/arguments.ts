/** Arguments of a kernel as a person types them. */

const ONE = /\s*([A-Za-z_]\w*)\s*=\s*/y;

/** `M=1024 shape=(1, 2) dtype="float16"` by name; undefined where it does not have that form. */
export function parseArguments(text: string): Record<string, string> | undefined {
  const found: Record<string, string> = {};
  let at = 0;
  while (text.slice(at).trim() !== '') {
    ONE.lastIndex = at;
    const name = ONE.exec(text)?.[1];
    if (name === undefined || Object.hasOwn(found, name)) {
      return undefined;
    }
    const end = endOfValue(text, ONE.lastIndex);
    const value = text.slice(ONE.lastIndex, end).replace(/,\s*$/, '').trim();
    if (value === '') {
      return undefined;
    }
    found[name] = value;
    at = end;
  }
  return found;
}

/** A value ends at a blank or comma outside of brackets and quotes. */
function endOfValue(text: string, start: number): number {
  let depth = 0;
  let quote = '';
  for (let at = start; at < text.length; at++) {
    const sign = text.charAt(at);
    if (quote !== '') {
      quote = sign === quote ? '' : quote;
    } else if (sign === '"' || sign === "'") {
      quote = sign;
    } else if ('([{'.includes(sign)) {
      depth++;
    } else if (')]}'.includes(sign)) {
      depth--;
    } else if (depth === 0 && /[\s,]/.test(sign)) {
      return at + 1;
    }
  }
  return text.length;
}
