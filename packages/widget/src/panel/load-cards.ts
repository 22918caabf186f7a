import type { Cards } from '../widget-context.ts';
import { adoptStyles } from './adopt-styles.ts';

const longestDelay = 15_000;

/** What the conversation is shown with, its styles in the root. Without it there is nothing to read: it is tried until nobody wants it. */
export async function loadCards(root: ShadowRoot, signal: AbortSignal): Promise<Cards | null> {
  for (let delay = 1_000; !signal.aborted; delay = Math.min(delay * 4, longestDelay)) {
    try {
      const cards = await import('../cards/cards.ts');
      if (signal.aborted) break;
      adoptStyles(root, cards.css);
      return cards;
    } catch (error) {
      console.error('Parley could not load all of its panel and tries again.', error);
      await new Promise((resolve) => setTimeout(resolve, delay));
    }
  }
  return null;
}
