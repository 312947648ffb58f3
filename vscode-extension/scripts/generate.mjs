// Writes what comes from the server: package.json's settings, and src/protocol.ts.
//
//   tilescope schema editor-settings | node scripts/generate.mjs [--check]
//
// With --check nothing is written; the exit code is 1 where something would change.
import { readFileSync, writeFileSync } from 'node:fs';

/** Settings of the extension itself; the server never hears of them. */
const OWN = {
  'tilescope.path': {
    type: ['string', 'null'],
    default: null,
    markdownDescription:
      'The `tilescope` command to start, as a path or as a name on PATH. By default that of the selected Python environment, else of `#tilescope.interpreter#`, else of `.venv`, else the one on PATH, else the copy that this extension keeps.',
    scope: 'machine-overridable',
    order: 0,
  },
  'tilescope.profiles': {
    type: 'array',
    items: { type: 'string' },
    default: [],
    markdownDescription: 'Profiles that the timeline shows: files or folders, relative to the folder of the workspace.',
    scope: 'resource',
    order: 100,
  },
  'tilescope.trace.server': {
    type: 'string',
    enum: ['off', 'messages', 'verbose'],
    default: 'off',
    description: 'What of the conversation with the server is written to the trace channel.',
    scope: 'window',
    order: 101,
  },
};
const OWN_RESTRICTED = ['tilescope.path', 'tilescope.profiles'];

function manifest(form) {
  const text = readFileSync('package.json', 'utf8');
  const manifest = JSON.parse(text);
  const properties = { 'tilescope.path': OWN['tilescope.path'] };
  const restricted = [...OWN_RESTRICTED];
  for (const [name, { restricted: isRestricted, ...property }] of Object.entries(form.properties)) {
    // Each folder of a workspace has its own server, so what a window may set a folder may as well.
    properties[name] = { ...property, scope: property.scope === 'window' ? 'resource' : property.scope };
    if (isRestricted) {
      restricted.push(name);
    }
  }
  manifest.contributes.configuration = { title: 'tilescope', properties: { ...properties, ...OWN } };
  manifest.capabilities.untrustedWorkspaces.restrictedConfigurations = restricted.sort();
  return `${JSON.stringify(manifest, null, 2)}\n`;
}

function protocol(page) {
  const shapes = [];
  const block = /`(\w+)`: ([^\n]+)\n\n```ts\n(\{[\s\S]*?\n\})\n```/g;
  for (const [, name, doc, body] of page.slice(page.indexOf('## Shapes')).matchAll(block)) {
    shapes.push(`/** ${doc} */\nexport interface ${name} ${body}\n`);
  }
  const methods = [];
  const section = /## `(tilescope\/\w+)`\n\n([^\n]+)\n\nParameters\.[^\n]*\n\n```ts\n(\{[\s\S]*?\n\})\n```\n\nAnswer\.\n\n```ts\n(\{[\s\S]*?\n\})\n```/g;
  for (const [, method, doc, parameters, answer] of page.matchAll(section)) {
    const indented = (body) => body.replaceAll('\n', '\n    ');
    methods.push(
      `  /** ${doc} */\n  '${method}': {\n    params: ${indented(parameters)};\n    answer: ${indented(answer)};\n  };\n`,
    );
  }
  const types = [...shapes, `export interface Methods {\n${methods.join('')}}\n`].join('\n');
  const head = '/** What the server answers to panels. Generated from docs/protocol.md by `npm run generate`. */';
  return `${head}\n\n${types.replaceAll(/\bany\b/g, 'unknown')}`;
}

const form = JSON.parse(readFileSync(0, 'utf8'));
const wanted = {
  'package.json': manifest(form),
  'src/protocol.ts': protocol(readFileSync('../docs/protocol.md', 'utf8')),
};
let stale = false;
for (const [file, text] of Object.entries(wanted)) {
  let current = '';
  try {
    current = readFileSync(file, 'utf8');
  } catch {
    // There is none yet.
  }
  if (current === text) {
    continue;
  }
  stale = true;
  if (process.argv.includes('--check')) {
    console.error(`${file} is out of date: npm run generate`);
  } else {
    writeFileSync(file, text);
    console.log(`wrote ${file}`);
  }
}
process.exit(stale && process.argv.includes('--check') ? 1 : 0);
