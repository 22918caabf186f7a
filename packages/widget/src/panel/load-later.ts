import { adoptStyles } from './adopt-styles.ts';

const longestDelay = 15_000;

/**
 * A later part of the panel, its styles in the root. Without it there is nothing to read: it is tried until nobody wants
 * it, and each failure told.
 */
export async function loadLater<Part extends { css: string }>(
  load: () => Promise<Part>,
  root: ShadowRoot,
  signal: AbortSignal,
  failed: () => void,
): Promise<Part | null> {
  for (let delay = 1_000; !signal.aborted; delay = Math.min(delay * 4, longestDelay)) {
    try {
      const part = await load();
      if (signal.aborted) break;
      adoptStyles(root, part.css);
      return part;
    } catch (error) {
      console.error('Parley:', error);
      failed();
      await new Promise((resolve) => setTimeout(resolve, delay));
    }
  }
  return null;
}
