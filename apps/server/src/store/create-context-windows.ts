import { sql } from 'kysely';
import type { ContextWindowStore } from './context-window-store.ts';
import type { QueryEngine } from './query-engine.ts';

export function createContextWindows({ queries, read, write, now }: QueryEngine): ContextWindowStore {
  return {
    async getContextWindow({ agentId, modelId }) {
      const learned = queries
        .selectFrom('context_windows')
        .select('tokens')
        .where('agent_id', '=', agentId)
        .where('model_id', '=', modelId)
        .where('expires_at', '>', now());
      const [row] = await read(learned.compile());
      return row === undefined ? null : Number(row['tokens']);
    },

    async saveContextWindow({ agentId, modelId, tokens, ttlMs }) {
      const learned = sql`
        INSERT INTO context_windows (agent_id, model_id, tokens, expires_at)
        SELECT id, ${modelId}, ${tokens}, ${now()} + ${ttlMs} FROM agents WHERE id = ${agentId}
        ON CONFLICT (agent_id) DO UPDATE SET
          model_id = excluded.model_id, tokens = excluded.tokens, expires_at = excluded.expires_at`;
      await write(learned.compile(queries));
    },
  };
}
