/** The page of the panel Layout: the server's picture, with what a cell is told where the pointer or the keys are. */
import type { BufferChoice, ToPanel } from '../../panels/messages';
import type { Methods } from '../../protocol';
import { frame, send } from '../common/bridge';
import { announce, button, h, select } from '../common/dom';
import { shapeOf } from '../common/words';
import { Picture } from '../layout/picture';
import { type Window, step, windowOf } from '../layout/window';

type Layout = Omit<Methods['tilescope/layout']['answer'], 'cells' | 'text'>;

let buffers: readonly BufferChoice[] = [];
let chosen = 0;
let part: Window = windowOf();
let shown: Layout | undefined;

const choose = h('span', { class: 'together' });
const about = h('div', { class: 'facts' });
const where = h('span', { class: 'dim' });
const leading = h('span', { class: 'together' });
const told = h('div', { class: 'told mono', role: 'status', 'aria-live': 'polite' });
const picture = new Picture((text) => { told.textContent = text; });

const { body } = frame(receive);
body.classList.add('layout');
const moves: [string, string, number, number][] = [
  ['←', 'Columns to the left', 0, -1],
  ['→', 'Columns to the right', 0, 1],
  ['↑', 'Rows above', -1, 0],
  ['↓', 'Rows below', 1, 0],
];
const arrows = moves.map(([sign, label, rows, columns]) =>
  button(
    sign,
    () => {
      part = shown === undefined ? part : step(part, rows, columns, shown);
      ask();
    },
    { title: label, 'aria-label': label },
  ),
);
body.append(
  h(
    'div',
    { class: 'tools', role: 'toolbar', 'aria-label': 'Layout' },
    choose,
    leading,
    h('span', { class: 'together' }, ...arrows),
    where,
    h(
      'span',
      { class: 'together' },
      button('Copy as SVG', () => { copy(); }, { title: 'Copy the picture as an SVG document' }),
      button('Save…', () => { save(); }, { title: 'Save the picture as an SVG file' }),
    ),
  ),
  h('div', { class: 'above' }, about, told),
  picture.element,
);

function receive(message: ToPanel): void {
  if (message.type === 'buffers') {
    ({ buffers } = message);
    chosen = message.selected;
    choose.replaceChildren(
      select(
        'Buffer',
        buffers.map(({ name, line, shape, dtype }, index) => ({
          value: String(index),
          label: `${name} ${shapeOf(shape)} ${dtype ?? ''}${line === null ? '' : ` · line ${line}`}`,
        })),
        String(chosen),
        (value) => {
          chosen = Number(value);
          part = windowOf();
          ask();
        },
      ),
    );
    part = windowOf();
    ask();
  } else if (message.type === 'layout') {
    show(message.layout);
  } else if (message.type === 'cursor') {
    // The cursor on an allocation chooses its buffer.
    const at = buffers.findIndex(({ line }) => line === message.line);
    if (at >= 0 && at !== chosen) {
      chosen = at;
      const box = choose.querySelector('select');
      if (box !== null) {
        box.value = String(at);
      }
      part = windowOf();
      ask();
    }
  }
}

function ask(): void {
  send({ type: 'buffer', index: chosen, rows: part.rows, columns: part.columns, leading: part.leading });
}

function show(layout: Layout): void {
  shown = layout;
  const buffer = buffers[chosen];
  const bottom = Math.min(part.rows[1], layout.rows);
  const right = Math.min(part.columns[1], layout.columns);
  where.textContent = `rows ${layout.row}–${bottom - 1} of ${layout.rows}, columns ${layout.column}–${right - 1} of ${layout.columns}`;
  const ends = [layout.column === 0, right >= layout.columns, layout.row === 0, bottom >= layout.rows];
  arrows.forEach((arrow, at) => { arrow.disabled = ends[at] ?? false; });
  leading.replaceChildren(
    ...layout.leading.map((value, dimension) => {
      const box = h('input', { type: 'number', min: 0, value, 'aria-label': `Index ${dimension}`, class: 'index' });
      box.addEventListener('change', () => {
        part = { ...part, leading: layout.leading.map((old, at) => (at === dimension ? Math.max(0, box.valueAsNumber || 0) : old)) };
        ask();
      });
      return h('label', { class: 'field' }, layout.leading.length === 1 ? 'Stage' : `Index ${dimension}`, box);
    }),
  );
  about.replaceChildren(
    ...(buffer === undefined
      ? []
      : [
          h('p', {}, h('b', {}, buffer.name), ` ${shapeOf(buffer.shape)} ${buffer.dtype ?? ''} ${buffer.scope}  `, ...lineLink(buffer)),
          h('p', { class: 'mono' }, buffer.summary ?? ''),
          ...(buffer.decided === null ? [] : [h('p', { class: 'dim' }, buffer.decided)]),
        ]),
  );
  about.append(h('p', { class: 'dim' }, picture.show(layout.svg)));
  told.textContent = 'Move over a cell, or use the arrow keys, to see what it is.';
  announce(`Layout of ${buffer?.name ?? 'the buffer'}: ${buffer?.summary ?? ''}`);
}

function lineLink({ line }: BufferChoice): Node[] {
  return line === null ? [] : [button(`line ${line}`, () => { send({ type: 'reveal', file: '', line }); }, { class: 'link' })];
}

function copy(): void {
  if (shown !== undefined) {
    send({ type: 'copy', text: shown.svg, what: `Picture of ${buffers[chosen]?.name ?? 'the layout'}` });
  }
}

function save(): void {
  if (shown !== undefined) {
    const name = (buffers[chosen]?.name ?? 'layout').replace(/[^\w.-]/g, '_');
    send({ type: 'save', text: shown.svg, name: `${name}.svg` });
  }
}
