import { sql } from 'kysely';
import type { QueryEngine } from './query-engine.ts';
import type { TransferStore } from './transfer-store.ts';

export function createTransfers({ queries, write, erase, now }: QueryEngine): TransferStore {
  const keyOf = (sessionId: string) =>
    sql`(SELECT key FROM sessions WHERE id = ${sessionId} AND status <> 'removed')`;
  return {
    async saveTransfer(sessionId, digest, ttlMs) {
      const saved = sql`
        INSERT INTO session_transfers (session, digest, expires_at)
        SELECT key, ${digest}, ${now()} + ${ttlMs} FROM sessions
        WHERE id = ${sessionId} AND status <> 'removed' AND visitor IS NULL
        ON CONFLICT (session) DO UPDATE SET digest = excluded.digest, expires_at = excluded.expires_at
        RETURNING session`;
      return (await write(saved.compile(queries))).length > 0;
    },

    async takeTransfer({ tenantId, agentId }, digest) {
      const taken = sql`
        DELETE FROM session_transfers
        WHERE digest = ${digest} AND expires_at > ${now()} AND session IN (
          SELECT key FROM sessions
          WHERE tenant_id = ${tenantId} AND agent_id = ${agentId} AND visitor IS NULL AND status <> 'removed')
        RETURNING (SELECT id FROM sessions WHERE sessions.key = session_transfers.session) AS id`;
      const [row] = await erase(taken.compile(queries));
      return row?.['id'] == null ? null : String(row['id']);
    },

    async removeTransfer(sessionId) {
      await erase(sql`DELETE FROM session_transfers WHERE session = ${keyOf(sessionId)}`.compile(queries));
    },
  };
}
