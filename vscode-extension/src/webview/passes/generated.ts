/** The generated source, line by line with the roles of its lines. */
import type { ShownLine } from '../../protocol';
import { h } from '../common/dom';
import { type Cursor, bestOrigin, isOf, mostParticular } from '../common/origins';
import { Rows } from '../common/rows';
import { Sideways } from '../common/sideways';
import { codeOf } from '../common/text';

export class GeneratedView {
  readonly element: HTMLElement;
  private readonly rows = new Rows('Generated source');
  private readonly sideways = new Sideways(this.rows.element);
  private lines: readonly ShownLine[] = [];
  private lit = new Set<number>();
  private hits = new Set<number>();
  private cursor: Cursor = { files: [], line: 0 };

  constructor(private readonly goTo: (file: string, line: number) => void) {
    this.element = h('div', { class: 'generated' }, this.rows.element, this.sideways.element);
  }

  show(lines: readonly ShownLine[]): void {
    this.lines = lines;
    const characters = Math.max(0, ...lines.map(({ text }) => text.length)) + 12;
    this.rows.show({ count: lines.length, make: (index) => this.make(index), activate: (index) => { this.activate(index); }, characters });
    this.sideways.show(characters, 1);
    const first = lines.findIndex(({ source }) => source.length > 0);
    this.rows.go(Math.max(first, 0));
    this.light(this.cursor);
  }

  light(cursor: Cursor): number {
    this.cursor = cursor;
    this.lit = new Set(this.lines.flatMap(({ source }, index) => (isOf(source, cursor) ? [index] : [])));
    this.rows.bring(mostParticular(this.lit, (row) => this.lines[row]?.source ?? []));
    this.rows.draw();
    return this.lit.size;
  }

  find(text: string): number {
    const wanted = text.toLowerCase();
    this.hits = new Set(
      wanted === '' ? [] : this.lines.flatMap((line, index) => (line.text.toLowerCase().includes(wanted) ? [index] : [])),
    );
    this.rows.draw();
    return this.hits.size;
  }

  private activate(index: number): void {
    const origin = bestOrigin(this.lines[index]?.source ?? [], this.cursor);
    if (origin !== undefined) {
      this.goTo(origin.file, origin.line);
    }
  }

  private make(index: number): HTMLElement {
    const line = this.lines[index];
    if (line === undefined) {
      return h('div');
    }
    const classes = [this.lit.has(index) ? 'lit' : '', this.hits.has(index) ? 'hit' : ''].join(' ');
    return h(
      'div',
      { class: classes, role: 'option' },
      h('span', { class: 'gutter' }, String(line.line)),
      h('span', { class: `role role-${line.role ?? 'none'}`, title: line.role ?? undefined }, line.role ?? ''),
      h('span', { class: 'side' }, codeOf(line.text)),
    );
  }
}
