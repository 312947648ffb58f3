// The keys: one table for what they do and for the help that lists them.

const KEYS = [
  ['n p', 'next, previous pass that changed something', { n: () => stepPass(1, true), p: () => stepPass(-1, true) }],
  ['j k', 'next, previous pass', { j: () => stepPass(1, false), k: () => stepPass(-1, false) }],
  ['] [', 'next, previous change in the diff', { ']': () => stepChange(1), '[': () => stepChange(-1) }],
  ['/', 'filter the passes', { '/': () => { view('passes'); byId('filter').focus(); } }],
  ['c', 'passes that changed something, or all', { c: () => byId('changed').click() }],
  ['s', 'side by side, or one above the other', { s: () => toggle('split') }],
  ['f', 'only what changed, or the whole text', { f: () => toggle('fold') }],
  ['u', 'hide renumbered names, or show them', { u: () => toggle('plain') }],
  ['h', 'with a profile: the line that takes most time, then the next', { h: () => nextHot() }],
  ['1 – 5', 'passes, diff, source, generated code, facts', Object.fromEntries(['passes', 'diff', 'source', 'generated', 'facts'].map((name, at) => [String(at + 1), () => focusView(name)]))],
  ['↑ ↓', 'in a text: line by line, with all that belongs to it', {}],
  ['t', 'light, dark, or as the system has it', { t: () => byId('theme').click() }],
  ['Esc', 'let the line go', { Escape: () => select([], null) }],
  ['?', 'this list', { '?': () => byId('keys').showModal() }],
];
const ACTIONS = Object.assign({}, ...KEYS.map(([, , actions]) => actions));

function drawHelp() {
  const rows = KEYS.map(([keys, what]) => el('tr', {}, el('td', {}, ...keys.split(' ').map((key) => el('kbd', {}, key))), el('td', {}, what)));
  byId('keys').append(
    el('h2', {}, 'Keys'), el('table', {}, el('tbody', {}, ...rows)),
    el('p', { class: 'dim' }, 'A click on a line shows what it comes from and what became of it: in the Python source, in the IR of the pass, and in the generated code.'),
    el('form', { method: 'dialog' }, el('button', {}, 'Close')),
  );
}

document.addEventListener('keydown', (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || byId('keys').open) return;
  const typing = event.target.matches('input[type=search], select');
  if (typing) {
    if (event.key === 'Escape' || event.key === 'Enter') byId('pass-list').focus();
    return;
  }
  if (!(event.key in ACTIONS) || data === null) return;
  event.preventDefault();
  ACTIONS[event.key]();
});
