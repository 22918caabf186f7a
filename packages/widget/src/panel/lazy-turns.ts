import { type ReadonlySignal, signal } from '@preact/signals';
import { createContext } from 'preact';

/** What shows answers, tools and questions: loaded beside the open panel, which greets and takes a message without it. */
export type Turns = typeof import('../turn/turns.ts');

export const TurnsContext = createContext<ReadonlySignal<Turns | null>>(signal(null));

const retryDelays = [1_000, 4_000, 15_000];

/** Fills the signal once they are here and their styles are in the root. */
export async function loadTurns(root: ShadowRoot, loaded: (turns: Turns) => void): Promise<void> {
  for (let attempt = 0; ; attempt++) {
    try {
      const turns = await import('../turn/turns.ts');
      const sheet = new CSSStyleSheet();
      sheet.replaceSync(turns.css);
      root.adoptedStyleSheets = [...root.adoptedStyleSheets, sheet];
      return loaded(turns);
    } catch (error) {
      const delay = retryDelays[attempt];
      if (delay === undefined) throw error;
      await new Promise((resolve) => setTimeout(resolve, delay));
    }
  }
}
