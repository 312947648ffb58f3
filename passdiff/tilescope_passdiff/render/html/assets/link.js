// What is selected, and everything in the other panes that belongs to it.

const state = { pass: 0, split: false, fold: true, plain: false, file: 0, places: new Set() };
const panes = {};

function select(places, from) {
  state.places = new Set(places);
  const counts = {};
  for (const [name, pane] of Object.entries(panes)) {
    if (name === 'source' && name !== from && places.length) showFile(fileOf(places[0]));
    counts[name] = pane.link(state.places);
    if (name !== from) pane.reveal();
  }
  const touched = places.length ? touchedPasses(state.places) : new Set();
  refreshPasses(touched);
  byId('link').replaceChildren(...said(places, counts, touched, from));
  keepPlace();
}

function said(places, counts, touched, from) {
  if (!places.length) return from === null ? [] : ['This line has no known Python line.'];
  const names = places.map((at) => `${data.sources[fileOf(at)].path}:${lineOf(at)}`).join(', ');
  const several = (count, what) => `${count} ${what}${count === 1 ? '' : 's'}`;
  const parts = [el('b', {}, names), ` → ${several(counts.diff, 'line')} of this IR, ${several(counts.generated, 'generated line')}`];
  const passes = [...touched];
  if (passes.length) {
    parts.push('; changed in ');
    for (const at of passes.slice(0, 12)) parts.push(el('button', { class: 'line', title: data.passes[at].label, onclick: () => openPass(at) }, String(data.passes[at].index)), ' ');
    if (passes.length > 12) parts.push(`and ${passes.length - 12} more`);
  }
  return parts;
}

// Passes whose changed lines come from one of the places.
function touchedPasses(places) {
  const touched = new Set();
  data.passes.forEach((one, at) => {
    if (one.diff === null) return;
    const { blocks } = chosenChanges(one);
    const [before, after] = [textOf(one.before).places, textOf(one.after).places];
    const from = (map, start, end) => {
      for (let line = start + 1; line <= end; line++) if ((map.get(line) || []).some((origin) => places.has(origin))) return true;
      return false;
    };
    for (let block = 0; block < blocks.length; block += 4) {
      if (from(before, blocks[block], blocks[block + 1]) || from(after, blocks[block + 2], blocks[block + 3])) {
        touched.add(at);
        return;
      }
    }
  });
  return touched;
}

const chosenChanges = (one) => {
  const diff = data.diffs[one.diff];
  return (state.plain && diff.plain) || diff.full;
};

// The address keeps the place, so that it can be sent to somebody.
function keepPlace() {
  const parts = [`pass=${state.pass}`];
  if (state.places.size) parts.push(`at=${[...state.places].map((at) => `${fileOf(at)}:${lineOf(at)}`).join(',')}`);
  history.replaceState(null, '', `#${parts.join('&')}`);
}

function placeInAddress() {
  const given = new URLSearchParams(location.hash.slice(1));
  const pass = Number.parseInt(given.get('pass'), 10);
  const places = (given.get('at') || '').split(',').map((one) => one.split(':').map(Number));
  return {
    pass: data.passes[pass] ? pass : null,
    places: places.filter(([file, line]) => data.sources[file] && line > 0).map(([file, line]) => place(file, line)),
  };
}
