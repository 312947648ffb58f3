/** Elements of a page, made without markup: texts stay texts. */

type Attributes = Record<string, string | number | boolean | undefined>;
type Child = Node | string | null | undefined;

/** An element; `undefined` and `false` leave an attribute out, `true` sets it empty. */
export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== undefined && value !== false) {
      element.setAttribute(name, value === true ? '' : String(value));
    }
  }
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}

export function button(label: string, act: () => void, attributes: Attributes = {}): HTMLButtonElement {
  const element = h('button', { type: 'button', ...attributes }, label);
  element.addEventListener('click', act);
  return element;
}

/** A checkbox with its label. */
export function toggle(label: string, checked: boolean, act: (checked: boolean) => void, title?: string): HTMLLabelElement {
  const box = h('input', { type: 'checkbox', checked });
  box.addEventListener('change', () => { act(box.checked); });
  return h('label', { class: 'toggle', title }, box, label);
}

export function select(
  label: string,
  choices: readonly { value: string; label: string }[],
  value: string,
  act: (value: string) => void,
): HTMLLabelElement {
  const box = h('select', {}, ...choices.map((one) => h('option', { value: one.value, selected: one.value === value }, one.label)));
  box.addEventListener('change', () => { act(box.value); });
  return h('label', { class: 'field' }, h('span', {}, label), box);
}

/** Tell people who listen rather than look. */
export function announce(text: string): void {
  const live = document.getElementById('live');
  if (live !== null) {
    live.textContent = text;
  }
}
