type Entries = Readonly<Record<string, string>>;

const ownerKey = 'entered by';
const keyOf = (form: string): string => `form ${form}`;

/** What was entered into a form in this tab, before a reload or the end of a session. */
export function keptEntries(form: string): Entries {
  try {
    return JSON.parse(sessionStorage.getItem(keyOf(form)) ?? '{}') as Entries;
  } catch {
    return {};
  }
}

/**
 * Keeps all but the secret ones, which are written nowhere: passwords, keys and codes stay out of a storage that every
 * script of the page can read, and are entered again.
 */
export function keepEntries(form: string, entries: Entries, secret: readonly string[] = []): void {
  const written = Object.entries(entries).filter(([field]) => !secret.includes(field));
  if (written.length === 0) {
    forgetEntries(form);
    return;
  }
  try {
    sessionStorage.setItem(keyOf(form), JSON.stringify(Object.fromEntries(written)));
  } catch {
    // The tab may keep no more: what is on the screen stays there.
  }
}

export function forgetEntries(form: string): void {
  sessionStorage.removeItem(keyOf(form));
}

/** Whoever signs in where somebody else's session has ended finds nothing of theirs. */
export function keepEntriesOf(memberId: string): void {
  const owner = sessionStorage.getItem(ownerKey);
  if (owner !== null && owner !== memberId) sessionStorage.clear();
  sessionStorage.setItem(ownerKey, memberId);
}
