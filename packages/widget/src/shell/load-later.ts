import { keepLoading } from '@parley/conversation';
import { adoptStyles } from '../ui/adopt-styles.ts';

/**
 * The later parts of the panel, their styles in the root, tried until nobody wants them. That they do not come is told by
 * the conversation, which misses what comes with them.
 */
export async function loadLater<Part extends { css: string }>(
  load: () => Promise<Part>,
  root: ShadowRoot,
  signal: AbortSignal,
): Promise<Part | null> {
  const part = await keepLoading(load, signal, () => {});
  if (part) adoptStyles(root, part.css, 'cards');
  return part;
}
