// The server's picture of a graph as a page for a webview: its own policy, the theme's colours, our script.

/** What the page tells the extension. */
export interface Jump {
  path: string;
  line: number;
  column: number;
  cell?: number;
}

export interface PageParts {
  /** The server's HTML page: one `<main>` with the picture and the same story as a list. */
  html: string;
  nonce: string;
  script: string;
}

/**
 * The page, or an error in the server's own words if its HTML is not what we know.
 * Nothing but our script runs, nothing is loaded, and styles are ours and the picture's.
 */
export function page({ html, nonce, script }: PageParts): string {
  const main = /<main>([\s\S]*)<\/main>/.exec(html)?.[1];
  const title = /<title>([\s\S]*?)<\/title>/.exec(html)?.[1] ?? "Graph";
  if (main === undefined) throw new Error("the server's picture is not a page with a <main>");
  const policy = `default-src 'none'; style-src 'nonce-${nonce}'; script-src 'nonce-${nonce}'`;
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<title>${title}</title>
<style nonce="${nonce}">${STYLE}</style>
</head>
<body>
<div class="tools" role="toolbar" aria-label="Zoom">
<button type="button" data-zoom="in" aria-label="Zoom in" title="Zoom in (+)">+</button>
<button type="button" data-zoom="out" aria-label="Zoom out" title="Zoom out (−)">−</button>
<button type="button" data-zoom="fit" aria-label="Fit the picture into the window" title="Fit (0)">Fit</button>
</div>
<main>${shortened(main).replaceAll("<style>", `<style nonce="${nonce}">`)}</main>
<script nonce="${nonce}" src="${script}"></script>
</body>
</html>`;
}

/** Links show a file's name alone: `train.py:9`. */
export function shortened(main: string): string {
  return main.replace(/>(?:[^<>]*[\\/])([^<>\\/]+:\d+)<\/a>/g, ">$1</a>");
}

/** The picture names its colours by custom properties; here they are the theme's. */
const STYLE = `
body .sp {
  --page: var(--vscode-editor-background); --ink: var(--vscode-editor-foreground);
  --soft: var(--vscode-descriptionForeground); --faint: var(--vscode-editorLineNumber-foreground);
  --box: var(--vscode-editorWidget-background); --line: var(--vscode-editorLineNumber-activeForeground);
  --spent: var(--vscode-editor-background); --spentline: var(--vscode-editorLineNumber-foreground);
  --spentink: var(--vscode-descriptionForeground); --bad: var(--vscode-editorError-foreground);
  --leaf: var(--vscode-editor-background); --focus: var(--vscode-focusBorder);
  font-family: var(--vscode-font-family);
}
body .sp text.code { font-family: var(--vscode-editor-font-family), monospace }
body { padding: 0 1rem 2rem; color: var(--vscode-editor-foreground); background: var(--vscode-editor-background) }
h1 { font-size: 1rem; font-weight: 600; margin-right: 8.5rem; line-height: 1.5 } h2 { font-size: 0.95rem; margin-top: 1.4rem }
h1 code, li code { font-family: var(--vscode-editor-font-family), monospace; font-size: 0.95em }
ul { padding-left: 1.3rem } li { line-height: 1.7 }
main a { color: var(--vscode-textLink-foreground) } s { color: var(--vscode-descriptionForeground) }
.picture { overflow: hidden; touch-action: none; cursor: grab;
  border: 1px solid var(--vscode-widget-border, var(--vscode-editorLineNumber-foreground)) }
.picture.held { cursor: grabbing }
.picture svg { width: 100%; height: 100%; display: block }
.tools { position: fixed; top: 0.9rem; right: 1.2rem; display: flex; gap: 0.3rem }
.tools button { font: inherit; min-width: 2rem; padding: 0.2rem 0.6rem; cursor: pointer; border-radius: 3px;
  border: 1px solid var(--vscode-button-border, var(--vscode-widget-border, transparent));
  color: var(--vscode-button-secondaryForeground); background: var(--vscode-button-secondaryBackground) }
.tools button:hover { background: var(--vscode-button-secondaryHoverBackground) }
.tools button:focus-visible, main a:focus-visible { outline: 1px solid var(--vscode-focusBorder); outline-offset: 2px }
@media (forced-colors: active) { body .sp rect.box { stroke: CanvasText } }
`;
