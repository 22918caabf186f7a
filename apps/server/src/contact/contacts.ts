import { isDeepStrictEqual } from 'node:util';
import type { Pipeline } from '@parley/protocol/settings/pipeline';
import { maxContactValue } from '@parley/protocol/settings/pipeline';
import { newId } from '../settings/id.ts';
import { storedPipeline } from '../settings/stored-pipeline.ts';
import type { AuditRecord } from '../store/audit-store.ts';
import type { ContactField, ContactRecord, Person } from '../store/contact-store.ts';
import type { Store } from '../store/store.ts';
import type { NewDelivery } from '../store/webhook-store.ts';
import type { ContactChange, ContactSheet } from '../tool/contact/contact-tools.ts';
import type { ContactChanger } from '../webhook/event-payloads.ts';
import type { WebhookOutbox } from '../webhook/webhook-outbox.ts';
import { contactView } from './contact-view.ts';
import { stageOf } from './stage-of.ts';

/** How often it is noted that a contact was seen. */
const seenEveryMs = 60_000;
/** How often a change that another one has overtaken is tried again. */
const maxAttempts = 8;
const deliveriesPage = 200;

/** What webhooks are told of. */
const webhookFields = ({ stage, fields, said }: ContactRecord) => ({ stage, fields, said });

export type ContactChangeResult =
  | { readonly outcome: 'changed'; readonly contact: ContactRecord }
  | { readonly outcome: 'missing' }
  | { readonly outcome: 'busy' }
  /** `path`: where in the change. */
  | { readonly outcome: 'invalid'; readonly path: readonly string[]; readonly message: string };

/** Of a change that a member makes, what is written down with it. */
type EntryOf = (before: ContactRecord, after: ContactRecord) => AuditRecord;

type ContactWebhooks = Pick<WebhookOutbox, 'tellsOfContacts' | 'deliveriesOfContact' | 'queued'>;

/** The people that the agents of tenants know. Whatever changes a contact does so here, and webhooks are told of it. */
export class Contacts {
  readonly #store: Store;
  readonly #webhooks: ContactWebhooks;

  constructor(store: Store, webhooks: ContactWebhooks) {
    this.#store = store;
    this.#webhooks = webhooks;
  }

  async pipeline(tenantId: string): Promise<Pipeline> {
    return storedPipeline((await this.#store.settings.tenants.get(tenantId))?.pipeline);
  }

  /** A visitor who has proved who they are is there: they are a contact from now on. `said`: what they typed into a form. */
  async seen(person: Person, said: ContactRecord['said'] = {}): Promise<void> {
    const now = Date.now();
    const known = await this.#store.findContact(person);
    if (known === null) {
      const fresh = { ...person, stage: '', fields: {}, said, createdAt: now, seenAt: now, revision: 0 };
      const contact = { id: newId('contact'), ...fresh };
      const deliveries = await this.#deliveriesOf(contact, 'added', 'visitor');
      if (await this.#store.addContact(contact, deliveries)) this.#queued(deliveries);
      return;
    }
    const isNew = Object.entries(said).some(([name, value]) => known.said[name] !== value);
    if (isNew)
      await this.#save(
        () => this.#store.findContact(person),
        (contact) => ({ ...contact, said, seenAt: now }),
        'visitor',
      );
    else if (known.seenAt < now - seenEveryMs) await this.#store.noteSeen(known.id, now);
  }

  /** What an agent may know of whom it talks to; null: no contact of the tenant. */
  async sheetOf(person: Person): Promise<ContactSheet | null> {
    const contact = await this.#store.findContact(person);
    if (contact === null) return null;
    const { stages, fields } = await this.pipeline(person.tenantId);
    return {
      stage: stageOf(contact, stages),
      stages,
      fields: fields.map(({ id, name }) => ({ id, name, value: contact.fields[id]?.value ?? null })),
      said: contact.said,
      firstSeen: new Date(contact.createdAt).toISOString(),
    };
  }

  /** Changes the contact of a visitor, on behalf of the agent that talks to them. */
  changeByAgent(person: Person, change: ContactChange): Promise<ContactChangeResult> {
    return this.#change(person.tenantId, () => this.#store.findContact(person), change, 'agent');
  }

  /** Changes a contact, on behalf of a member; the log of changes has the entry with it. */
  changeByTeam(
    { id, tenantId }: ContactRecord,
    change: ContactChange,
    entryOf: EntryOf,
  ): Promise<ContactChangeResult> {
    return this.#change(tenantId, () => this.#store.getContact(id), change, 'team', entryOf);
  }

  /**
   * Erases a contact, and what webhooks were told of it; they are told no more than that it is gone. The log of changes has the
   * receipt with it. False: it was gone already, or was seen since `unseenSince`.
   */
  async erase(
    { id, tenantId }: Pick<ContactRecord, 'id' | 'tenantId'>,
    receipt: AuditRecord,
    unseenSince: number | null = null,
  ): Promise<boolean> {
    // What is to be told of who is back is told.
    if (unseenSince !== null && ((await this.#store.getContact(id))?.seenAt ?? 0) >= unseenSince)
      return false;
    const gone = this.#webhooks.deliveriesOfContact(tenantId, { id }, 'erased', 'team');
    // What is left goes with the contact, in one write: nobody comes back for it.
    while ((await this.#store.eraseLane(id, deliveriesPage)) === deliveriesPage);
    const isRemoved = await this.#store.removeContact(id, gone, receipt, unseenSince);
    if (isRemoved) this.#queued(gone);
    return isRemoved;
  }

  async #change(
    tenantId: string,
    find: () => Promise<ContactRecord | null>,
    { stage, fields = {} }: ContactChange,
    by: ContactField['by'],
    entryOf?: EntryOf,
  ): Promise<ContactChangeResult> {
    const pipeline = await this.pipeline(tenantId);
    if (stage !== undefined && !pipeline.stages.some(({ id }) => id === stage))
      return unknown(['stage'], 'stage', stage, pipeline.stages);
    const known = new Set(pipeline.fields.map(({ id }) => id));
    for (const id of Object.keys(fields)) {
      // What was noted in a field that is gone may still be removed.
      if (!known.has(id) && (by === 'agent' || fields[id]))
        return unknown(['fields', id], 'field', id, pipeline.fields);
    }
    return this.#save(
      find,
      (contact) => ({
        ...contact,
        stage: stage ?? contact.stage,
        fields: noted(contact.fields, fields, by),
      }),
      by,
      entryOf,
    );
  }

  async #save(
    find: () => Promise<ContactRecord | null>,
    changed: (contact: ContactRecord) => ContactRecord,
    by: ContactChanger,
    entryOf?: EntryOf,
  ): Promise<ContactChangeResult> {
    for (let attempt = 0; attempt < maxAttempts; attempt++) {
      const before = await find();
      if (before === null) return { outcome: 'missing' };
      const contact = changed(before);
      const isNews = !isDeepStrictEqual(webhookFields(before), webhookFields(contact));
      const deliveries = isNews ? await this.#deliveriesOf(contact, 'changed', by) : [];
      const entry = isNews ? entryOf?.(before, contact) : undefined;
      if (!(await this.#store.changeContact(contact, deliveries, entry))) continue;
      this.#queued(deliveries);
      return { outcome: 'changed', contact };
    }
    return { outcome: 'busy' };
  }

  async #deliveriesOf(
    contact: ContactRecord,
    change: 'added' | 'changed',
    by: ContactChanger,
  ): Promise<readonly NewDelivery[]> {
    const { tenantId } = contact;
    if (!this.#webhooks.tellsOfContacts(tenantId)) return [];
    const view = contactView(contact, await this.pipeline(tenantId));
    return this.#webhooks.deliveriesOfContact(tenantId, view, change, by);
  }

  #queued(deliveries: readonly NewDelivery[]): void {
    if (deliveries.length > 0) this.#webhooks.queued();
  }
}

function noted(
  before: ContactRecord['fields'],
  change: NonNullable<ContactChange['fields']>,
  by: ContactField['by'],
): ContactRecord['fields'] {
  const entries = Object.entries(change).map(
    ([id, value]) => [id, value?.slice(0, maxContactValue).toWellFormed() ?? ''] as const,
  );
  const removed = new Set(entries.flatMap(([id, value]) => (value === '' ? [id] : [])));
  const kept = Object.entries(before).filter(([id]) => !removed.has(id));
  const written = entries.flatMap(([id, value]) => (value === '' ? [] : [[id, { value, by }] as const]));
  return Object.fromEntries([...kept, ...written]);
}

function unknown(
  path: readonly string[],
  what: string,
  id: string,
  known: readonly { readonly id: string }[],
): ContactChangeResult {
  const ids = known.map((each) => each.id).join(', ');
  const message = `There is no ${what} ${id}. ${ids === '' ? `The pipeline has no ${what}s.` : `Use one of: ${ids}.`}`;
  return { outcome: 'invalid', path, message };
}
