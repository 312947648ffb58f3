/** The list of passes. */
import type { PassEntry } from '../../protocol';
import { h } from '../common/dom';
import { Rows } from '../common/rows';
import { type Filter, listed } from './filter';

export class PassList {
  readonly rows = new Rows('Passes');
  private passes: readonly PassEntry[] = [];
  private shown: PassEntry[] = [];
  private touched = new Set<number>();
  private selected = -1;

  constructor(private readonly choose: (index: number) => void) {
    this.rows.element.dataset.follows = '';
    this.rows.element.classList.add('list');
  }

  show(passes: readonly PassEntry[], filter: Filter, selected: number): void {
    this.passes = passes;
    this.selected = selected;
    this.filter(filter);
  }

  filter(filter: Filter): void {
    this.shown = listed(this.passes, filter);
    const at = Math.max(this.shown.findIndex(({ index }) => index === this.selected), 0);
    this.rows.show(
      { count: this.shown.length, make: (row) => this.make(row), activate: (row) => { this.pick(row); }, characters: 0 },
      at,
    );
    this.rows.reveal(at);
    this.rows.draw();
  }

  /** Mark the passes that changed what came of the cursor's line. */
  mark(touched: readonly number[]): void {
    this.touched = new Set(touched);
    this.rows.draw();
  }

  step(by: 1 | -1): void {
    const row = this.rows.index + by;
    if (row >= 0 && row < this.shown.length) {
      this.rows.go(row);
      this.pick(row);
    }
  }

  get count(): number {
    return this.shown.length;
  }

  private pick(row: number): void {
    const pass = this.shown[row];
    if (pass !== undefined && pass.index !== this.selected) {
      this.selected = pass.index;
      this.rows.draw();
      this.choose(pass.index);
    }
  }

  private make(row: number): HTMLElement {
    const pass = this.shown[row];
    if (pass === undefined) {
      return h('div');
    }
    const [prefix = '', name = pass.name] = /^(.*\.)?(.*)$/.exec(pass.name)?.slice(1) ?? [];
    const failed = pass.status === 'failed';
    const touched = this.touched.has(pass.index);
    const counts = pass.changed ? `+${pass.insertions} −${pass.deletions}` : '';
    const element = h(
      'div',
      {
        role: 'option',
        class: [pass.changed ? '' : 'same', failed ? 'failed' : ''].join(' '),
        'aria-selected': pass.index === this.selected ? 'true' : 'false',
        title: [`${pass.index} ${pass.name}`, pass.phase, pass.summary, pass.error, `${pass.duration_ms.toFixed(2)} ms`]
          .filter(Boolean)
          .join('\n'),
      },
      h('span', { class: 'touched', 'aria-label': touched ? 'changed what came of the cursor’s line' : undefined }, touched ? '●' : ''),
      h('span', { class: 'number' }, String(pass.index)),
      h('span', { class: 'name' }, h('span', { class: 'dim' }, prefix), name),
      h('span', { class: 'summary' }, failed ? 'failed' : pass.summary),
      h('span', { class: 'counts' }, counts),
    );
    element.classList.add(`depth-${Math.min(pass.depth, 4)}`);
    return element;
  }
}
