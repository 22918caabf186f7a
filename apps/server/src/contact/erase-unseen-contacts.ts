import type { Logger } from '../logger.ts';
import { allRecords } from '../settings/all-records.ts';
import { storedPipeline } from '../settings/stored-pipeline.ts';
import { dayMs } from '../store/day-ms.ts';
import { automationId } from '../store/inbox-store.ts';
import type { Person } from '../store/contact-store.ts';
import { eraseContact, type EraseContactDeps } from './erase-contact.ts';

const page = 50;
const sessionPage = 100;
/** Of one tenant at a time: who has many leaves the others theirs, and has the rest the next time. */
const maxOfTenant = 500;
/** Of one contact, whose conversations take more than one call. */
const maxCalls = 20;
/** For which nobody else erases the same contact. */
const claimMs = 3_600_000;

/** As the log of changes names it. */
const retention = { kind: 'member', id: automationId, name: 'Retention' } as const;

interface SweepDeps extends EraseContactDeps {
  readonly logger: Pick<Logger, 'warn'>;
}

/**
 * Erases contacts that nobody has spoken with for as long as their tenant keeps them. What cannot be erased is tried again
 * the next time, and holds nothing else up.
 */
export async function eraseUnseenContacts(deps: SweepDeps, now = Date.now()): Promise<void> {
  for await (const { id, pipeline } of allRecords(deps.store.settings.tenants)) {
    try {
      const { retentionDays } = storedPipeline(pipeline);
      if (retentionDays !== undefined) await eraseOfTenant(deps, id, now - retentionDays * dayMs);
    } catch (err) {
      deps.logger.warn({ err, tenantId: id }, 'contacts of a tenant could not be erased');
    }
  }
}

/** On Chat nobody notes that a contact was seen, and the team may have written to them; 0: in no conversation. */
async function lastSpokenWith({ store }: EraseContactDeps, person: Person): Promise<number> {
  let latest = 0;
  for (let after: string | null = null; ;) {
    const { items, next } = await store.listSessionsOf(person, { after, limit: sessionPage });
    for (const { activeAt } of await store.getConversations(items)) latest = Math.max(latest, activeAt);
    if (next === null) return latest;
    after = next;
  }
}

async function eraseOfTenant(deps: SweepDeps, tenantId: string, unseenSince: number): Promise<void> {
  const { store } = deps;
  let after: string | null = null;
  for (let looked = 0; looked < maxOfTenant; looked += page) {
    const { items, next } = await store.listUnseenContacts({ tenantId, unseenSince, after, limit: page });
    for (const id of items)
      await eraseIfUnseen(deps, id, unseenSince).catch((err: unknown) =>
        deps.logger.warn(
          { err, tenantId, contactId: id },
          'a contact that nobody has seen could not be erased',
        ),
      );
    if (next === null) return;
    after = next;
  }
}

async function eraseIfUnseen(deps: EraseContactDeps, id: string, unseenSince: number): Promise<void> {
  const claim = { scope: `erasures:contact:${id}`, limit: 1, windowMs: claimMs, amount: 1 };
  if ((await deps.store.countQuotas([claim])) !== null) return;
  for (let call = 0; call < maxCalls; call += 1) {
    const contact = await deps.store.getContact(id);
    // Whoever has come back meanwhile stays.
    if (contact === null || contact.seenAt >= unseenSince) return;
    const spokenAt = await lastSpokenWith(deps, contact);
    if (spokenAt >= unseenSince) return deps.store.noteSeen(id, spokenAt);
    if ((await eraseContact(deps, retention, contact, unseenSince)).complete) return;
  }
}
