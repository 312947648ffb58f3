/** The page of a panel: nothing is loaded but its own script and styles, and nothing from a network. */

export interface Page {
  title: string;
  nonce: string;
  /** `webview.cspSource`. */
  source: string;
  script: string;
  styles: readonly string[];
}

export function pageOf({ title, nonce, source, script, styles }: Page): string {
  const policy = [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    `style-src ${source}`,
    `font-src ${source}`,
    "img-src 'none'",
    "connect-src 'none'",
    "form-action 'none'",
    "base-uri 'none'",
  ].join('; ');
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(title)}</title>
${styles.map((style) => `<link rel="stylesheet" href="${escaped(style)}">`).join('\n')}
</head>
<body>
<main id="app"></main>
<div id="live" role="status" aria-live="polite" class="unseen"></div>
<script nonce="${nonce}" src="${escaped(script)}"></script>
</body>
</html>
`;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}
