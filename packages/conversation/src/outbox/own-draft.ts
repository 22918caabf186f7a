import type { Environment } from '../environment.ts';

/** Which of the drafts that are kept are those of this tab's conversations, over its reloads; null before there was any. */
export const ownDraft = ({ tabStorage }: Environment, key: string) => ({
  get(): string[] | null {
    try {
      return tabStorage!().getItem(key)?.split(' ') ?? null;
    } catch {
      return null;
    }
  },
  set(ids: readonly string[]) {
    try {
      tabStorage!().setItem(key, ids.join(' '));
    } catch {
      // There is none, or it is blocked: nothing is kept beyond the page.
    }
  },
});
