import type { ErasureView } from '@parley/protocol/settings/contact';
import type { Logger } from '../logger.ts';
import type { AuditRecord } from '../store/audit-store.ts';
import type { ContactRecord } from '../store/contact-store.ts';
import { type Actor, eraseContact, type EraseContactDeps } from './erase-contact.ts';

/** Longer than one call of `eraseContact` takes, and what its caller waits before the next. */
export const erasureLeaseMs = 120_000;
/** Contacts of one sweep. */
const maxContacts = 100;
/** Of one contact, whose conversations take more than one call. */
const maxCalls = 20;

/** Erases a contact for whoever has asked for it. What a process that is killed leaves of it, `finishErasures` erases. */
export async function eraseOnRequest(
  deps: EraseContactDeps,
  actor: Actor,
  contact: ContactRecord,
): Promise<ErasureView> {
  const by = actor.kind === 'member' ? { id: actor.id, name: actor.name } : null;
  await deps.store.beginErasure(contact.id, by, erasureLeaseMs);
  return eraseContact(deps, actor, contact);
}

interface FinishDeps extends EraseContactDeps {
  readonly logger: Pick<Logger, 'warn'>;
}

/** Goes on with erasures that nobody goes on with, in the name of whoever asked. What fails is tried again once its lease has passed. */
export async function finishErasures(deps: FinishDeps): Promise<void> {
  for (let looked = 0; looked < maxContacts; looked += 1) {
    const erasure = await deps.store.claimErasure(erasureLeaseMs);
    if (erasure === null) return;
    const { contactId, by } = erasure;
    try {
      await goOn(deps, contactId, by);
    } catch (err) {
      deps.logger.warn({ err, contactId }, 'an erasure could not be finished');
    }
  }
}

async function goOn(deps: EraseContactDeps, contactId: string, by: AuditRecord['actor']): Promise<void> {
  const actor = by === null ? ({ kind: 'admin' } as const) : ({ kind: 'member', ...by } as const);
  for (let call = 0; call < maxCalls; call += 1) {
    const contact = await deps.store.getContact(contactId);
    if (contact === null || (await eraseOnRequest(deps, actor, contact)).complete) return;
  }
}
