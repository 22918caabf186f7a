/** Which of the drafts that are kept is this tab's, over its reloads; empty for none, null before there was any. */
export const ownDraft = (key: string) => ({
  get(): string | null {
    try {
      return sessionStorage.getItem(key);
    } catch {
      return null;
    }
  },
  set(id: string) {
    try {
      sessionStorage.setItem(key, id);
    } catch {
      // Storage is blocked: nothing is kept beyond the page.
    }
  },
});
