import { isDeepStrictEqual } from 'node:util';
import { ConfigError } from '../config.ts';
import type { Logger } from '../logger.ts';
import type { Secrets } from '../crypto/secrets.ts';
import type { DraftRecord, RevisionStore } from '../store/revision-store.ts';
import type { SettingsStore } from '../store/settings-store.ts';
import { allRecords } from '../settings/all-records.ts';
import { agentContext } from '../settings/credentials.ts';
import {
  parseSecondFactor,
  secondFactorContext,
  storedSecondFactor,
} from '../settings/stored-second-factor.ts';
import { signInContext } from '../sign-in/stored-sign-ins.ts';
import { connectionContext } from '../settings/connection.ts';
import { webhookContext } from '../settings/webhook.ts';
import { type ToolRecordDeps, recordOf, toolContext, toolOf } from '../settings/tool.ts';

/**
 * Encrypts again under the first base every secret that a former one has encrypted, so that the former may be left out
 * at the next start, and encrypts strings that an earlier version stored in plain text under a credential's name.
 * Throws a `ConfigError`, having changed nothing, when a base that is not listed has encrypted something. A record
 * that nobody can read is logged and left as it is.
 */
export async function reencryptSettings(
  settings: Pick<
    SettingsStore,
    'agents' | 'tools' | 'connections' | 'signIns' | 'webhooks' | 'revisions' | 'members'
  >,
  deps: ToolRecordDeps,
  logger: Pick<Logger, 'error'>,
): Promise<void> {
  const { secrets } = deps;
  const { agents, tools, connections, signIns, webhooks, revisions, members } = settings;
  for await (const { id, credentials } of allRecords(agents))
    requireListed(secrets, credentials, { table: 'agents', column: 'credentials', id });
  for await (const { id, secrets: encrypted } of allRecords(tools))
    requireListed(secrets, encrypted, { table: 'tools', column: 'secrets', id });
  for await (const { id, secrets: encrypted } of allRecords(connections))
    requireListed(secrets, encrypted, { table: 'connections', column: 'secrets', id });
  for await (const { id, secrets: encrypted } of allRecords(signIns))
    requireListed(secrets, encrypted, { table: 'sign_ins', column: 'secrets', id });

  for await (const { id, secrets: encrypted } of allRecords(webhooks))
    requireListed(secrets, encrypted, { table: 'webhooks', column: 'secrets', id });

  for await (const member of allRecords(members))
    requireListed(secrets, parseSecondFactor(member)?.secret ?? null, {
      table: 'members',
      column: 'second_factor',
      id: member.id,
    });
  for await (const { agentId, credentials } of allDrafts(revisions))
    requireListed(secrets, credentials, {
      table: 'agent_drafts',
      column: 'credentials',
      key: 'agent_id',
      id: agentId,
    });

  /** Null when there is nothing to do, or nothing that can be done. */
  const reencrypted = (encrypted: string | null, context: string, id: string): string | null => {
    if (encrypted === null) return null;
    const encryptedUnder = secrets.encryptedUnder(encrypted);
    if (encryptedUnder === 'first') return null;
    try {
      if (encryptedUnder === null) throw new Error('its secrets are not in the form that `encrypt` makes');
      return secrets.encrypt(secrets.decrypt(encrypted, context), context);
    } catch (err) {
      logger.error({ err, id }, 'the secrets of this record cannot be opened; it is left as it is');
      return null;
    }
  };

  for await (const { id, credentials } of allRecords(agents)) {
    const encrypted = reencrypted(credentials, agentContext(id), id);
    if (encrypted !== null) await agents.update(id, { credentials: encrypted }, undefined, { credentials });
  }
  for await (const draft of allDrafts(revisions)) {
    const { agentId, version } = draft;
    const encrypted = reencrypted(draft.credentials, agentContext(agentId), agentId);
    if (encrypted !== null) await revisions.saveDraft({ ...draft, credentials: encrypted }, version);
  }
  for await (const member of allRecords(members)) {
    const { id, secondFactor } = member;
    const factor = parseSecondFactor(member);
    const secret = factor && reencrypted(factor.secret, secondFactorContext(id), id);
    const again = factor && secret && { secondFactor: storedSecondFactor({ ...factor, secret }) };
    if (again) await members.update(id, again, undefined, { secondFactor });
  }
  for await (const { id, secrets: stored } of allRecords(connections)) {
    const encrypted = reencrypted(stored, connectionContext(id), id);
    if (encrypted !== null)
      await connections.update(id, { secrets: encrypted }, undefined, { secrets: stored });
  }
  for await (const { id, secrets: stored, version } of allRecords(signIns)) {
    const encrypted = reencrypted(stored, signInContext(id), id);
    if (encrypted !== null)
      await signIns.update(id, { secrets: encrypted, version: version + 1 }, undefined, { version });
  }
  for await (const { id, secrets: stored } of allRecords(webhooks)) {
    const encrypted = reencrypted(stored, webhookContext(id), id);
    if (encrypted !== null) await webhooks.update(id, { secrets: encrypted }, undefined, { secrets: stored });
  }
  for await (const record of allRecords(tools)) {
    const { id, tenantId, config, secrets: before } = record;
    const encrypted = reencrypted(before, toolContext(id), id);
    if (encrypted !== null) await tools.update(id, { secrets: encrypted }, undefined, { secrets: before });
    try {
      const read = { config, secrets: encrypted ?? before };
      const current = recordOf(toolOf({ ...record, ...read }, deps), tenantId, deps);
      if (!isDeepStrictEqual(requestOf(current.config), requestOf(config)))
        await tools.update(id, { config: current.config, secrets: current.secrets }, undefined, read);
    } catch (err) {
      logger.error({ err, id }, 'this tool cannot be read; it is left as it is');
    }
  }
}

function requireListed(
  secrets: Secrets,
  encrypted: string | null,
  { table, column, key = 'id', id }: { table: string; column: string; key?: string; id: string },
): void {
  if (encrypted === null || secrets.encryptedUnder(encrypted) !== 'unlisted') return;
  throw new ConfigError(
    `SECRET_KEY_BASE: the ${column} of ${id} (table ${table}) were encrypted under a base that is not listed. List that ` +
      'base after the first and start again: everything is then encrypted again under the first. If it is lost, so are ' +
      `they: UPDATE ${table} SET ${column} = NULL WHERE ${key} = '${id}'.`,
  );
}

const draftsPerPage = 100;

async function* allDrafts(revisions: RevisionStore): AsyncGenerator<DraftRecord, void> {
  let after: string | null = null;
  for (;;) {
    const page = await revisions.listDrafts({ after, limit: draftsPerPage });
    yield* page;
    if (page.length < draftsPerPage) return;
    after = page.at(-1)?.agentId ?? null;
  }
}

const requestOf = (config: unknown): unknown => Object(config).request;
