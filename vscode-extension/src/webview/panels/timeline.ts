/** The page of the panel Timeline. */
import type { ToPanel } from '../../panels/messages';
import type { Judged, TimelineFile, TimelineSample } from '../../protocol';
import { frame, send } from '../common/bridge';
import { announce, button, h } from '../common/dom';
import { percent } from '../common/words';
import { kernelsOf, rounded, time, tracksOf } from '../timeline/launches';

/** Bars of a track that are drawn; more cannot be told apart. */
const MOST_BARS = 1500;
const MOST_LINES = 40;

const { body } = frame(receive);
body.classList.add('timeline', 'scrolls');

function receive(message: ToPanel): void {
  if (message.type === 'timeline') {
    const { files, verdicts, alone } = message.timeline;
    body.replaceChildren(
      h('div', { class: 'above' }, button('Attach other profiles…', () => { send({ type: 'command', command: 'tilescope.attachProfile' }); })),
      ...(alone === null ? [] : [h('p', { class: 'note' }, alone)]),
      ...verdicts.map(verdictSection),
      ...files.map(fileSection),
    );
    announce(`${files.length} profiles`);
  } else if (message.type === 'cursor') {
    for (const row of body.querySelectorAll<HTMLElement>('[data-line]')) {
      row.classList.toggle('lit', Number(row.dataset.line) === message.line && message.files.includes(row.dataset.file ?? ''));
    }
  }
}

function verdictSection({ verdict }: Judged): HTMLElement {
  const { bound, possible, evidence, achieved, remarks, missing } = verdict;
  const heading =
    bound !== 'unknown' ? `Bound by ${bound}` : `What bounds it is not known${possible.length === 0 ? '' : `: ${possible.join(', ')}`}`;
  return h(
    'section',
    { 'aria-label': 'Verdict' },
    h('h2', {}, heading),
    ...evidence.map((text) => h('p', {}, text)),
    ...achieved.map(({ what, value, unit, peak }) =>
      h('p', {}, `${what}: ${rounded(value)} ${unit}${peak === null ? '' : ` of ${peak} (${percent(value, peak)})`}`),
    ),
    ...remarks.map(({ text, line }) =>
      h('p', {}, line === null ? null : button(`line ${line}`, () => { send({ type: 'reveal', file: '', line }); }, { class: 'link' }), line === null ? text : `: ${text}`),
    ),
    ...(missing.length === 0 ? [] : [h('p', { class: 'dim' }, 'More would tell:')]),
    ...missing.map((text) => h('p', { class: 'dim' }, text)),
  );
}

function fileSection(one: TimelineFile): HTMLElement {
  const devices = one.devices.map(({ name, arch }) => (arch == null ? name : `${name} (${arch})`)).join(', ');
  return h(
    'section',
    { 'aria-label': one.file },
    h('h2', {}, one.file.split(/[\\/]/).pop() ?? one.file, h('span', { class: 'dim' }, ` ${one.format}${devices === '' ? '' : `, ${devices}`}`)),
    ...(one.nothing_to_show == null ? [] : [h('p', {}, one.nothing_to_show)]),
    ...one.notes.map(({ message, subject }) => h('p', { class: 'note' }, subject == null ? message : `${subject}: ${message}`)),
    ...(one.launches.length === 0 ? [] : [tracks(one), kernels(one)]),
    ...(one.samples.length === 0 ? [] : [samples(one)]),
  );
}

function tracks(one: TimelineFile): HTMLElement {
  const made = [...tracksOf(one.launches)].map(([lane, bars]) => {
    const track = h('div', { class: 'track', role: 'img', 'aria-label': `${bars.length} launches` });
    for (const { launch, start, width } of bars.slice(0, MOST_BARS)) {
      const bar = h('div', { class: 'launch', title: `${launch.name}\n${time(launch.duration_ns ?? 0)} at ${time(launch.start_ns ?? 0)}` }, launch.name);
      bar.style.left = `${100 * start}%`;
      bar.style.width = `max(2px, ${100 * width}%)`;
      track.append(bar);
    }
    const dropped = bars.length - MOST_BARS;
    return h('div', { class: 'lane' }, h('span', { class: 'dim' }, one.lanes[lane]?.title ?? 'launches', dropped > 0 ? ` (the first ${MOST_BARS} of ${bars.length})` : ''), track);
  });
  return h('div', {}, ...made);
}

function kernels(one: TimelineFile): HTMLElement {
  const rows = kernelsOf(one.launches).map(({ name, count, total, launch }) =>
    h(
      'tr',
      {},
      h('td', { class: 'mono' }, name),
      h('td', { class: 'figure' }, String(count)),
      h('td', { class: 'figure' }, total === 0 ? '' : time(total)),
      h('td', { class: 'figure' }, total === 0 ? '' : time(total / count)),
      h('td', {}, [launch.grid?.join('×'), launch.block?.join('×')].filter(Boolean).join(' · ')),
      h('td', { title: launch.recording?.reason }, launch.recording == null ? '' : `${launch.recording.match}: ${launch.recording.reason}`),
    ),
  );
  const heads: [string, string][] = [['kernel', ''], ['launches', 'figure'], ['time', 'figure'], ['each', 'figure'], ['grid · block', ''], ['this kernel?', '']];
  return table(heads, rows);
}

function samples(one: TimelineFile): HTMLElement {
  const shown = [...one.samples].sort((a, b) => b.share - a.share).slice(0, MOST_LINES);
  const unplaced = one.unplaced_share == null ? '' : `; ${percent(one.unplaced_share, 1)} could be put on no line`;
  return h(
    'div',
    {},
    h('h3', {}, 'Samples by line', h('span', { class: 'dim' }, ` ${one.samples_total ?? ''} in all${unplaced}`)),
    ...(one.samples_rule == null ? [] : [h('p', { class: 'dim' }, one.samples_rule)]),
    table([['line', ''], ['share', 'figure'], ['', ''], ['stalled by', '']], shown.map(sampleRow)),
  );
}

function sampleRow({ file, line, share, stalls, text }: TimelineSample): HTMLElement {
  const bar = h('div', { class: 'share' });
  bar.style.width = `${100 * share}%`;
  const reasons = Object.entries(stalls).sort(([, a], [, b]) => b - a).slice(0, 3).map(([reason]) => reason);
  return h(
    'tr',
    { 'data-line': line, 'data-file': file },
    h('td', {}, button(`${file.split(/[\\/]/).pop() ?? file}:${line}`, () => { send({ type: 'reveal', file, line }); }, { class: 'link' }), h('code', {}, ` ${text?.trim() ?? ''}`)),
    h('td', { class: 'figure' }, percent(share, 1)),
    h('td', { class: 'shares' }, bar),
    h('td', {}, reasons.join(', ')),
  );
}

function table(heads: readonly [string, string][], rows: readonly HTMLElement[]): HTMLElement {
  return h('table', {}, h('thead', {}, h('tr', {}, ...heads.map(([head, kind]) => h('th', { scope: 'col', class: kind }, head)))), h('tbody', {}, ...rows));
}
