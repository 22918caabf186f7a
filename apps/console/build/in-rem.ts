/** What the sizes of the style sheets are meant for: a browser whose text size nobody has changed. */
const usualRootPx = 16;
/** Lines stay as fine as they are. */
const finestPx = 3;

/**
 * Sizes in the unit that grows with the text size of the browser's settings. The style sheets have them in px, since tokens of
 * the widget are among them, which stands in pages whose root font size is not ours.
 */
export function inRem(value: string, unit: 'em' | 'rem' = 'rem'): string {
  return value.replaceAll(/(?<![\w.#-])(-?(?:\d+\.?\d*|\.\d+))px\b/g, (size, px: string) =>
    Math.abs(Number(px)) > finestPx ? `${Number(px) / usualRootPx}${unit}` : size,
  );
}

/** For PostCSS. In the condition of a `@media` rule `em` is of the browser's settings. */
export const rootSizes = {
  postcssPlugin: 'root-sizes',
  Declaration(declaration: { value: string }) {
    const value = inRem(declaration.value);
    if (value !== declaration.value) declaration.value = value;
  },
  AtRule(rule: { readonly name: string; params: string }) {
    if (rule.name !== 'media' && rule.name !== 'container') return;
    const params = inRem(rule.params, rule.name === 'media' ? 'em' : 'rem');
    if (params !== rule.params) rule.params = params;
  },
};
