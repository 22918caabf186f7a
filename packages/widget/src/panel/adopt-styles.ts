const sheets = new Map<string, CSSStyleSheet>();

/** Once for a root, and again when the root has begun anew. */
export function adoptStyles(root: ShadowRoot, css: string): void {
  const sheet = sheets.get(css) ?? new CSSStyleSheet();
  if (root.adoptedStyleSheets.includes(sheet)) return;
  if (!sheets.has(css)) sheet.replaceSync(css);
  sheets.set(css, sheet);
  root.adoptedStyleSheets.push(sheet);
}
