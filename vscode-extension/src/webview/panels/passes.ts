/** The page of the panel Passes. */
import type { ToPanel } from '../../panels/messages';
import type { Methods, PassEntry } from '../../protocol';
import { frame, remember, remembered, send } from '../common/bridge';
import { announce, button, h, toggle } from '../common/dom';
import type { Cursor } from '../common/origins';
import { DiffView } from '../passes/diff';
import { GeneratedView } from '../passes/generated';
import { PassList } from '../passes/list';

/** Narrower than this two columns of code cannot be read. In px. */
const SPLIT_FROM = 720;

const options = {
  text: '',
  changedOnly: remembered('changedOnly', true),
  hideRenumbering: remembered('hideRenumbering', false),
  allLines: remembered('allLines', false),
  split: remembered<boolean | null>('split', null),
  generated: remembered('generated', true),
};
let passes: readonly PassEntry[] = [];
let selected = -1;
let cursor: Cursor & { lineText: string } = { files: [], line: 0, lineText: '' };

const goTo = (file: string, line: number): void => { send({ type: 'reveal', file, line }); };
const list = new PassList((index) => {
  selected = index;
  ask();
});
const diff = new DiffView(goTo);
const generated = new GeneratedView(goTo);

const about = h('div', { class: 'about' });
const heading = h('div', { class: 'heading' });
const where = h('footer', { class: 'where' });
const hits = h('span', { class: 'dim hits' });
const count = h('span', { class: 'dim' });
const search = h('input', { type: 'search', placeholder: 'Filter passes', 'aria-label': 'Filter passes by name or by what they did' });
const finder = h('input', { type: 'search', placeholder: 'Find in IR and source', 'aria-label': 'Find in the diff and in the generated source' });
const source = h('details', { class: 'source', open: options.generated }, h('summary', {}, 'Generated source'), generated.element);
const splitBox = toggle('Side by side', true, (on) => { set('split', on); resize(); }, 'Before and after in two columns');

const { body } = frame(receive);
body.classList.add('passes');
body.append(
  h(
    'div',
    { class: 'tools', role: 'toolbar', 'aria-label': 'Passes' },
    search,
    count,
    toggle('Changed only', options.changedOnly, (on) => { set('changedOnly', on); list.filter(options); tell(); }, 'Hide passes that changed nothing'),
    toggle('Hide renumbering', options.hideRenumbering, (on) => { set('hideRenumbering', on); ask(); }, 'Treat lines as equal that differ in the numbers of names only'),
    toggle('All lines', options.allLines, (on) => { set('allLines', on); ask(); }, 'Show equal lines as well'),
    splitBox,
    h('span', { class: 'together' }, finder, hits),
    h(
      'span',
      { class: 'together' },
      button('↑', () => { diff.stepChange(-1); }, { title: 'Previous change (Shift+F7)', 'aria-label': 'Previous change' }),
      button('↓', () => { diff.stepChange(1); }, { title: 'Next change (F7)', 'aria-label': 'Next change' }),
    ),
  ),
  h('div', { class: 'columns' }, list.rows.element, h('section', { class: 'detail', 'aria-label': 'Pass' }, heading, about, diff.element, source)),
  where,
);

search.addEventListener('input', () => {
  options.text = search.value;
  list.filter(options);
  tell();
});
search.addEventListener('keydown', ({ key }) => {
  if (key === 'ArrowDown' || key === 'Enter') {
    list.rows.element.focus();
  }
});
finder.addEventListener('input', () => {
  const inDiff = diff.find(finder.value);
  const inSource = generated.find(finder.value);
  hits.textContent = finder.value === '' ? '' : `${inDiff} + ${inSource}`;
  hits.title = `${inDiff} lines of the diff, ${inSource} of the generated source`;
});
finder.addEventListener('keydown', ({ key, shiftKey }) => {
  if (key === 'Enter') {
    diff.stepHit(shiftKey ? -1 : 1);
  }
});
source.addEventListener('toggle', () => { set('generated', source.open); });
window.addEventListener('keydown', (event) => {
  if (event.key === 'F7') {
    diff.stepChange(event.shiftKey ? -1 : 1);
  } else if (event.altKey && (event.key === ']' || event.key === '[')) {
    list.step(event.key === ']' ? 1 : -1);
  } else if (event.key === '/' && !(event.target instanceof HTMLInputElement)) {
    event.preventDefault();
    finder.focus();
  } else {
    return;
  }
});
new ResizeObserver(resize).observe(diff.element);

function receive(message: ToPanel): void {
  switch (message.type) {
    case 'passes':
      ({ passes } = message.passes);
      ({ selected } = message);
      list.show(passes, options, selected);
      generated.show(message.generated);
      source.hidden = message.generated.length === 0;
      tell();
      ask();
      return;
    case 'diff':
      show(message.diff);
      return;
    case 'cursor':
      cursor = message;
      light();
      return;
    case 'touched':
      list.mark(message.passes);
      return;
    case 'step':
      list.step(message.by);
  }
}

function ask(): void {
  if (selected >= 0) {
    send({ type: 'pass', index: selected, context: options.allLines ? null : 3, hideRenumbering: options.hideRenumbering });
  }
}

function show(answer: Methods['tilescope/diff']['answer']): void {
  if (answer.pass.index !== selected) {
    return; // Another one has been chosen meanwhile.
  }
  heading.replaceChildren(
    h('h2', {}, answer.pass.name),
    h('span', { class: 'counts' }, answer.changed ? `+${answer.insertions} −${answer.deletions}` : 'no change'),
    h('span', { class: 'summary' }, answer.summary),
  );
  about.replaceChildren(
    ...(answer.purpose === null ? [] : [h('p', {}, answer.purpose)]),
    ...(answer.error === null ? [] : [h('pre', { class: 'error' }, answer.error.trim())]),
    ...answer.layouts
      .filter((layout) => layout.new)
      .map(({ name, summary }) => h('p', { class: 'attached' }, h('b', {}, name), ` ${summary}`)),
  );
  diff.show(answer.rows);
  diff.find(finder.value);
  light();
  announce(`${answer.pass.name}: ${answer.changed ? answer.summary : 'no change'}`);
}

function light(): void {
  const lines = diff.light(cursor);
  const made = generated.light(cursor);
  const plural = (count: number, what: string): string => `${count} ${count === 1 ? 'line' : 'lines'} of ${what}`;
  where.textContent =
    cursor.line === 0
      ? 'Put the cursor on a line of the kernel to see what comes of it.'
      : `Line ${cursor.line}  ${cursor.lineText}  →  ${plural(lines, 'IR here')}, ${plural(made, 'generated source')}`;
}

function tell(): void {
  const changed = passes.filter((pass) => pass.changed).length;
  count.textContent = `${list.count} of ${passes.length}`;
  count.title = `${changed} passes changed something`;
}

function resize(): void {
  const split = options.split ?? diff.element.clientWidth >= SPLIT_FROM;
  diff.sides = split;
  const box = splitBox.querySelector('input');
  if (box !== null) {
    box.checked = split;
  }
}

function set<K extends keyof typeof options>(key: K, value: (typeof options)[K]): void {
  options[key] = value;
  remember(key, value);
}
