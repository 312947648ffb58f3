/** The page of the panel Memory. */
import type { ToPanel } from '../../panels/messages';
import type { MemoryBuffer, MemorySpace } from '../../protocol';
import { frame, send } from '../common/bridge';
import { announce, button, h } from '../common/dom';
import { bytes, percent, shapeOf } from '../common/words';
import { scaleOf, segmentsOf, sizeOf } from '../memory/segments';

/** Fills of buffers, one after the other; the theme's chart colours. */
const COLORS = 6;

const { body } = frame(receive);
body.classList.add('memory', 'scrolls');

function receive(message: ToPanel): void {
  if (message.type === 'memory') {
    const { kernel, target } = message.of;
    body.replaceChildren(
      h('h2', {}, kernel, h('span', { class: 'dim' }, ` for ${target}`)),
      ...message.spaces.map(space),
      ...(message.spaces.length === 0 ? [h('p', {}, 'This kernel takes nothing of any memory on the chip.')] : []),
      ...message.notes.map((note) => h('p', { class: 'dim' }, note)),
      ...(message.recorded ? [] : [button('Find out where buffers lie', () => { send({ type: 'record' }); }, { class: 'main' })]),
    );
    announce(message.spaces.map(summary).join('. '));
  } else if (message.type === 'cursor') {
    for (const row of body.querySelectorAll<HTMLElement>('[data-line]')) {
      row.classList.toggle('lit', Number(row.dataset.line) === message.line);
    }
  }
}

function space(one: MemorySpace): HTMLElement {
  const over = one.capacity !== null && (one.used ?? 0) > one.capacity;
  return h(
    'section',
    { 'aria-label': one.name, class: over ? 'over' : '' },
    h('h3', {}, one.name, ' ', h('span', { class: over ? 'too-much' : 'dim' }, summary(one))),
    bar(one),
    ...(one.buffers.length === 0 ? [] : [table(one)]),
  );
}

function summary({ name, unit, used, declared, capacity }: MemorySpace): string {
  const amount = (count: number): string => (unit === 'bytes' ? bytes(count) : `${count} registers per thread`);
  const taken = used ?? declared;
  if (taken === null) {
    return `${name}: how much is taken is not known`;
  }
  const of = capacity === null ? '' : ` of ${unit === 'bytes' ? bytes(capacity) : capacity} (${percent(taken, capacity)})`;
  const more = used !== null && declared !== null && used !== declared ? `; declared ${amount(declared)}` : '';
  return `${amount(taken)}${of}${more}`;
}

function bar(one: MemorySpace): HTMLElement {
  const scale = scaleOf(one);
  const segments = segmentsOf(one);
  const lanes = Math.max(1, ...segments.map(({ lane }) => lane + 1));
  const element = h('div', { class: 'meter', role: 'img', 'aria-label': summary(one) });
  element.style.setProperty('--lanes', String(lanes));
  for (const { buffer, start, size, lane } of segments) {
    const part = h('div', { class: `segment color-${one.buffers.indexOf(buffer) % COLORS}` }, buffer.name);
    part.title = `${buffer.name}: ${told(size, one)}${buffer.offset === null ? '' : ` at ${buffer.offset}`}`;
    part.style.left = `${(100 * start) / scale}%`;
    part.style.width = `${(100 * size) / scale}%`;
    part.style.setProperty('--lane', String(lane));
    element.append(part);
  }
  if (one.used !== null) {
    const mark = h('div', { class: 'used', title: `taken: ${told(one.used, one)}` });
    mark.style.left = `${(100 * one.used) / scale}%`;
    element.append(mark);
  }
  return element;
}

function table(one: MemorySpace): HTMLElement {
  const total = one.used ?? one.declared;
  const placed = one.buffers.some(({ offset }) => offset !== null);
  const heads = ['', 'buffer', 'shape', 'stages', one.unit === 'bytes' ? 'size' : 'registers', 'share', ...(placed ? ['at'] : []), 'in use'];
  const figures = new Set(['stages', 'size', 'registers', 'share', 'at']);
  return h(
    'table',
    {},
    h('thead', {}, h('tr', {}, ...heads.map((head) => h('th', { scope: 'col', class: figures.has(head) ? 'figure' : '' }, head)))),
    h('tbody', {}, ...one.buffers.map((buffer, at) => row(buffer, at, one, total, placed))),
  );
}

function row(buffer: MemoryBuffer, at: number, one: MemorySpace, total: number | null, placed: boolean): HTMLElement {
  const size = sizeOf(buffer, one);
  const { line, first_use: first, last_use: last } = buffer;
  const name = line === null ? h('span', {}, buffer.name) : button(buffer.name, () => { send({ type: 'reveal', file: '', line }); }, { class: 'link', title: `line ${line}` });
  return h(
    'tr',
    { 'data-line': line ?? undefined },
    h('td', {}, h('span', { class: `swatch color-${at % COLORS}` })),
    h('td', {}, name),
    h('td', {}, `${shapeOf(buffer.shape)} ${buffer.dtype ?? ''}`),
    h('td', { class: 'figure' }, buffer.stages > 1 ? `×${buffer.stages}` : ''),
    h('td', { class: 'figure' }, size === null ? 'not known' : told(size, one, false)),
    h('td', { class: 'figure' }, size === null || total === null || total === 0 ? '' : percent(size, total)),
    ...(placed ? [h('td', { class: 'figure' }, buffer.offset === null ? '' : String(buffer.offset))] : []),
    h('td', {}, first === null || last === null ? '' : first === last ? `line ${first}` : `lines ${first}–${last}`),
  );
}

function told(count: number, { unit }: MemorySpace, long = true): string {
  return unit === 'bytes' ? bytes(count) : long ? `${count} registers per thread` : String(count);
}
