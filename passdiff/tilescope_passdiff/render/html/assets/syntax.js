// Colours of one line: enough of Python and CUDA to tell words, strings, numbers and comments apart.

const PYTHON = /(#.*)|("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')|\b(and|as|assert|break|class|continue|def|elif|else|False|for|from|if|import|in|is|lambda|None|not|or|pass|raise|return|True|try|while|with|yield)\b|(@?\b[TI]\.[\w.]+)|\b(\d[\w.]*)/g;
const C = /(\/\/.*|\/\*.*?\*\/|^\s*#.*)|("(?:[^"\\]|\\.)*")|\b(auto|bool|break|case|char|class|const|constexpr|continue|do|double|else|extern|float|for|half_t|if|inline|int|long|return|short|signed|sizeof|static|struct|switch|template|typedef|typename|unsigned|using|void|volatile|while|uint\w*|int\w*_t|bfloat16_t)\b|(\b__\w+|\b\w+::[\w:]+)|\b(\d[\w.]*)/g;
const CLASSES = ['comment', 'string', 'keyword', 'name', 'number'];
const LONGEST = 2000;

function tokens(line, language) {
  const found = [];
  const pattern = language === 'c' ? C : PYTHON;
  pattern.lastIndex = 0;
  for (let match; (match = pattern.exec(line)) !== null && match.index < LONGEST; ) {
    if (!match[0]) pattern.lastIndex++;
    const kind = match.findIndex((group, at) => at > 0 && group !== undefined);
    if (kind > 0) found.push([match.index, match.index + match[0].length, CLASSES[kind - 1]]);
  }
  return found;
}

// The line as elements; `words` are starts and ends of what changed in it.
function painted(line, language, words) {
  const spans = tokens(line, language);
  const edges = new Set([0, line.length]);
  for (const [start, end] of spans) edges.add(start).add(end);
  for (const edge of words || []) edges.add(Math.min(edge, line.length));
  const sorted = [...edges].sort((a, b) => a - b);
  const code = el('span', { class: 'text' });
  let token = 0;
  let word = 0;
  for (let at = 0; at + 1 < sorted.length; at++) {
    const [start, end] = [sorted[at], sorted[at + 1]];
    while (token < spans.length && spans[token][1] <= start) token++;
    while (words && word < words.length && words[word + 1] <= start) word += 2;
    const inToken = token < spans.length && spans[token][0] <= start;
    const inWord = words && word < words.length && words[word] <= start;
    const piece = line.slice(start, end);
    const classes = [inToken ? spans[token][2] : '', inWord ? 'word' : ''].filter(Boolean).join(' ');
    code.append(classes ? el('span', { class: classes }, piece) : piece);
  }
  return code;
}
