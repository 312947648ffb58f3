// Where the time goes: shares of lines and the timeline, from the profile that is chosen.

let heat = { python: new Map(), generated: new Map(), order: [], short: {} };

const percent = (share) => (share >= 0.0005 ? `${(100 * share).toFixed(1)}%` : '<0.1%');

// A cell of one width in every row, so that texts stay aligned; none where the profile has no samples. `shared` says of
// whom the share is where it is not that of this line alone.
function heatCell(weight, shared) {
  if (!heat.python.size) return null;
  const kind = shared ? 'heat shared' : 'heat';
  if (!weight) return el('span', { class: kind });
  const [share, stall] = weight;
  const said = `${percent(share)} of the kernel${stall ? `, mostly ${stall}` : ''}${shared ? `: ${shared}` : ''}`;
  const bar = el('i', { style: `width: ${Math.max(1, 100 * share)}%` });
  return el('span', { class: kind, title: said }, bar, el('b', {}, percent(share)), shared || !stall ? null : el('span', {}, ` ${heat.short[stall] ?? stall}`));
}

const heatWidth = () => (data.profiles.some((one) => one.python.length) ? 14 : 0);

// A line of IR has the share of the Python line that it stems from first: how it divides among its lines is not measured.
const irHeat = (places) => heatCell(places.length ? heat.python.get(places[0]) : null, 'all lines of this IR that stem from the same Python line together');

function hottest(profile) {
  return profile.python.slice(0, 4).map(([file, line, share, stall]) =>
    el('span', {}, ' · ', el('button', { class: 'line', onclick: () => goTo(line, data.sources[file].path) }, `line ${line}`), ` ${percent(share)}${stall ? ` ${stall}` : ''}`));
}

function drawProfile(at) {
  const profile = data.profiles[at];
  heat = {
    python: new Map(profile.python.map(([file, line, ...weight]) => [place(file, line), weight])),
    generated: new Map(profile.generated.map(([line, ...weight]) => [line, weight])),
    order: profile.python.map(([file, line]) => place(file, line)),
    short: profile.short,
  };
  const what = [profile.format, profile.device, profile.launches, profile.total].filter(Boolean).join(', ');
  byId('profile-what').replaceChildren(el('b', {}, profile.file), ` ${what}`, ...hottest(profile));
  const rest = profile.unplaced.map(([reason, share]) => el('p', {}, `${percent(share)} on no line: ${reason}`));
  const shared = profile.shared ? [el('p', {}, `${percent(profile.shared)} lie on lines that stem from several operations, and count to the loop around them`)] : [];
  const notes = profile.notes.map((note) => el('p', { class: 'dim' }, note));
  byId('profile-body').replaceChildren(
    ...(profile.strip ? [picture(profile.strip)] : []), el('p', { class: 'dim' }, `Of this kernel: ${profile.reason}`), ...rest, ...shared, ...notes,
  );
  for (const pane of Object.values(panes)) pane.paint(true);
}

function startProfiles() {
  if (!data.profiles.length) return;
  byId('profile').hidden = false;
  data.profiles.forEach((one, at) => byId('profiles').append(el('option', { value: at }, `${one.file} (${one.format})`)));
  byId('profiles').hidden = data.profiles.length === 1;
  byId('profiles').addEventListener('change', () => drawProfile(Number(byId('profiles').value)));
  drawProfile(0);
}

// The line that takes most time behind the one that is selected, from the top again at the end.
function nextHot() {
  if (!heat.order.length) return;
  const at = heat.order.findIndex((one) => state.places.has(one));
  select([heat.order[(at + 1) % heat.order.length]], null);
}
