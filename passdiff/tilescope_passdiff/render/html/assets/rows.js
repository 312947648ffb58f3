// What the panes show, before any element: rows of a diff, folded, in one column or in two.

const CONTEXT = 3;

// A row: sign, line numbers before and after (null where it is not there), text, words, and for a line that only moved
// its line number on the other side.
const row = (sign, old, now, text, words, moved) => ({ sign, old, now, text, words: words || null, moved: moved || null });

function plainRows(lines) {
  return lines.map((text, at) => row(' ', null, at + 1, text));
}

function wordsOf(changes) {
  const before = new Map();
  const after = new Map();
  for (const [old, now, gone, come] of changes.words) {
    before.set(old, gone);
    after.set(now, come);
  }
  return [before, after];
}

function movedOf(changes) {
  const before = new Map();
  const after = new Map();
  for (let at = 0; at < changes.moved.length; at += 3) {
    for (let step = 0; step < changes.moved[at + 2]; step++) {
      before.set(changes.moved[at] + step, changes.moved[at + 1] + step + 1);
      after.set(changes.moved[at + 1] + step, changes.moved[at] + step + 1);
    }
  }
  return [before, after];
}

// Calls `equal(old, now)` for each unchanged line and `changed(oldStart, oldEnd, newStart, newEnd)` for each block.
function walk(blocks, oldSize, equal, changed) {
  let old = 0;
  let now = 0;
  for (let at = 0; at < blocks.length; at += 4) {
    while (old < blocks[at]) equal(old++, now++);
    changed(blocks[at], blocks[at + 1], blocks[at + 2], blocks[at + 3]);
    old = blocks[at + 1];
    now = blocks[at + 3];
  }
  while (old < oldSize) equal(old++, now++);
}

function unifiedRows(before, after, changes) {
  const [gone, come] = wordsOf(changes);
  const [goes, comes] = movedOf(changes);
  const rows = [];
  walk(
    changes.blocks,
    before.length,
    (old, now) => rows.push(row(' ', old + 1, now + 1, after[now])),
    (oldStart, oldEnd, newStart, newEnd) => {
      for (let at = oldStart; at < oldEnd; at++) rows.push(row('-', at + 1, null, before[at], gone.get(at), goes.get(at)));
      for (let at = newStart; at < newEnd; at++) rows.push(row('+', null, at + 1, after[at], come.get(at), comes.get(at)));
    },
  );
  return rows;
}

// Pairs [before, after]: lines that became one another stand side by side.
function splitRows(before, after, changes) {
  const [gone, come] = wordsOf(changes);
  const [goes, comes] = movedOf(changes);
  const rows = [];
  const oldRow = (at) => row('-', at + 1, null, before[at], gone.get(at), goes.get(at));
  const newRow = (at) => row('+', null, at + 1, after[at], come.get(at), comes.get(at));
  const beside = (oldStart, oldEnd, newStart, newEnd) => {
    for (let step = 0; step < Math.max(oldEnd - oldStart, newEnd - newStart); step++) {
      rows.push([
        oldStart + step < oldEnd ? oldRow(oldStart + step) : null,
        newStart + step < newEnd ? newRow(newStart + step) : null,
      ]);
    }
  };
  walk(
    changes.blocks,
    before.length,
    (old, now) => rows.push([row(' ', old + 1, now + 1, before[old]), row(' ', old + 1, now + 1, after[now])]),
    (oldStart, oldEnd, newStart, newEnd) => {
      let [old, now] = [oldStart, newStart];
      for (const [pairOld, pairNew] of changes.words) {
        if (pairOld < old || pairOld >= oldEnd) continue;
        beside(old, pairOld, now, pairNew);
        rows.push([oldRow(pairOld), newRow(pairNew)]);
        [old, now] = [pairOld + 1, pairNew + 1];
      }
      beside(old, oldEnd, now, newEnd);
    },
  );
  return rows;
}

const isChange = (item) => (Array.isArray(item) ? item.some((side) => side === null || side.sign !== ' ') : item.sign !== ' ');

// Long stretches of unchanged rows become one item {fold, count}; `opened` holds the first rows of those to leave.
function folded(rows, opened) {
  const near = new Uint8Array(rows.length);
  rows.forEach((item, at) => {
    if (isChange(item)) near.fill(1, Math.max(0, at - CONTEXT), at + CONTEXT + 1);
  });
  const items = [];
  for (let at = 0; at < rows.length; ) {
    let end = at;
    while (end < rows.length && !near[end]) end++;
    if (end - at > 1 && !opened.has(at)) items.push({ fold: at, count: end - at });
    else for (let inside = at; inside < end; inside++) items.push(rows[inside]);
    if (end < rows.length) items.push(rows[end]);
    at = end + 1;
  }
  return items;
}
