import type { ErasureView } from '@parley/protocol/settings/contact';
import { changeRecord } from '../settings/audit.ts';
import type { SignIns } from '../sign-in/sign-ins.ts';
import type { ContactRecord } from '../store/contact-store.ts';
import type { Store } from '../store/store.ts';
import { addressesIn } from './addresses-in.ts';
import type { Contacts } from './contacts.ts';
import { erasePerson, type RemoveSession } from './erase-person.ts';

export interface EraseContactDeps {
  readonly store: Store;
  readonly contacts: Pick<Contacts, 'erase'>;
  readonly removeSession: RemoveSession;
  readonly signIns: Pick<SignIns, 'forgetVisitor'>;
}

export type Actor = Parameters<typeof changeRecord>[0];

/**
 * Erases a contact with all that is theirs, and writes down how much that was. Not `complete`: the next call goes on. With
 * `unseenSince` somebody who comes back meanwhile stays, and so does the conversation that they are in.
 */
export async function eraseContact(
  { store, contacts, removeSession, signIns }: EraseContactDeps,
  actor: Actor,
  contact: ContactRecord,
  unseenSince: number | null = null,
): Promise<ErasureView> {
  const { id, tenantId } = contact;
  const { complete, erased } = await erasePerson(
    {
      store,
      removeSession,
      signOut: ({ visitor }) => signIns.forgetVisitor({ tenantId, visitor }),
    },
    contact,
    addressesOf(contact),
    unseenSince,
  );
  const entryOf = (count: 0 | 1) =>
    changeRecord(actor, {
      tenantId,
      action: 'deleted',
      kind: 'contact',
      // Nothing of the person outlives it here.
      subject: { id, name: null },
      before: { ...erased, contacts: count },
      after: null,
    });
  // The last of all, and in one write: whoever stops before it finds the contact, and no receipt for it.
  const last = entryOf(1);
  const isRemoved = complete && (await contacts.erase(contact, last, unseenSince));
  const entry = isRemoved ? last : entryOf(0);
  // Of who came back before anything of theirs was erased there is nothing to tell.
  const isNothing = unseenSince !== null && Object.values(erased).every((count) => count === 0);
  if (!isRemoved && !isNothing) await store.settings.audit.record(entry);
  return {
    contactId: id,
    at: new Date(entry.at).toISOString(),
    by: entry.actor,
    complete,
    erased: { ...erased, contacts: isRemoved ? 1 : 0 },
  };
}

/** What is known of them that mail could be sent to. */
const addressesOf = ({ visitor, fields, said }: ContactRecord): readonly string[] =>
  [visitor, ...Object.values(fields).map(({ value }) => value), ...Object.values(said)].flatMap(addressesIn);
