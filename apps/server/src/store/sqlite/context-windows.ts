import type { DatabaseSync } from 'node:sqlite';
import type { Store } from '../store.ts';
import type { GroupCommit } from './group-commit.ts';

export function prepareContextWindows(
  connection: DatabaseSync,
  commits: GroupCommit,
): Pick<Store, 'contextWindow' | 'learnContextWindow'> {
  const learned = connection.prepare(
    'SELECT tokens FROM context_windows WHERE agent_id = ? AND model_id = ? AND expires_at > ?',
  );
  const learn = connection.prepare(`
    INSERT INTO context_windows (agent_id, model_id, tokens, expires_at)
    SELECT id, ?2, ?3, ?4 FROM agents WHERE id = ?1
    ON CONFLICT DO UPDATE SET model_id = excluded.model_id, tokens = excluded.tokens, expires_at = excluded.expires_at`);

  return {
    async contextWindow({ agentId, modelId, now }) {
      const row = learned.get(agentId, modelId, now);
      return row === undefined ? null : Number(row['tokens']);
    },
    learnContextWindow: ({ agentId, modelId, tokens, expiresAt }) =>
      commits.write(() => void learn.run(agentId, modelId, tokens, expiresAt)),
  };
}
