/** The picture of a layout as elements of the page, to point at and to walk through with the keys. */
import { h } from '../common/dom';

interface Cell {
  group: SVGGElement;
  title: string;
  label: string;
  left: number;
  top: number;
}

/** Height of what stands above the picture proper. */
const CAPTION = 36;

const DRAWN = new Set(['svg', 'g', 'rect', 'text', 'title']);
const KEPT = new Set(['x', 'y', 'width', 'height', 'viewBox', 'fill', 'text-anchor', 'class']);

export class Picture {
  readonly element = h('div', { class: 'picture', tabindex: 0, role: 'img', 'aria-label': 'Layout' });
  private cells: Cell[] = [];
  private current = -1;

  /** `tell` gets what the cell under the pointer or the keys is. */
  constructor(private readonly tell: (text: string) => void) {
    this.element.addEventListener('pointerover', ({ target }) => {
      const at = this.cells.findIndex(({ group }) => group.contains(target as Node));
      if (at >= 0) {
        this.go(at);
      }
    });
    this.element.addEventListener('keydown', (event) => {
      const way = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
      if (way !== undefined) {
        event.preventDefault();
        this.go(this.neighbour(way[0] ?? 0, way[1] ?? 0));
        this.cells[this.current]?.group.scrollIntoView({ block: 'nearest', inline: 'nearest' });
      }
    });
  }

  /** Draw it; returns what the picture says of itself, which the page shows as text of its own. */
  show(svg: string): string {
    const parsed = new DOMParser().parseFromString(svg, 'image/svg+xml').documentElement;
    const caption = takeCaption(parsed);
    this.element.setAttribute('aria-label', parsed.getAttribute('aria-label') ?? 'Layout');
    const copied = copy(parsed);
    this.element.replaceChildren(...(copied === undefined ? [] : [copied]));
    this.cells = [...this.element.querySelectorAll('g')].map((group) => {
      const title = group.querySelector('title');
      const rectangle = group.querySelector('rect');
      const cell = {
        group,
        title: title?.textContent ?? '',
        label: group.querySelector('text')?.textContent ?? '',
        left: Number(rectangle?.getAttribute('x')),
        top: Number(rectangle?.getAttribute('y')),
      };
      title?.remove(); // Said above the picture at once, not after a while beside the pointer.
      return cell;
    });
    this.current = -1;
    this.element.classList.remove('chosen');
    return caption;
  }

  /** The cell is told, and those of the same threads or bank stand out. */
  private go(at: number): void {
    const cell = this.cells[at];
    if (cell === undefined || at === this.current) {
      return;
    }
    this.current = at;
    this.element.classList.add('chosen');
    for (const one of this.cells) {
      one.group.classList.toggle('same', one.label === cell.label);
      one.group.classList.toggle('here', one === cell);
    }
    this.tell(cell.title);
  }

  private neighbour(right: number, down: number): number {
    const from = this.cells[this.current];
    if (from === undefined) {
      return 0;
    }
    let best = this.current;
    let distance = Infinity;
    this.cells.forEach(({ left, top }, at) => {
      const ahead = right === 0 ? (top - from.top) * down : (left - from.left) * right;
      const aside = right === 0 ? Math.abs(left - from.left) : Math.abs(top - from.top);
      if (ahead > 0 && ahead + 10 * aside < distance) {
        best = at;
        distance = ahead + 10 * aside;
      }
    });
    return best;
  }
}

/** Takes the heading and the line below it out of the picture: as text they can be broken into lines. */
function takeCaption(svg: Element): string {
  const [, , width = 0, height = 0] = (svg.getAttribute('viewBox') ?? '').split(' ').map(Number);
  const captions = [...svg.querySelectorAll('text')].filter((text) => Number(text.getAttribute('y')) <= CAPTION);
  svg.setAttribute('viewBox', `0 ${CAPTION} ${width} ${height - CAPTION}`);
  svg.setAttribute('height', String(height - CAPTION));
  captions.forEach((text) => { text.remove(); });
  return captions
    .filter((text) => !text.classList.contains('head'))
    .map((text) => text.textContent)
    .join(' ');
}

/** Shapes and texts only: no styles, links or scripts get into the page. */
function copy(node: Element): SVGElement | undefined {
  if (!DRAWN.has(node.tagName)) {
    return undefined;
  }
  const made = document.createElementNS('http://www.w3.org/2000/svg', node.tagName);
  for (const { name, value } of node.attributes) {
    if (KEPT.has(name)) {
      made.setAttribute(name, value);
    }
  }
  for (const child of node.childNodes) {
    const copied = child instanceof Element ? copy(child) : child instanceof Text ? new Text(child.data) : undefined;
    if (copied !== undefined) {
      made.append(copied);
    }
  }
  return made;
}
