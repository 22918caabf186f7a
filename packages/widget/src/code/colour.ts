import { adoptStyles } from '../panel/load-cards.ts';
import css from './code.css?inline';
import { tokenize } from './tokenize.ts';

const styled = new WeakSet<Node>();

/** The code's text in pieces, and the styles for them where its element is. */
export function colour(element: Element, text: string, grammar: string) {
  const root = element.getRootNode() as ShadowRoot;
  if (!styled.has(root)) adoptStyles(root, css);
  styled.add(root);
  return tokenize(text, grammar);
}
