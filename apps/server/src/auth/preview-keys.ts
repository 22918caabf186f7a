import type { Secrets } from '../crypto/secrets.ts';
import { draftId } from '../settings/draft-id.ts';
import { notFound } from '../settings/settings-error.ts';
import type { KeyRecord, KeyRight, SettingsStore } from '../store/settings-store.ts';
import { authorize, mayUse } from './authorize.ts';
import { isOver } from './console-sessions.ts';
import { keyDigest } from './create-key.ts';
import type { MemberPrincipal } from './principal.ts';

const wellFormed = /^preview\.([\w-]{1,100})\.([\w-]{1,100})\.([\w-]{43})$/;
const purpose = 'preview key';
const idPrefix = 'preview ';

/** Who previews what. */
interface Preview {
  /** Of the console. */
  readonly sessionId: string;
  readonly agentId: string;
}

export const isPreviewKey = (presented: string): boolean => wellFormed.test(presented);

/** Of the record that such a key is read as. */
export const isPreviewKeyId = (id: string): boolean => id.startsWith(idPrefix);

/**
 * The keys with which members speak to drafts. None is stored: one is the session of the console and the agent, signed,
 * and good for as long as the session lasts and its member may see the agent.
 */
export class PreviewKeys {
  readonly #stored: Pick<SettingsStore, 'agents' | 'members' | 'consoleSessions'>;
  readonly #secrets: Pick<Secrets, 'mac' | 'verify'>;

  constructor(
    stored: Pick<SettingsStore, 'agents' | 'members' | 'consoleSessions'>,
    secrets: Pick<Secrets, 'mac' | 'verify'>,
  ) {
    this.#stored = stored;
    this.#secrets = secrets;
  }

  /** Throws `not-found`. */
  async open(principal: MemberPrincipal, agentId: string): Promise<string> {
    const agent = await this.#stored.agents.get(agentId);
    if (agent === null || !authorize(principal, agent.tenantId)) throw notFound();
    return this.#sign({ sessionId: principal.sessionId, agentId });
  }

  async find(presented: string): Promise<KeyRecord | null> {
    const [, sessionId = '', agentId = '', mac = ''] = wellFormed.exec(presented) ?? [];
    return this.#secrets.verify(purpose, `${sessionId}.${agentId}`, mac)
      ? this.#record({ sessionId, agentId }, presented)
      : null;
  }

  /** By the id of its record; null for any other id, too. */
  async get(id: string): Promise<KeyRecord | null> {
    if (!isPreviewKeyId(id)) return null;
    const [sessionId = '', agentId = ''] = id.slice(idPrefix.length).split(' ');
    return this.#record({ sessionId, agentId }, this.#sign({ sessionId, agentId }));
  }

  /** As `SettingsStore.keys.listRights`. */
  async listRights(ids: readonly string[]): Promise<readonly KeyRight[]> {
    const records = await Promise.all(ids.map((id) => this.get(id)));
    return records.filter((record) => record !== null);
  }

  #sign({ sessionId, agentId }: Preview): string {
    return `preview.${sessionId}.${agentId}.${this.#secrets.mac(purpose, `${sessionId}.${agentId}`)}`;
  }

  /** As a publishable key that pages of the service alone may use. */
  async #record({ sessionId, agentId }: Preview, key: string): Promise<KeyRecord | null> {
    const { agents, members, consoleSessions } = this.#stored;
    const session = await consoleSessions.get(sessionId);
    if (session === null || isOver(session, Date.now())) return null;
    const [member, agent] = await Promise.all([members.get(session.memberId), agents.get(agentId)]);
    if (member === null || agent === null) return null;
    const principal = { ...member, kind: 'member' as const, sessionId };
    if (!mayUse(principal, { role: 'agent', everyTenant: false }) || !authorize(principal, agent.tenantId))
      return null;
    return {
      id: `${idPrefix}${sessionId} ${agentId}`,
      tenantId: agent.tenantId,
      agentId: draftId(agentId),
      kind: 'publishable',
      label: null,
      digest: keyDigest(key),
      publicKey: key,
      last4: key.slice(-4),
      allowedOrigins: [],
      allowMissingOrigin: false,
      turnsPerMinute: null,
      // Nobody asks when it was used.
      lastUsedAt: new Date().toISOString(),
      createdAt: session.createdAt,
    };
  }
}
