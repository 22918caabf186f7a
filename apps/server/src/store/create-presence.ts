import { sql } from 'kysely';
import type { PresenceStore } from './presence-store.ts';
import type { QueryEngine } from './query-engine.ts';

export function createPresence({ queries, read, write, now }: QueryEngine): PresenceStore {
  return {
    async notePresence(memberId, { tenantId, sessionId, ttlMs }) {
      const ofTenant = sql`(SELECT id FROM sessions WHERE id = ${sessionId} AND tenant_id = ${tenantId})`;
      const noted = sql`
        INSERT INTO presence (member_id, tenant_id, session_id, expires_at)
        SELECT id, ${tenantId}, ${ofTenant}, ${now()} + ${ttlMs} FROM members WHERE id = ${memberId}
        ON CONFLICT (member_id) DO UPDATE SET tenant_id = excluded.tenant_id, session_id = excluded.session_id,
          expires_at = excluded.expires_at
        RETURNING member_id`;
      await write(noted.compile(queries));
    },

    async listPresent(tenantId, limit) {
      const rows = await read(
        sql`
          SELECT members.id AS id, members.name AS name, session_id AS "sessionId"
          FROM presence JOIN members ON members.id = presence.member_id
          WHERE presence.tenant_id = ${tenantId} AND expires_at > ${now()}
          ORDER BY members.sign_in_name LIMIT ${limit}`.compile(queries),
      );
      return rows.map((row) => ({
        id: String(row['id']),
        name: String(row['name']),
        sessionId: row['sessionId'] == null ? null : String(row['sessionId']),
      }));
    },

    async teamPresence(tenantId) {
      const found = sql`
        SELECT CASE WHEN expires_at > ${now()} THEN 1 ELSE 0 END AS present
        FROM presence JOIN members ON members.id = presence.member_id
        WHERE presence.tenant_id = ${tenantId} AND role <> 'viewer' ORDER BY expires_at DESC LIMIT 1`;
      const [latest] = await read(found.compile(queries));
      if (latest === undefined) return 'unknown';
      return Number(latest['present']) === 1 ? 'present' : 'away';
    },
  };
}
