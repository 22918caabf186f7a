import { readLog } from '../crash/reader.ts';
import type { Reachable } from '../crash/restartable-service.ts';
import type { Tenant } from '../crash/tenant.ts';
import type { PostgresDatabase } from '../postgres-database.ts';

/** Every log of the database, also of sessions that no visitor knows of. */
export async function readLogs(
  database: PostgresDatabase,
  service: Reachable,
  tenants: readonly Tenant[],
): Promise<Map<string, readonly string[]>> {
  const sessions = await database.query<{ id: string; agent: string; interface: string }>(
    'SELECT id, agent_id AS agent, interface FROM sessions',
  );
  const logs = new Map<string, readonly string[]>();
  for (const { id, agent, interface: of } of sessions) {
    const tenant = tenants.find(({ agentId }) => agentId === agent);
    if (!tenant) throw new Error(`Session ${id} belongs to nobody.`);
    // Nobody can read the log of a Chat conversation.
    const log =
      of === 'chat'
        ? await storedLog(database, id)
        : await readLog((await service.current()).url, tenant, id);
    logs.set(id, log);
  }
  return logs;
}

async function storedLog(database: PostgresDatabase, session: string): Promise<string[]> {
  const events = await database.query<{ type: string; data: string | null; id: string; at: string }>(
    `SELECT type, data, events.id, at FROM events JOIN sessions ON sessions.key = events.session
      WHERE sessions.id = $1 ORDER BY idx`,
    [session],
  );
  return events.map(({ type, data, id, at }) =>
    JSON.stringify({ type, ...(data !== null && { data: JSON.parse(data) as unknown }), meta: { at, id } }),
  );
}
