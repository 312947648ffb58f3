// Puts the parts together.

const number = (value) => el('span', { class: 'number' }, value === null ? '' : String(value));
const SIGNS = { ' ': 'same', '-': 'gone', '+': 'come' };

const kindOf = (one) => SIGNS[one.sign] + (one.moved ? ' moved' : '');
const movedNote = (one) => (one.moved ? `moved: line ${one.moved} on the other side` : null);

function drawSide(side) {
  if (side === null) return el('div', { class: 'side empty' });
  return el('div', { class: `side ${kindOf(side)}`, title: movedNote(side) }, number(side.sign === '+' ? side.now : side.old || side.now), el('span', { class: 'sign' }, side.sign), painted(side.text, 'python', side.words));
}

function drawItem(item) {
  if (item.fold !== undefined) return el('div', { class: 'folded' }, `⋯ ${item.count} unchanged lines`);
  if (Array.isArray(item)) return el('div', { class: 'pair' }, ...item.map(drawSide));
  return el('div', { class: kindOf(item), title: movedNote(item) }, number(item.old), number(item.now), irHeat(sidePlaces(item)), el('span', { class: 'sign' }, item.sign), painted(item.text, 'python', item.words));
}

let shown = { before: new Map(), after: new Map(), rows: [], opened: new Set() };

const sidePlaces = (side) => (side === null ? [] : (side.now !== null ? shown.after.get(side.now) : shown.before.get(side.old)) || []);
function itemPlaces(item) {
  if (item.fold !== undefined) return shown.rows.slice(item.fold, item.fold + item.count).flatMap(itemPlaces);
  return Array.isArray(item) ? item.flatMap(sidePlaces) : sidePlaces(item);
}

function pickItem(item) {
  if (item.fold === undefined) return select([...new Set(itemPlaces(item))], 'diff');
  shown.opened.add(item.fold);
  return refreshDiff(true);
}

function openPass(at) {
  state.pass = at;
  shown.opened = new Set();
  refreshDiff(false);
  select([...state.places], null);
}

function refreshDiff(stay) {
  const one = data.passes[state.pass];
  const scroll = panes.diff.node.scrollTop;
  const remark = byId('remark');
  if (!one) {
    remark.hidden = false;
    remark.textContent = 'The recording holds no passes.';
    return;
  }
  const before = textOf(one.before);
  const after = one.after === null ? before : textOf(one.after);
  const problem = one.status === 'failed' ? `${one.label} failed. ${one.error || 'No message was recorded.'}` : after.problem || before.problem;
  const compared = one.diff !== null;
  shown.before = before.places;
  shown.after = after.places;
  if (!compared) shown.rows = plainRows(after.lines);
  else if (state.split) shown.rows = splitRows(before.lines, after.lines, chosenChanges(one));
  else shown.rows = unifiedRows(before.lines, after.lines, chosenChanges(one));
  const columns = Math.max(widest(before.lines), widest(after.lines)) + 16 + heatWidth();
  panes.diff.show(compared && state.fold ? folded(shown.rows, shown.opened) : shown.rows, columns, state.split && compared, state.places);
  panes.diff.node.scrollTop = stay ? scroll : 0;
  const [come, gone] = countsOf(one, state.plain);
  byId('pass-title').textContent = `${one.index} ${one.label}`;
  byId('counts').replaceChildren(el('span', { class: 'plus' }, come ? `+${come}` : ''), ' ', el('span', { class: 'minus' }, gone ? `−${gone}` : ''), ' ', el('span', { class: 'dim' }, `${one.ms.toFixed(1)} ms`));
  byId('summary').replaceChildren(el('b', {}, one.summary), one.purpose ? el('span', { class: 'layout' }, one.purpose) : '', ...one.layouts.map((layout) => el('span', { class: 'layout' }, `layout ${layout}`)));
  byId('summary').hidden = !one.summary && !one.purpose && !one.layouts.length;
  remark.textContent = problem || (compared ? (come || gone ? '' : 'Only names were renumbered; they are hidden.') : one.changed ? 'The pass changed the IR, but it prints the same.' : 'The pass changed nothing.');
  remark.classList.toggle('error', Boolean(problem));
  remark.hidden = !remark.textContent;
}

let listed = [];
let marked = new Set();
function refreshPasses(touched) {
  if (touched) marked = touched;
  listed = listedPasses(byId('filter').value, byId('changed').checked);
  drawPasses(listed, state.pass, marked, state.plain);
  const selected = byId(`pass-${state.pass}`);
  if (selected) selected.scrollIntoView({ block: 'nearest' });
}

function stepPass(step, changedOnly) {
  const among = changedOnly ? data.passes.flatMap((one, at) => (one.changed || one.status === 'failed' ? [at] : [])) : data.passes.map((_, at) => at);
  const next = step > 0 ? among.find((at) => at > state.pass) : among.findLast((at) => at < state.pass);
  if (next !== undefined) openPass(next);
}

function stepChange(step) {
  const { items, node } = panes.diff;
  const starts = items.flatMap((item, at) => (item.fold === undefined && isChange(item) && (at === 0 || items[at - 1].fold !== undefined || !isChange(items[at - 1])) ? [at] : []));
  const from = panes.diff.cursor >= 0 ? panes.diff.cursor : -1;
  const next = step > 0 ? starts.find((at) => at > from) : starts.findLast((at) => at < from);
  if (next === undefined) return;
  panes.diff.scrollTo(next);
  panes.diff.choose(next);
  node.focus({ preventScroll: true });
}

function toggle(name) {
  state[name] = !state[name];
  byId(name).setAttribute('aria-pressed', state[name]);
  shown.opened = new Set();
  refreshDiff(false);
  panes.diff.reveal();
  refreshPasses(null);
}

function showFile(file) {
  if (panes.source.file === file || !data.sources[file]) return;
  panes.source.file = file;
  byId('files').value = String(file);
  const lines = expanded(data.sources[file].lines);
  panes.source.show(lines.map((text, at) => ({ text, at: place(file, at + 1), line: at + 1 })), widest(lines) + 8 + heatWidth());
}

function view(name) {
  document.body.dataset.view = name;
  for (const button of document.querySelectorAll('nav button')) button.setAttribute('aria-pressed', button.dataset.view === name);
  if (name !== 'passes' && name !== 'diff') aside(name === 'facts');
}

function aside(facts) {
  document.body.classList.toggle('with-facts', facts);
  if (facts) drawFacts(goTo);
  byId('tab-facts').setAttribute('aria-selected', facts);
  byId('tab-code').setAttribute('aria-selected', !facts);
}

function focusView(name) {
  view(name);
  byId({ passes: 'pass-list', diff: 'diff-rows', source: 'source-rows', generated: 'generated-rows', facts: 'facts' }[name]).focus();
}

function wire() {
  byId('pass-list').addEventListener('click', (event) => {
    const node = event.target.closest('.pass');
    if (node) openPass(Number(node.dataset.pass));
    if (node) view('diff');
  });
  byId('pass-list').addEventListener('keydown', (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const next = listed[listed.indexOf(state.pass) + step];
    if (step && next !== undefined) openPass(next);
    if (step) event.preventDefault();
  });
  byId('filter').addEventListener('input', () => refreshPasses(null));
  byId('changed').addEventListener('change', () => refreshPasses(null));
  for (const name of ['split', 'fold', 'plain']) byId(name).addEventListener('click', () => toggle(name));
  byId('files').addEventListener('change', () => { showFile(Number(byId('files').value)); panes.source.link(state.places); });
  byId('help').addEventListener('click', () => byId('keys').showModal());
  byId('tab-code').addEventListener('click', () => view('source'));
  byId('tab-facts').addEventListener('click', () => view('facts'));
  for (const button of document.querySelectorAll('nav button')) button.addEventListener('click', () => view(button.dataset.view));
  byId('theme').addEventListener('click', () => {
    const themes = ['', 'light', 'dark'];
    document.documentElement.dataset.theme = themes[(themes.indexOf(document.documentElement.dataset.theme || '') + 1) % 3];
  });
  const whole = (all) => Object.values(panes).forEach((pane) => { pane.whole = all; pane.paint(true); });
  window.addEventListener('beforeprint', () => { drawFacts(goTo); whole(true); });
  window.addEventListener('afterprint', () => whole(false));
}

function goTo(line, file) {
  const found = file === undefined ? 0 : data.sources.findIndex((one) => one.path === file);
  if (found < 0) return;
  aside(false);
  view('source');
  select([place(found, line)], null);
}

async function start() {
  data = await unpacked();
  byId('status').textContent = data.status;
  byId('status').className = data.status;
  const changed = data.passes.filter((one) => one.changed).length;
  byId('about').textContent = `${data.passes.length} passes, ${changed} changed` + (data.lowerMs ? `, lowered in ${data.lowerMs.toFixed(0)} ms` : '');
  byId('language').textContent = data.generated.language;
  byId('generated-remark').textContent = data.generated.problem || '';
  byId('generated-remark').hidden = !data.generated.problem;
  data.sources.forEach((one, at) => byId('files').append(el('option', { value: at }, one.path || 'sources')));
  const roles = new Map(data.generated.roles);
  for (const name of new Set(roles.values())) byId('roles').append(el('span', { class: 'role', 'data-role': name }), `${name} `);
  const generated = ready(data.generated);
  panes.diff = new Pane(byId('diff-rows'), { draw: drawItem, places: itemPlaces, pick: pickItem });
  panes.source = new Pane(byId('source-rows'), {
    draw: (item) => el('div', {}, number(item.line), heatCell(heat.python.get(item.at)), painted(item.text, 'python', null)),
    places: (item) => [item.at],
    pick: (item) => select([item.at], 'source'),
  });
  panes.generated = new Pane(byId('generated-rows'), {
    draw: (item) => el('div', { title: roles.get(item.line) || null }, number(item.line), heatCell(heat.generated.get(item.line)), el('span', { class: 'role', 'data-role': roles.get(item.line) || '' }), painted(item.text, 'c', null)),
    places: (item) => generated.places.get(item.line) || [],
    pick: (item) => select(generated.places.get(item.line) || [], 'generated'),
  });
  panes.generated.show(generated.lines.map((text, at) => ({ text, line: at + 1 })), widest(generated.lines) + 10 + heatWidth());
  showFile(0);
  if (data.sources[0] && data.sources[0].problem) byId('link').textContent = data.sources[0].problem;
  drawHelp();
  wire();
  startProfiles();
  const given = placeInAddress();
  state.pass = given.pass ?? data.first;
  view('diff');
  refreshDiff(false);
  if (given.places.length) select(given.places, null);
  else refreshPasses(new Set());
  document.body.classList.add('ready');
}

start().catch((error) => {
  document.body.prepend(el('p', { class: 'fatal' }, `This report cannot be shown: ${error.message}. A browser of 2023 or later is needed (DecompressionStream).`));
});
