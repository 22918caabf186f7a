import type { ErasureView } from '@parley/protocol/settings/contact';
import { logDigest } from '../crypto/log-digest.ts';
import type { Person } from '../store/contact-store.ts';
import type { Store } from '../store/store.ts';

/** How long one call goes on removing conversations. */
const longestMs = 15_000;
const pageSize = 50;

/**
 * Ends a session, with every stream of it, and removes all there is of it; with `idleMs` only when nothing has happened in
 * it for so long. False: there was none, or it was not idle.
 */
export type RemoveSession = (id: string, only?: { readonly idleMs: number }) => Promise<boolean>;

interface EraseDeps {
  readonly store: Store;
  readonly removeSession: RemoveSession;
  /** Ends what they have signed in to. Resolves with how much that was. */
  readonly signOut: (person: Person) => Promise<number>;
}

/**
 * Removes all there is of a person but the contact itself: their conversations in every agent, files that they uploaded, what they have
 * signed in to, and whose their appointments are. Not `complete`: there was more than one call removes, and the next one goes on.
 */
export async function erasePerson(
  { store, removeSession, signOut }: EraseDeps,
  person: Person,
  /** Where mail reaches them, as far as it is known. */
  addresses: readonly string[] = [person.visitor],
  /** Is left off once they were seen or active since then; null: whatever they do meanwhile. */
  unseenSince: number | null = null,
): Promise<Pick<ErasureView, 'complete'> & { erased: Omit<ErasureView['erased'], 'contacts'> }> {
  const end = performance.now() + longestMs;
  const wasSeen = async () =>
    unseenSince !== null && ((await store.findContact(person))?.seenAt ?? 0) >= unseenSince;
  /** Once all of their conversations are gone: there is a new one where nobody is noted as seen, as on Chat. */
  const isBack = async () =>
    unseenSince !== null &&
    ((await wasSeen()) || (await store.listSessionsOf(person, { after: null, limit: 1 })).items.length > 0);
  const erased = { conversations: 0, files: 0, appointments: 0, signIns: await signOut(person) };
  // Before what else is theirs: a turn that runs still books and uploads until its conversation is gone.
  for (;;) {
    const { items } = await store.listSessionsOf(person, { after: null, limit: pageSize });
    if (items.length === 0) break;
    // What was booked there before they were known is theirs as well.
    erased.appointments += await store.eraseAppointmentsOf(person, items.map(logDigest));
    for (const id of items) {
      if (await wasSeen()) return { complete: false, erased };
      const only = unseenSince === null ? undefined : { idleMs: Date.now() - unseenSince };
      if (await removeSession(id, only)) erased.conversations += 1;
      else if (only && (await store.getSession(id)) !== null) return { complete: false, erased };
      if (performance.now() > end) return { complete: false, erased };
    }
  }
  if (await isBack()) return { complete: false, erased };
  erased.signIns += await signOut(person);
  // In the conversations of others too, who have asked for mail to them.
  await store.eraseReadyMailsTo(person.tenantId, addresses);
  erased.appointments += await store.eraseAppointmentsOf(person);
  for (let isLeft = true; isLeft;) {
    const ids = await store.listFilesOf(person, pageSize);
    if (ids.length > 0) await store.files.discard(ids);
    erased.files += ids.length;
    isLeft = ids.length === pageSize;
  }
  // What is being removed says no more whose it is, so it is theirs until all of it is gone.
  const complete = await store.finishRemovals(Math.max(0, end - performance.now()));
  return { complete: complete && !(await isBack()), erased };
}
