/** In the order in which they prevail, whatever is loaded first. */
const layers = ['launcher', 'panel', 'cards', 'part'] as const;
type Layer = (typeof layers)[number];

const sheets = new Map<string, CSSStyleSheet>();

/** Once for a root, and again when the root has begun anew. A part that is loaded for itself has the last word. */
export function adoptStyles(root: ShadowRoot, css: string, layer: Layer = 'part'): void {
  const sheet = sheets.get(css) ?? new CSSStyleSheet();
  if (root.adoptedStyleSheets.includes(sheet)) return;
  if (!sheets.has(css)) sheet.replaceSync(`@layer ${layers.join()};@layer ${layer}{${css}}`);
  sheets.set(css, sheet);
  root.adoptedStyleSheets.push(sheet);
}
