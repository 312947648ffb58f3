// The facts of the kernel, with the pictures of layouts.

const SAME = 'text.head{fill:var(--text)}text.dim{fill:var(--dim)}rect{stroke:var(--back)}:host{display:block;overflow:auto}';

function picture(svg) {
  const holder = el('div', { class: 'picture' });
  const parsed = new DOMParser().parseFromString(svg, 'image/svg+xml').documentElement;
  // The picture's own style must not reach the page.
  const root = holder.attachShadow({ mode: 'open' });
  root.append(document.importNode(parsed, true), el('style', {}, SAME));
  return holder;
}

const lineLink = (line, go) =>
  line === null ? '' : el('button', { class: 'line', title: 'Show this line', onclick: () => go(line) }, String(line));

function table(headings, rows, kind) {
  return el(
    'div', { class: `wide ${kind || ''}` },
    el('table', {}, el('thead', {}, el('tr', {}, ...headings.map((text) => el('th', {}, text)))), el('tbody', {}, ...rows)),
  );
}

const cells = (...values) => el('tr', {}, ...values.map((value) => el('td', {}, value)));
const labelled = (pairs) => el('dl', {}, ...pairs.flatMap(([label, text]) => [el('dt', {}, label), el('dd', {}, text)]));

function drawFacts(go) {
  if (byId('facts').hasChildNodes()) return;
  const { heads, findings, buffers, operations, environment } = data.facts;
  const parts = [];
  if (data.stage !== 'lowered' && data.stage !== 'registers') {
    parts.push(el('p', { class: 'remark' }, `These facts are partial: the compiler came to the stage "${data.stage}".`));
  }
  if (findings.length) {
    parts.push(el('h2', {}, 'Findings'));
    for (const one of findings) {
      const where = el('span', {}, `${one.file}:`, lineLink(one.line, (line) => go(line, one.file)));
      parts.push(
        el(
          'p', { class: `finding ${one.severity}` },
          el('b', {}, `${one.severity} ${one.code}`), ' ', where, ' ', one.message,
          one.pass ? el('span', { class: 'dim' }, ` [${one.pass}]`) : null,
          one.help ? el('span', { class: 'help' }, one.help) : null,
        ),
      );
    }
  }
  parts.push(el('h2', {}, 'Kernel'), labelled(heads));
  if (buffers.length) {
    parts.push(el('h2', {}, 'Buffers'));
    parts.push(
      table(
        ['buffer', 'line', 'shape', 'dtype', 'scope', 'stages', 'bytes'],
        buffers.map((one) =>
          cells(el('b', {}, one.name), lineLink(one.line, go), one.shape, one.dtype, one.scope, String(one.stages), one.bytes === null ? '' : String(one.bytes)),
        ),
        'buffers',
      ),
    );
    for (const one of buffers.filter((each) => each.layout)) {
      const details = el('details', {}, el('summary', {}, `${one.name}: ${one.layout}`, el('span', { class: 'dim' }, one.because ? `, because ${one.because}` : '')));
      if (one.picture) {
        details.addEventListener('toggle', () => details.querySelector('.picture') || details.append(picture(one.picture)));
      }
      parts.push(details);
    }
  }
  if (operations.length) {
    parts.push(el('h2', {}, 'Operations'));
    parts.push(table(['operation', 'line', 'on', 'lowered to'], operations.map((one) => cells(one.kind, lineLink(one.line, go), one.text, one.lowered))));
  }
  parts.push(el('h2', {}, 'Recorded'), labelled(environment));
  byId('facts').replaceChildren(...parts);
}
