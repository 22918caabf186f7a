import { keepLoading } from '@parley/conversation';
import { adoptStyles } from '../ui/adopt-styles.ts';

/** A later part of the panel, its styles, if it has any, in the root: tried until nobody wants it, and each failure told. */
export async function loadLater<Part extends object>(
  load: () => Promise<Part>,
  layer: Parameters<typeof adoptStyles>[2],
  root: ShadowRoot,
  signal: AbortSignal,
  failed: () => void,
): Promise<Part | null> {
  const part = await keepLoading(load, signal, failed);
  if (part && 'css' in part) adoptStyles(root, part.css as string, layer);
  return part;
}
