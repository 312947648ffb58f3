/** A long list of rows of equal height, of which only those in view are elements. */
import { h } from './dom';

/** Rows above and below the visible ones that are kept, so that scrolling does not show gaps. */
const SPARE = 12;

export interface RowSource {
  count: number;
  /** The element of a row; it is thrown away when it leaves the view. */
  make: (index: number) => HTMLElement;
  activate: (index: number) => void;
  /** Width of the longest row in characters. */
  characters: number;
}

export class Rows {
  readonly element: HTMLElement;
  private readonly sheet: HTMLElement;
  private source: RowSource = { count: 0, make: () => h('div'), activate: () => undefined, characters: 0 };
  private readonly drawn = new Map<number, HTMLElement>();
  private height = 0;
  private current = 0;

  constructor(label: string, kind: 'listbox' | 'grid' = 'listbox') {
    this.sheet = h('div', { class: 'sheet', role: 'presentation' });
    this.element = h('div', { class: 'rows', tabindex: 0, role: kind, 'aria-label': label }, this.sheet);
    this.element.addEventListener('scroll', () => { this.fill(); });
    this.element.addEventListener('keydown', (event) => { this.key(event); });
    this.element.addEventListener('click', ({ target }) => {
      const row = (target as HTMLElement).closest<HTMLElement>('[data-row]');
      if (row !== null) {
        this.go(Number(row.dataset.row));
        this.source.activate(this.current);
      }
    });
    new ResizeObserver(() => { this.fill(); }).observe(this.element);
  }

  show(source: RowSource, current = 0): void {
    this.source = source;
    this.current = Math.min(current, Math.max(source.count - 1, 0));
    this.sheet.style.setProperty('--characters', String(source.characters));
    this.draw();
  }

  get index(): number {
    return this.current;
  }

  /** Draw the visible rows anew: what they look like has changed. */
  draw(): void {
    this.drawn.clear();
    this.sheet.replaceChildren();
    this.fill();
  }

  /** Add the rows that have come into view, and drop those that have left it; the others stay what they are. */
  private fill(): void {
    this.height ||= this.measure();
    this.sheet.style.height = `${this.source.count * this.height}px`;
    const first = Math.max(Math.floor(this.element.scrollTop / this.height) - SPARE, 0);
    const visible = Math.ceil(this.element.clientHeight / this.height) + 2 * SPARE;
    const end = Math.min(first + visible, this.source.count);
    for (const [index, row] of this.drawn) {
      if (index < first || index >= end) {
        row.remove();
        this.drawn.delete(index);
      }
    }
    for (let index = first; index < end; index++) {
      if (!this.drawn.has(index)) {
        const row = this.rowAt(index);
        this.drawn.set(index, row);
        this.sheet.append(row);
      }
    }
    this.element.setAttribute('aria-activedescendant', this.idOf(this.current));
  }

  private rowAt(index: number): HTMLElement {
    const row = this.source.make(index);
    row.dataset.row = String(index);
    row.id = this.idOf(index);
    row.style.top = `${index * this.height}px`;
    row.setAttribute('aria-setsize', String(this.source.count));
    row.setAttribute('aria-posinset', String(index + 1));
    row.classList.add('row');
    row.classList.toggle('current', index === this.current);
    return row;
  }

  /** Make a row the current one and bring it into view. */
  go(index: number): void {
    this.current = Math.max(0, Math.min(index, this.source.count - 1));
    this.reveal(this.current);
    this.draw();
  }

  /** Scroll so that a row is visible; where it is not, into the middle. */
  reveal(index: number): void {
    const top = index * this.height;
    const { scrollTop, clientHeight } = this.element;
    if (top < scrollTop || top + this.height > scrollTop + clientHeight) {
      this.element.scrollTop = top - (clientHeight - this.height) / 2;
    }
  }

  /** Bring the first of some rows into view, unless one of them is. */
  bring(rows: readonly number[]): void {
    const top = this.element.scrollTop / this.height;
    const bottom = top + this.element.clientHeight / this.height - 1;
    const [first] = rows;
    if (first !== undefined && !rows.some((row) => row >= top && row <= bottom)) {
      this.reveal(first);
    }
  }

  private key(event: KeyboardEvent): void {
    const page = Math.max(1, Math.floor(this.element.clientHeight / this.height) - 1);
    const steps: Record<string, number> = {
      ArrowDown: 1,
      ArrowUp: -1,
      PageDown: page,
      PageUp: -page,
      Home: -this.source.count,
      End: this.source.count,
    };
    const step = steps[event.key];
    if (step !== undefined && !event.altKey) {
      event.preventDefault();
      this.go(this.current + step);
      if (this.element.dataset.follows !== undefined) {
        this.source.activate(this.current);
      }
    } else if (event.key === 'Enter' || event.key === ' ') {
      event.preventDefault();
      this.source.activate(this.current);
    }
  }

  private measure(): number {
    const probe = h('div', { class: 'row' }, 'X');
    this.sheet.append(probe);
    const { height } = probe.getBoundingClientRect();
    probe.remove();
    return height || 18;
  }

  private idOf(index: number): string {
    return `${this.element.getAttribute('aria-label')?.replace(/\W+/g, '-') ?? 'rows'}-${index}`;
  }
}
