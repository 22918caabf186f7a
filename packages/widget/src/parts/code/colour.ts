import { adoptStyles } from '../../ui/adopt-styles.ts';
import css from './code.css?inline';
import { tokenize } from './tokenize.ts';

/** The code's text in pieces, and the styles for them where its element is. */
export function colour(element: Element, text: string, grammar: string) {
  adoptStyles(element.getRootNode() as ShadowRoot, css);
  return tokenize(text, grammar);
}
