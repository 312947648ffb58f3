// Unpacks the data that the page holds, and makes elements: all text reaches the page as text.

const byId = (id) => document.getElementById(id);

function el(tag, attributes, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes || {})) {
    if (name.startsWith('on')) node.addEventListener(name.slice(2), value);
    else if (value !== null && value !== undefined && value !== false) node.setAttribute(name, value);
  }
  node.append(...children.filter((child) => child !== null && child !== undefined));
  return node;
}

async function unpacked() {
  const packed = atob(byId('data').textContent.trim());
  const bytes = Uint8Array.from(packed, (character) => character.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate'));
  return JSON.parse(await new Response(stream).text());
}

// A place in a Python source as one number, for use in sets and maps.
const FILES = 1e7;
const place = (file, line) => file * FILES + line;
const fileOf = (at) => Math.floor(at / FILES);
const lineOf = (at) => at % FILES;

let data = null;
const texts = new Map();

function expanded(runs) {
  const lines = [];
  for (let at = 0; at < runs.length; at += 2) {
    for (let step = 0; step < runs[at + 1]; step++) lines.push(data.lines[runs[at] + step]);
  }
  return lines;
}

// Text lines (1-based) to the places that they come from.
function placesOf(steps) {
  const places = new Map();
  let line = 0;
  let python = 0;
  for (let at = 0; at < steps.length; at += 3) {
    line += steps[at];
    python += steps[at + 2];
    if (!places.has(line)) places.set(line, []);
    places.get(line).push(place(steps[at + 1], python));
  }
  return places;
}

const ready = (stored) => ({
  lines: expanded(stored.lines),
  places: placesOf(stored.map || []),
  problem: stored.problem || null,
});

function textOf(number) {
  if (!texts.has(number)) texts.set(number, ready(data.texts[number]));
  return texts.get(number);
}
