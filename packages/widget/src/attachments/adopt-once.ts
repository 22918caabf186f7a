import { adoptStyles } from '../panel/load-cards.ts';
import css from './attachments.css?inline';

const styled = new WeakSet<Node>();

/** For `ref`: the shadow root that an element gets into has the styles then. */
export function adoptOnce(element: Element | null): void {
  const root = element?.getRootNode();
  if (!(root instanceof ShadowRoot) || styled.has(root)) return;
  styled.add(root);
  adoptStyles(root, css);
}
