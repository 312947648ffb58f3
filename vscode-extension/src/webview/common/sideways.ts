/** One horizontal scroll bar for lines that are wider than their column: both sides of a diff move together. */
import { h } from './dom';

export class Sideways {
  readonly element: HTMLElement;
  private readonly strip = h('div', { class: 'strip' });

  /** The lines inside `rows` move by its custom property `--shift`. */
  constructor(private readonly rows: HTMLElement) {
    this.element = h('div', { class: 'sideways', 'aria-hidden': 'true' }, this.strip);
    this.element.addEventListener('scroll', () => {
      rows.style.setProperty('--shift', `${-this.element.scrollLeft}px`);
    });
    rows.addEventListener(
      'wheel',
      (event) => {
        const by = event.shiftKey ? event.deltaY : event.deltaX;
        if (by !== 0) {
          this.element.scrollLeft += by;
        }
      },
      { passive: true },
    );
    rows.addEventListener('keydown', ({ key, altKey }) => {
      if (!altKey && (key === 'ArrowRight' || key === 'ArrowLeft')) {
        this.element.scrollLeft += key === 'ArrowRight' ? 40 : -40;
      }
    });
  }

  /** Lines of so many characters, in `columns` columns. */
  show(characters: number, columns: number): void {
    this.element.scrollLeft = 0;
    this.rows.style.setProperty('--shift', '0px');
    this.strip.style.setProperty('--wide', `${characters + 4}`);
    this.strip.style.setProperty('--columns', String(columns));
  }
}
