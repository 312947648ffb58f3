/** The page of the panel Compare. */
import type { Choice, ToPanel, VariantChoice } from '../../panels/messages';
import type { About, Difference, EnvironmentDifference, Methods, PairEntry, TextDiff } from '../../protocol';
import { frame, send } from '../common/bridge';
import { announce, button, h, select } from '../common/dom';
import { codeOf } from '../common/text';
import { textOf } from '../compare/values';

type Comparison = Methods['tilescope/compare']['answer'];

let sides: { a: VariantChoice; b: VariantChoice } | undefined;
const chooser = h('div', { class: 'tools', role: 'toolbar', 'aria-label': 'What is compared' });
const result = h('div', { class: 'scrolls' });

const { body } = frame(receive);
body.classList.add('compare');
body.append(chooser, result);

function receive(message: ToPanel): void {
  if (message.type === 'variants') {
    sides = { a: message.a, b: message.b };
    choose(message.specializations, message.targets);
    result.replaceChildren(h('p', { class: 'dim' }, `Choose two variants of ${message.kernel}, then compare them.`));
  } else if (message.type === 'compare') {
    show(message.comparison);
  }
}

function choose(specializations: readonly Choice[], targets: readonly Choice[]): void {
  const fields = (name: 'a' | 'b'): HTMLElement => {
    const side = sides?.[name];
    const set = (key: keyof VariantChoice) => (value: string) => {
      if (side !== undefined) {
        side[key] = value;
      }
    };
    return h(
      'span',
      { class: 'variant', role: 'group', 'aria-label': name.toUpperCase() },
      h('b', {}, name.toUpperCase()),
      select('', specializations, side?.specialization ?? '', set('specialization')),
      select('', targets, side?.target ?? '', set('target')),
    );
  };
  const compare = button('Compare', () => { if (sides !== undefined) { send({ type: 'compare', ...sides }); } }, { class: 'main' });
  chooser.replaceChildren(fields('a'), fields('b'), compare);
}

function show(comparison: Comparison): void {
  const { a, b, same, environment, first_divergence: divergence, buffers, facts, passes, generated } = comparison;
  const heads: [string, string] = [`A: ${nameOf(a, b)}`, `B: ${nameOf(b, a)}`];
  const verdict = same
    ? 'The compiler makes the same of both.'
    : divergence === null
      ? 'They differ.'
      : `They differ from ${passName(divergence.b ?? divergence.a)} on: ${WHERE[divergence.where]}.`;
  result.replaceChildren(
    h('h2', { class: same ? 'same' : 'differs' }, verdict),
    ...(divergence?.purpose == null ? [] : [h('p', { class: 'dim' }, divergence.purpose)]),
    ...section('Given to the compiler', environment.length, () => environmentTable(environment, heads)),
    ...section('Buffers', buffers.length, () => differenceTable(buffers, heads)),
    ...section('Other facts', facts.length, () => differenceTable(facts, heads)),
    ...(divergence === null ? [] : section('First difference', count(divergence.diff), () => textDiff(divergence.diff))),
    ...(generated === null ? [] : section('Generated source', count(generated), () => textDiff(generated))),
    ...section('Passes', passes.filter(({ outcome }) => outcome !== 'same').length, () => passTable(passes, heads), passes.length),
  );
  announce(verdict);
}

const WHERE = {
  input: 'what goes in differs already',
  output: 'the same went in, and differs behind it',
  'only-a': 'only A runs this pass',
  'only-b': 'only B runs this pass',
};

function section(title: string, differences: number, make: () => HTMLElement, of?: number): HTMLElement[] {
  if (differences === 0) {
    return [];
  }
  const counted = of === undefined ? `${differences}` : `${differences} of ${of} differ`;
  return [h('details', { open: of === undefined }, h('summary', {}, h('h3', {}, title, h('span', { class: 'dim' }, ` ${counted}`))), make())];
}

/** By what tells it from the other one. */
function nameOf({ target, specialization }: About, other: About): string {
  const parts = [
    ...(target === other.target ? [] : [target]),
    ...(specialization === other.specialization ? [] : [`specialization ${specialization.slice(0, 8)}`]),
  ];
  return parts.join(', ') || target;
}

function passName(pass: { name: string } | null): string {
  return pass?.name ?? 'the beginning';
}

function count({ insertions, deletions }: TextDiff): number {
  return insertions + deletions;
}

function environmentTable(differences: readonly EnvironmentDifference[], [a, b]: [string, string]): HTMLElement {
  return tableOf(['', a, b], differences.map((one) => [one.name, textOf(one.a), textOf(one.b)]));
}

function differenceTable(differences: readonly Difference[], [a, b]: [string, string]): HTMLElement {
  return h(
    'table',
    {},
    headOf(['', '', a, b]),
    h(
      'tbody',
      {},
      ...differences.map(({ subject, line, fact, values }) =>
        h(
          'tr',
          {},
          h('td', {}, line === null ? subject : button(`${subject}, line ${line}`, () => { send({ type: 'reveal', file: '', line }); }, { class: 'link' })),
          h('td', { class: 'dim' }, fact),
          h('td', {}, textOf(values[0])),
          h('td', {}, textOf(values[1])),
        ),
      ),
    ),
  );
}

function passTable(pairs: readonly PairEntry[], [a, b]: [string, string]): HTMLElement {
  return tableOf(
    [a, b, ''],
    pairs.filter(({ outcome }) => outcome !== 'same').map((pair) => [pair.a?.name ?? '', pair.b?.name ?? '', pair.outcome.replace('-', ' ')]),
  );
}

function tableOf(heads: readonly string[], rows: readonly string[][]): HTMLElement {
  return h('table', {}, headOf(heads), h('tbody', {}, ...rows.map((row) => h('tr', {}, ...row.map((text) => h('td', {}, text))))));
}

function headOf(heads: readonly string[]): HTMLElement {
  return h('thead', {}, h('tr', {}, ...heads.map((head) => h('th', { scope: 'col' }, head))));
}

function textDiff({ hunks }: TextDiff): HTMLElement {
  const lines = hunks.flatMap((hunk, at) => [
    ...(at === 0 ? [] : [h('div', { class: 'gap' }, '⋯')]),
    ...hunk.lines.map((line) => {
      const side = line.kind === 'delete' ? 'old' : line.kind === 'insert' ? 'new' : '';
      const sign = line.kind === 'delete' ? '−' : line.kind === 'insert' ? '+' : ' ';
      return h(
        'div',
        { class: `line ${side}` },
        h('span', { class: 'gutter' }, String(line.before ?? '')),
        h('span', { class: 'gutter' }, String(line.after ?? '')),
        h('span', { class: 'sign' }, sign),
        codeOf(line.text, side === '' ? [] : line.changed),
      );
    }),
  ]);
  return h('div', { class: 'text-diff', tabindex: 0, role: 'group', 'aria-label': 'Difference' }, ...lines);
}
