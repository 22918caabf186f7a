import { type AgentSettings, agentSettingsSchema } from '@parley/protocol/settings/agent';
import type { AgentRecord } from '../../store/agent-record.ts';
import type { Agent } from '../agent.ts';
import { UnreadableRecordError } from '../unreadable-record-error.ts';

/** What revisions and drafts have of an agent: all but credentials and what applies at once. */
type Snapshot = Pick<AgentRecord, 'name' | 'config'>;

export function snapshotOf({ name, config }: Snapshot): Snapshot {
  const {
    identity: _identity,
    pauseMessage: _message,
    savedQuestions: _questions,
    ...rest
  } = Object(config) as Record<string, unknown>;
  return { name, config: rest };
}

/** The settings of the agent with those of the snapshot in their place. Throws `UnreadableRecordError`. */
export function settingsOf({ settings, id }: Agent, { name, config }: Snapshot): AgentSettings {
  const { tenantId, active, createdAt, identity, pauseMessage, savedQuestions } = settings;
  const immediate = { id, tenantId, active, createdAt, identity, pauseMessage, savedQuestions };
  try {
    return agentSettingsSchema.parse({ ...Object(config), name, ...immediate });
  } catch (error) {
    throw new UnreadableRecordError('agent', id, error);
  }
}
