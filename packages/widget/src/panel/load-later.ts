import { adoptStyles } from './adopt-styles.ts';

const longestDelay = 15_000;

/**
 * A later part of the panel, its styles, if it has any, in the root. Without it there is nothing to read: it is tried until nobody wants
 * it, and each failure told.
 */
export async function loadLater<Part extends object>(
  load: () => Promise<Part>,
  layer: Parameters<typeof adoptStyles>[2],
  root: ShadowRoot,
  signal: AbortSignal,
  failed: () => void,
): Promise<Part | null> {
  for (let delay = 1_000; !signal.aborted; delay = Math.min(delay * 4, longestDelay)) {
    try {
      const part = await load();
      if (signal.aborted) break;
      if ('css' in part) adoptStyles(root, part.css as string, layer);
      return part;
    } catch (error) {
      console.error('Parley:', error);
      failed();
      await new Promise((resolve) => setTimeout(resolve, delay));
    }
  }
  return null;
}
