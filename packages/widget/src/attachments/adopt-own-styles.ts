import { adoptStyles } from '../ui/adopt-styles.ts';
import css from './attachments.css?inline';

/** For `ref`: the shadow root that an element gets into has the styles then. */
export function adoptOwnStyles(element: Element | null): void {
  const root = element?.getRootNode();
  if (root instanceof ShadowRoot) adoptStyles(root, css);
}
