// A list of lines of one height of which only the visible ones are elements: a text may have any length.

const ROW = 18;
const BEYOND = 20;

class Pane {
  // `draw(item)` makes the element of an item, `places(item)` gives its places in Python, `pick(item, at)` hears of a
  // click or key on it.
  constructor(node, { draw, places, pick }) {
    this.node = node;
    this.inner = el('div', { class: 'inner' });
    node.append(this.inner);
    Object.assign(this, { draw, places, pick, items: [], cursor: -1, linked: new Set(), whole: false });
    node.addEventListener('scroll', () => this.scrolled(), { passive: true });
    new ResizeObserver(() => this.scrolled()).observe(node);
    this.inner.addEventListener('click', (event) => {
      const line = event.target.closest('.row');
      if (line && !String(getSelection())) this.choose(Number(line.dataset.at));
    });
    node.addEventListener('keydown', (event) => this.key(event));
  }

  // With `halves` each row has two sides that stay in view and scroll sideways together.
  show(items, columns, halves, places) {
    this.items = items;
    this.cursor = -1;
    this.linked = this.comingFrom(places || new Set());
    this.inner.style.height = `${items.length * ROW}px`;
    this.inner.style.minWidth = halves ? `calc(50% + ${columns}ch)` : `${columns}ch`;
    this.inner.classList.toggle('halves', Boolean(halves));
    this.scrolled(true);
  }

  scrolled(again) {
    this.inner.style.setProperty('--shift', `${this.node.scrollLeft}px`);
    this.inner.style.setProperty('--shown', `${this.node.clientWidth}px`);
    this.paint(again);
  }

  // The items that come from one of the places.
  comingFrom(places) {
    const found = new Set();
    if (places.size) {
      this.items.forEach((item, at) => {
        if (this.places(item).some((one) => places.has(one))) found.add(at);
      });
    }
    return found;
  }

  link(places) {
    const had = this.linked.size;
    this.linked = this.comingFrom(places);
    if (had || this.linked.size) this.paint(true);
    return this.linked.size;
  }

  // Brings a linked line into view: the first of those that come from the fewest places, such as the loop itself and not
  // the signature that names its buffers too.
  reveal() {
    const [from, to] = this.visible();
    const sizes = [...this.linked].map((at) => [this.places(this.items[at]).length, at]);
    const fewest = Math.min(...sizes.map(([size]) => size));
    const best = sizes.filter(([size]) => size === fewest).map(([, at]) => at);
    if (best.length && !best.some((at) => at >= from && at < to)) this.scrollTo(best[0]);
  }

  visible() {
    const from = Math.ceil(this.node.scrollTop / ROW);
    return [from, Math.floor((this.node.scrollTop + this.node.clientHeight) / ROW)];
  }

  scrollTo(at) {
    this.node.scrollTop = Math.max(0, at * ROW - this.node.clientHeight / 3);
    this.paint();
  }

  choose(at) {
    if (at < 0 || at >= this.items.length) return;
    this.cursor = at;
    const [from, to] = this.visible();
    if (at < from) this.node.scrollTop = at * ROW;
    else if (at >= to) this.node.scrollTop = (at + 1) * ROW - this.node.clientHeight;
    this.pick(this.items[at], at);
    this.paint(true);
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const page = Math.max(1, Math.floor(this.node.clientHeight / ROW) - 1);
    const last = this.items.length - 1;
    const moves = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -last, End: last };
    if (event.key in moves) {
      const from = this.cursor < 0 ? this.visible()[0] - (event.key === 'ArrowDown' ? 1 : 0) : this.cursor;
      this.choose(Math.max(0, Math.min(last, from + moves[event.key])));
    } else if (event.key === 'Enter' && this.cursor >= 0) this.choose(this.cursor);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  paint(again) {
    const height = this.node.clientHeight;
    const top = Math.floor(this.node.scrollTop / ROW);
    const from = this.whole ? 0 : Math.max(0, top - BEYOND);
    const to = this.whole ? this.items.length : Math.min(this.items.length, top + Math.ceil(height / ROW) + BEYOND);
    if (!again && this.from <= Math.max(0, top - 2) && this.to >= Math.min(this.items.length, top + Math.ceil(height / ROW) + 2)) return;
    [this.from, this.to] = [from, to];
    const rows = [];
    for (let at = from; at < to; at++) {
      const line = this.draw(this.items[at]);
      line.classList.add('row');
      line.classList.toggle('linked', this.linked.has(at));
      line.classList.toggle('cursor', at === this.cursor);
      line.id = `${this.node.id}-${at}`;
      line.dataset.at = at;
      line.setAttribute('role', 'option');
      line.setAttribute('aria-selected', at === this.cursor);
      line.style.top = `${at * ROW}px`;
      rows.push(line);
    }
    this.inner.replaceChildren(...rows);
    if (this.cursor >= 0) this.node.setAttribute('aria-activedescendant', `${this.node.id}-${this.cursor}`);
    else this.node.removeAttribute('aria-activedescendant');
  }
}

const widest = (lines) => lines.reduce((most, line) => Math.max(most, line.length), 0);
