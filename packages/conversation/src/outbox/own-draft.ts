import type { Environment } from '../environment.ts';

/** Which of the drafts that are kept is this tab's, over its reloads; empty for none, null before there was any. */
export const ownDraft = ({ tabStorage }: Environment, key: string) => ({
  get(): string | null {
    try {
      return tabStorage!().getItem(key);
    } catch {
      return null;
    }
  },
  set(id: string) {
    try {
      tabStorage!().setItem(key, id);
    } catch {
      // There is none, or it is blocked: nothing is kept beyond the page.
    }
  },
});
