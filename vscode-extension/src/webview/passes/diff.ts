/** The diff of one pass. */
import type { SideLine, SideRow } from '../../protocol';
import { h } from '../common/dom';
import { type Cursor, bestOrigin, isOf, mostParticular } from '../common/origins';
import { Rows } from '../common/rows';
import { Sideways } from '../common/sideways';
import { codeOf } from '../common/text';
import { type DrawnRow, changeStarts, found, next, sideBySide, unified } from './lines';

export class DiffView {
  readonly element: HTMLElement;
  private readonly rows = new Rows('Diff');
  private readonly sideways = new Sideways(this.rows.element);
  private source: readonly SideRow[] = [];
  private drawn: DrawnRow[] = [];
  private lit = new Set<number>();
  private hits = new Set<number>();
  private needle = '';
  private cursor: Cursor = { files: [], line: 0 };
  private split = true;

  constructor(private readonly goTo: (file: string, line: number) => void) {
    this.element = h('div', { class: 'diff' }, this.rows.element, this.sideways.element);
  }

  show(rows: readonly SideRow[]): void {
    this.source = rows;
    this.layOut(0);
    this.rows.element.scrollTop = 0;
    const [first] = changeStarts(this.drawn);
    if (first !== undefined) {
      this.rows.go(first);
    }
    this.light(this.cursor);
  }

  /** Side by side, or one below the other. */
  set sides(split: boolean) {
    if (split !== this.split) {
      this.split = split;
      this.layOut(0);
      this.light(this.cursor);
    }
  }

  /** Light the lines that come from the cursor's; bring one into view where none is. Returns how many there are. */
  light(cursor: Cursor): number {
    this.cursor = cursor;
    this.lit = new Set(
      this.drawn.flatMap((row, index) => (isOf(row.after?.source, cursor) || isOf(row.before?.source, cursor) ? [index] : [])),
    );
    this.rows.bring(
      mostParticular(this.lit, (row) => {
        const { before, after } = this.drawn[row] ?? {};
        return isOf(after?.source, cursor) ? (after?.source ?? []) : (before?.source ?? []);
      }),
    );
    this.rows.draw();
    return this.lit.size;
  }

  find(text: string): number {
    this.needle = text;
    this.hits = new Set(found(this.drawn, text));
    this.rows.draw();
    return this.hits.size;
  }

  stepHit(by: 1 | -1): void {
    this.step([...this.hits], by);
  }

  stepChange(by: 1 | -1): void {
    this.step(changeStarts(this.drawn), by);
  }

  private step(indices: readonly number[], by: 1 | -1): void {
    const index = next(indices, this.rows.index, by);
    if (index !== undefined) {
      this.rows.go(index);
    }
  }

  private layOut(current: number): void {
    this.drawn = this.split ? sideBySide(this.source) : unified(this.source);
    this.hits = new Set(found(this.drawn, this.needle));
    const characters = Math.max(0, ...this.drawn.flatMap(({ before, after }) => [before?.text.length ?? 0, after?.text.length ?? 0]));
    this.rows.show(
      { count: this.drawn.length, make: (index) => this.make(index), activate: (index) => { this.activate(index); }, characters },
      current,
    );
    this.rows.element.classList.toggle('split', this.split);
    this.sideways.show(characters, this.split ? 2 : 1);
  }

  private activate(index: number): void {
    const row = this.drawn[index];
    const source = row?.after?.source.length ? row.after.source : (row?.before?.source ?? []);
    const origin = bestOrigin(source, this.cursor);
    if (origin !== undefined) {
      this.goTo(origin.file, origin.line);
    }
  }

  private make(index: number): HTMLElement {
    const row = this.drawn[index];
    if (row === undefined) {
      return h('div');
    }
    const classes = [row.kind, this.lit.has(index) ? 'lit' : '', this.hits.has(index) ? 'hit' : ''].join(' ');
    if (row.kind === 'skip') {
      return h('div', { class: classes, role: 'option' }, `${row.skipped} equal ${row.skipped === 1 ? 'line' : 'lines'}`);
    }
    const line = row.after ?? row.before;
    const children = row.single
      ? [...half(line, signOf(row), row.kind === 'delete' ? 'old' : row.kind === 'insert' ? 'new' : '')]
      : [...half(row.before, '−', row.kind === 'equal' ? '' : 'old'), ...half(row.after, '+', row.kind === 'equal' ? '' : 'new')];
    const label = `${SAID[row.kind]} ${(row.kind === 'change' ? row.after : line)?.text.trim() ?? ''}`;
    return h('div', { class: classes, role: 'option', 'aria-label': label }, ...children);
  }
}

const SAID = { equal: '', change: 'changed to', delete: 'deleted', insert: 'inserted', skip: '' };

function signOf({ kind }: DrawnRow): string {
  return kind === 'delete' ? '−' : kind === 'insert' ? '+' : ' ';
}

/** Gutter and text of one side; an empty side where it has no line. */
function half(line: SideLine | null, sign: string, side: string): HTMLElement[] {
  const moved = line?.moved == null ? '' : 'moved';
  const title = line?.moved == null ? undefined : `moved: line ${line.moved} on the other side`;
  return [
    h('span', { class: `gutter ${side} ${line === null ? 'none' : ''}` }, line === null ? '' : String(line.line)),
    h('span', { class: `sign ${side} ${line === null ? 'none' : ''} ${moved}` }, line === null || side === '' ? '' : moved === '' ? sign : '↕'),
    h(
      'span',
      { class: `side ${side} ${line === null ? 'none' : ''} ${moved}`, title },
      line === null ? null : codeOf(line.text, side === '' ? [] : line.changed),
    ),
  ];
}
