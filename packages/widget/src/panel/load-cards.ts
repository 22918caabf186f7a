import type { Cards } from '../widget-context.ts';

const retryDelays = [1_000, 4_000, 15_000];

/** Calls back once the cards are here and their styles are in the root. */
export async function loadCards(root: ShadowRoot, loaded: (cards: Cards) => void): Promise<void> {
  for (let attempt = 0; ; attempt++) {
    try {
      const cards = await import('../cards/cards.ts');
      adoptStyles(root, cards.css);
      return loaded(cards);
    } catch (error) {
      const delay = retryDelays[attempt];
      if (delay === undefined) throw error;
      await new Promise((resolve) => setTimeout(resolve, delay));
    }
  }
}

export function adoptStyles(root: ShadowRoot, css: string): void {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(css);
  root.adoptedStyleSheets = [...root.adoptedStyleSheets, sheet];
}
