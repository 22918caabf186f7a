import type { Secrets } from '../../crypto/secrets.ts';
import type { DraftRecord, RevisionStore } from '../../store/revision-store.ts';
import type { SettingsStore } from '../../store/settings-store.ts';
import { type Agent, loadAgent } from '../agent.ts';
import { agentContext, type Credentials, decryptAgentSecrets, isSamePlace } from '../credentials.ts';
import { draftId } from '../draft-id.ts';
import { UnreadableRecordError } from '../unreadable-record-error.ts';
import { mergeSettings } from './merge-settings.ts';
import { settingsOf } from './snapshot.ts';

export interface Draft {
  /** Null: nothing was changed. */
  readonly record: DraftRecord | null;
  /** The agent as the draft has it, on top of what is live now. */
  readonly agent: Agent;
  readonly conflicts: readonly string[];
}

/** Throws `UnreadableRecordError`. */
export async function loadDraft(
  revisions: Pick<RevisionStore, 'get' | 'getDraft'>,
  secrets: Secrets,
  live: Agent,
): Promise<Draft> {
  const record = await revisions.getDraft(live.id);
  if (record === null) return { record, agent: live, conflicts: [] };
  const isBased = record.base === live.revision;
  const began = isBased ? null : await revisions.get(live.id, record.base);
  const base = isBased ? live.settings : began && settingsOf(live, began);
  const { settings, conflicts } = mergeSettings(base, live.settings, settingsOf(live, record));
  const credentials = credentialsOf(secrets, live, record, settings.model);
  return { record, agent: { ...live, name: settings.name, settings, credentials }, conflicts };
}

/** The draft of an agent as members try it out: also while the agent is paused, and without a visitor's token. */
export async function previewedAgent(
  settings: SettingsStore,
  secrets: Secrets,
  agentId: string,
): Promise<Agent | null> {
  const live = await loadAgent(settings, secrets, agentId);
  if (live === null) return null;
  const { agent } = await loadDraft(settings.revisions, secrets, live);
  const identity = { ...agent.settings.identity, required: false };
  return { ...agent, id: draftId(agentId), active: true, settings: { ...agent.settings, identity } };
}

/** Those that were entered for the draft, else those that are live: each only where it was entered for. */
function credentialsOf(secrets: Secrets, live: Agent, record: DraftRecord, model: object): Credentials {
  const own = openCredentials(secrets, record);
  if (own !== null && isSamePlace(settingsOf(live, record).model, model)) return own;
  return isSamePlace(live.settings.model, model) ? live.credentials : {};
}

/** Null: those that are live. */
function openCredentials(secrets: Secrets, { agentId, credentials }: DraftRecord): Credentials | null {
  if (credentials === null) return null;
  try {
    return decryptAgentSecrets(secrets, credentials, agentId).credentials;
  } catch (error) {
    throw new UnreadableRecordError('agent', agentId, error);
  }
}

export const encryptDraftCredentials = (
  secrets: Secrets,
  agentId: string,
  credentials: Credentials,
): string => secrets.encrypt(JSON.stringify(credentials), agentContext(agentId));
