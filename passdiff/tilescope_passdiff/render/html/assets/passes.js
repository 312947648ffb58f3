// The list of passes: phases, nesting, marks, time, and the filter over it.

// The letters of `wanted` in order: "lyinf" finds tl.LayoutInference.
function resembles(name, wanted) {
  let at = 0;
  for (const letter of wanted.toLowerCase()) {
    at = name.toLowerCase().indexOf(letter, at) + 1;
    if (!at) return false;
  }
  return true;
}

// Those that hold the filter's text; where none does, those that resemble it.
function listedPasses(filter, changedOnly) {
  const wanted = filter.replace(/\s/g, '');
  const all = data.passes.flatMap((one, at) => (!changedOnly || one.changed || one.status === 'failed' ? [at] : []));
  const name = (at) => `${data.passes[at].index} ${data.passes[at].label}`;
  const holding = all.filter((at) => name(at).toLowerCase().includes(wanted.toLowerCase()));
  return holding.length ? holding : all.filter((at) => resembles(name(at), wanted));
}

const countsOf = (one, hiding) => {
  if (one.diff === null) return [0, 0];
  const diff = data.diffs[one.diff];
  return ((hiding && diff.plain) || diff.full).count;
};

function drawPasses(listed, selected, marked, hiding) {
  const slowest = Math.max(0.001, ...data.passes.map((one) => one.selfMs));
  const nodes = [];
  let phase = null;
  for (const at of listed) {
    const one = data.passes[at];
    if (one.phase !== phase && one.phase !== null) nodes.push(el('div', { class: 'phase' }, one.phase));
    phase = one.phase;
    nodes.push(drawPass(one, at, at === selected, marked.has(at), slowest, hiding));
  }
  byId('pass-list').replaceChildren(...nodes);
  if (!nodes.length) byId('pass-list').append(el('p', { class: 'dim none' }, 'No pass is like that.'));
}

function drawPass(one, at, selected, touched, slowest, hiding) {
  const [come, gone] = countsOf(one, hiding);
  const failed = one.status === 'failed';
  const kind = failed ? 'failed' : one.changed ? 'altered' : 'unaltered';
  const label = el('span', { class: 'label' }, one.label);
  label.style.paddingLeft = `${one.depth * 12}px`;
  const time = el('span', { class: 'time', title: `${one.ms} ms, of which ${one.selfMs} ms its own` });
  const bar = el('i', {});
  bar.style.width = `${Math.max(1, (100 * one.selfMs) / slowest)}%`;
  time.append(bar, el('b', {}, one.ms >= 9.95 ? one.ms.toFixed(0) : one.ms.toFixed(1)));
  const node = el(
    'div',
    { class: `pass ${kind}${selected ? ' selected' : ''}${touched ? ' touched' : ''}`, id: `pass-${at}`, role: 'option', 'aria-selected': String(selected) },
    el('span', { class: 'number' }, String(one.index)),
    el('span', { class: 'mark', title: failed ? 'failed' : one.changed ? 'changed the IR' : 'changed nothing' }, failed ? '✗' : one.changed ? '●' : ''),
    label,
    el('span', { class: 'plus' }, come ? `+${come}` : ''),
    el('span', { class: 'minus' }, gone ? `−${gone}` : ''),
    time,
  );
  node.dataset.pass = at;
  if (one.summary) node.title = one.summary;
  return node;
}
