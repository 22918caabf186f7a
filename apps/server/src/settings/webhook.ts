import {
  type WebhookCreate,
  type WebhookPatch,
  type WebhookSettings,
  type WebhookView,
  webhookSettingsSchema,
  webhookViewSchema,
} from '@parley/protocol/settings/webhook';
import { z } from 'zod';
import type { Secrets } from '../crypto/secrets.ts';
import type { SettingsStore, WebhookRecord } from '../store/settings-store.ts';
import { createWebhookSecret } from '../webhook/signature.ts';
import { newId } from './id.ts';
import { parseSecrets } from './parse-secrets.ts';
import { patched } from './patch.ts';
import type { ResourceDefinition } from './resource.ts';
import { invalid } from './settings-error.ts';
import { UnreadableRecordError } from './unreadable-record-error.ts';

/** Webhooks that a tenant may have: each is told of every event by itself. */
const maxPerTenant = 20;
/** How long requests are signed with the secret before, too. */
const rotationMs = 24 * 3_600_000;

const secretsSchema = z.strictObject({
  current: z.string(),
  previous: z.strictObject({ secret: z.string(), until: z.number() }).nullable(),
});
type WebhookSecrets = z.infer<typeof secretsSchema>;

const stateSchema = z.strictObject({
  failingSince: z.iso.datetime().nullable(),
  problem: z.string().nullable(),
});
export type WebhookState = z.infer<typeof stateSchema>;

/** Of a webhook whose last attempt was taken, or that was never tried. */
export const workingState: WebhookState = { failingSince: null, problem: null };

/** The context that a webhook's secrets are encrypted under. */
export const webhookContext = (webhookId: string): string => `secrets of ${webhookId}`;

/** Throws `UnreadableRecordError`. */
export function webhookOf({ id, tenantId, name, active, config, createdAt }: WebhookRecord): WebhookSettings {
  try {
    return webhookSettingsSchema.parse({ ...Object(config), id, tenantId, name, active, createdAt });
  } catch (error) {
    throw new UnreadableRecordError('webhook', id, error);
  }
}

export const webhookState = ({ state }: WebhookRecord): WebhookState =>
  stateSchema.safeParse(state).data ?? workingState;

/** What its requests are signed with now: the newest secret first. Throws `UnreadableRecordError`. */
export function signingSecrets(record: WebhookRecord, secrets: Secrets): readonly string[] {
  const plain = opened(record, secrets);
  if (plain === null)
    throw new UnreadableRecordError('webhook', record.id, new Error('it has no secret, and needs another'));
  const { current, previous } = plain;
  return previous !== null && Date.now() < previous.until ? [current, previous.secret] : [current];
}

/** Another secret; the one it has now stays valid for a day, and the one before that no longer. */
export function rotatedSecrets(
  record: WebhookRecord,
  secrets: Secrets,
): { readonly secret: string; readonly fields: Pick<WebhookRecord, 'secrets'> } {
  const secret = createWebhookSecret();
  const before = opened(record, secrets);
  const previous = before && { secret: before.current, until: Date.now() + rotationMs };
  return { secret, fields: { secrets: encrypted(record.id, { current: secret, previous }, secrets) } };
}

/** `secret` is given right after it was made. */
export function webhookView(record: WebhookRecord, secrets: Secrets, secret?: string): WebhookView {
  const { current, previous } = opened(record, secrets) ?? { current: '', previous: null };
  const { failingSince, problem } = webhookState(record);
  const until = previous !== null && Date.now() < previous.until ? previous.until : null;
  return webhookViewSchema.parse({
    ...webhookOf(record),
    status: !record.active ? 'off' : failingSince === null ? 'working' : 'failing',
    failingSince,
    problem,
    last4: current.slice(-4),
    previousSecretUntil: until === null ? null : new Date(until).toISOString(),
    ...(secret !== undefined && { secret }),
  });
}

/** As it is stored: what a process of the version before cannot read is left out where nobody has set it. */
const configOf = ({
  url,
  events,
  agentIds,
  approvalLinks,
}: Pick<WebhookSettings, 'url' | 'events' | 'agentIds' | 'approvalLinks'>) => ({
  url,
  events: [...new Set(events)],
  agentIds,
  ...(approvalLinks && { approvalLinks }),
});

/** Whether what failed before says nothing of it any more. */
const isAnew = (before: WebhookSettings, after: WebhookSettings): boolean =>
  after.url !== before.url || (after.active && !before.active);

function opened({ id, secrets: stored }: WebhookRecord, secrets: Secrets): WebhookSecrets | null {
  if (stored === null) return null;
  try {
    return parseSecrets(secretsSchema, secrets.decrypt(stored, webhookContext(id)));
  } catch (error) {
    throw new UnreadableRecordError('webhook', id, error);
  }
}

const encrypted = (id: string, plain: WebhookSecrets, secrets: Secrets): string =>
  secrets.encrypt(JSON.stringify(plain), webhookContext(id));

interface WebhookDeps {
  readonly settings: Pick<SettingsStore, 'tenants' | 'agents' | 'webhooks'>;
  readonly secrets: Secrets;
  /** Why an address may not be called; null: it may. */
  readonly refusal: (url: string) => Promise<string | null>;
  /** This process knows what is stored now of the webhook. */
  readonly reload: (webhookId: string) => Promise<void>;
  /** What waits for its next attempt is made now. */
  readonly hurry: (webhookId: string) => Promise<void>;
}

export function webhookDefinition({
  settings: { tenants, agents, webhooks },
  secrets,
  refusal,
  reload,
  hurry,
}: WebhookDeps): ResourceDefinition<WebhookRecord, WebhookCreate, WebhookPatch, WebhookView> {
  async function rejectForeignAgents(tenantId: string, agentIds: readonly string[] | null): Promise<void> {
    for (const [index, agentId] of (agentIds ?? []).entries())
      if ((await agents.get(agentId))?.tenantId !== tenantId)
        throw invalid(['agentIds', String(index)], 'There is no such agent.');
  }

  function rejectContactsOfAgents({ events, agentIds }: Pick<WebhookCreate, 'events' | 'agentIds'>): void {
    if (agentIds !== null && events.includes('contact.changed'))
      throw invalid(['events'], 'Contacts are of all agents: a webhook of some is not told of them.');
  }

  async function rejectAddress(url: string): Promise<void> {
    const reason = await refusal(url);
    if (reason !== null) throw invalid(['url'], reason);
  }

  async function rejectTooMany(tenantId: string): Promise<void> {
    const { items } = await webhooks.list({ where: { tenantId }, after: null, limit: maxPerTenant });
    if (items.length >= maxPerTenant)
      throw invalid(
        ['tenantId'],
        `There are ${maxPerTenant} webhooks already, which is as many as there may be.`,
      );
  }

  return {
    kind: 'webhook',
    nameOf: ({ name }) => name,
    records: webhooks,
    tenantOf: ({ tenantId }) => tenantId,
    ofTenant: (tenantId) => ({ tenantId }),
    view: (record) => webhookView(record, secrets),
    owner: {
      field: 'tenantId',
      tenantOf: async ({ tenantId }) => (await tenants.get(tenantId))?.id,
    },
    async create({ name, active, url, events, agentIds, approvalLinks }, tenantId) {
      await rejectTooMany(tenantId);
      rejectContactsOfAgents({ events, agentIds });
      await rejectForeignAgents(tenantId, agentIds);
      await rejectAddress(url);
      const id = newId('webhook');
      const secret = createWebhookSecret();
      const record: WebhookRecord = {
        id,
        tenantId,
        name,
        active,
        config: configOf({ url, events, agentIds, approvalLinks }),
        secrets: encrypted(id, { current: secret, previous: null }, secrets),
        state: workingState,
        createdAt: new Date().toISOString(),
      };
      return { record, view: webhookView(record, secrets, secret) };
    },
    async patch(record, patch) {
      const before = webhookOf(record);
      const after = webhookSettingsSchema.parse(patched(before, patch));
      const { name, active, url, agentIds } = after;
      rejectContactsOfAgents(after);
      if (patch.agentIds) await rejectForeignAgents(record.tenantId, agentIds);
      if (url !== before.url) await rejectAddress(url);
      return {
        name,
        active,
        config: configOf(after),
        ...(isAnew(before, after) && { state: workingState }),
      };
    },
    async replaced(before, after) {
      if (isAnew(webhookOf(before), webhookOf(after))) await hurry(after.id);
    },
    guarded: ['name', 'config', 'active', 'secrets'],
    saved: ({ id }) => reload(id),
    // What it was told is erased by the jobs, however much that is.
    removed: ({ id }) => reload(id),
  };
}
